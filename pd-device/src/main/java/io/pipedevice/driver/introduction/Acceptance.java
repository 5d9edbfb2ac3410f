// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.linux.TcpSequences;
import java.net.InetSocketAddress;

/**
 * A connection that a server has accepted from the kernel. Belongs to the driver's thread.
 *
 * @param server the process
 * @param request the number of its request
 * @param listener the number of its listener
 * @param port the client's, as the server sees it
 * @param address of the server's socket, in its own namespace
 * @param sequences the numbers of the server's socket
 * @param isOfOwnNamespace whether only the host's own root could choose these numbers
 * @param slot of the permit to read the socket
 * @param sinceNs when the request came
 * @param turn the turn of messages in which the request came
 */
record Acceptance(
        Participant server,
        int request,
        int listener,
        int port,
        InetSocketAddress address,
        TcpSequences sequences,
        boolean isOfOwnNamespace,
        int slot,
        long sinceNs,
        long turn) {
    /** Whether the server still awaits the answer. */
    boolean isAwaited() {
        return server.permits.isGranted(slot, request);
    }
}
