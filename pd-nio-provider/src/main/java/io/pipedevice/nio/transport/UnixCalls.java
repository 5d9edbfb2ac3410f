// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import io.pipedevice.linux.ReadableSocket;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import sun.nio.ch.SelChImpl;

/**
 * What a channel of a Unix-domain socket does in another way than one of TCP: the JDK has no socket adaptor for it.
 * Thread safe.
 */
final class UnixCalls {
    private UnixCalls() {}

    /** How much can be read without waiting. A channel that an interrupt closes meanwhile has no meaningful answer. */
    static int available(SocketChannel unix) throws IOException {
        if (!unix.isOpen()) {
            throw new ClosedChannelException();
        }
        return ReadableSocket.bytes(((SelChImpl) unix).getFDVal());
    }

    /** Whether a read returns at once. */
    static boolean isReady(SocketChannel unix) {
        return ReadableSocket.isReady(((SelChImpl) unix).getFDVal());
    }

    /** The exception of a call that sends urgent data. */
    static SocketException noUrgentData() {
        return new SocketException("Urgent data are not supported by Unix-domain sockets");
    }

    /** Limits the send buffer. */
    static void sendSize(SocketChannel unix, int bytes) {
        try {
            unix.setOption(StandardSocketOptions.SO_SNDBUF, bytes);
        } catch (IOException e) {
            // The channel is closed.
            return;
        }
    }
}
