// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/**
 * A connection by a Unix-domain socket, in the place of a TCP connection. Immutable.
 *
 * @param channel of the JDK; connected, and not blocking yet
 * @param local the TCP address that the program sees as its own, whose port the kernel holds for it
 * @param remote the TCP address that the program connected to
 */
public record UnixConnection(SocketChannel channel, InetSocketAddress local, InetSocketAddress remote) {}
