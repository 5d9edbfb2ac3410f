// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy;

import io.pipedevice.driver.identity.Identity;
import java.net.InetAddress;

/**
 * One end of a connection, as a policy sees it.
 *
 * @param identity of its process
 * @param address of its socket, in its own network namespace; null if that is not known yet. A process with
 *     CAP_NET_ADMIN over its namespace chooses it
 */
public record Party(Identity identity, InetAddress address) {}
