// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import io.pipedevice.linux.Epoll;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** Translates bits of poll(2) to operations, for a channel of the JDK's own. */
final class KernelReadiness {
    private KernelReadiness() {}

    /** The operations that are ready, of {@code interest}. After an error or a hang-up each of them has an answer. */
    static int of(SelectableChannel channel, int interest, int events) {
        if ((events & (Epoll.ERR | Epoll.HUP)) != 0) {
            return interest;
        }
        boolean in = (events & Epoll.IN) != 0;
        boolean out = (events & Epoll.OUT) != 0;
        int ready = 0;
        if (channel instanceof SocketChannel socket && !socket.isConnected()) {
            ready = out && socket.isConnectionPending() ? SelectionKey.OP_CONNECT : 0;
        } else {
            ready |= in ? SelectionKey.OP_READ | SelectionKey.OP_ACCEPT : 0;
            // A channel of another kind that connects, of SCTP, is writable when it has connected.
            ready |= out ? SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT : 0;
        }
        return ready & interest;
    }
}
