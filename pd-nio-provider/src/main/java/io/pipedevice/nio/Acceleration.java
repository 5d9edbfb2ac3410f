// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;

/** What the provider opens where PipeDevice works: channels that may use rings, and selectors that know both kinds. */
interface Acceleration {
    /**
     * Opens a TCP channel.
     *
     * @param family INET or INET6, or null if the caller named none
     */
    SocketChannel openSocketChannel(ProtocolFamily family) throws IOException;

    /**
     * Opens a TCP server channel.
     *
     * @param family INET or INET6, or null if the caller named none
     */
    ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException;

    /** Opens a selector for these channels and the JDK's own. */
    AbstractSelector openSelector() throws IOException;
}
