// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/**
 * A connection with a socket of java.net at one end.
 *
 * @param tested the socket
 * @param in its input
 * @param out its output
 * @param peer the other end: a socket of java.net, or that of a channel
 */
record SocketConnection(Socket tested, InputStream in, OutputStream out, Socket peer) {
    static SocketConnection of(Socket tested, Socket peer) throws IOException {
        return new SocketConnection(tested, tested.getInputStream(), tested.getOutputStream(), peer);
    }

    /** Sends bytes from the peer. */
    void peerSends(byte[] bytes) throws IOException {
        peer.getOutputStream().write(bytes);
    }

    /** The next byte that the peer reads, or -1. */
    int peerReads() throws IOException {
        return peer.getInputStream().read();
    }
}
