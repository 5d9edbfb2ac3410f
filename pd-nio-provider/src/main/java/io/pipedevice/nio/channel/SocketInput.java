// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The input of a socket. Its close closes the socket. Thread safe. */
final class SocketInput extends InputStream {
    private final StreamSocket socket;

    SocketInput(StreamSocket socket) {
        this.socket = socket;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        try {
            return socket.reader().read(target, offset, length, socket.timeoutNs());
        } catch (IOException | RuntimeException e) {
            throw socket.failure(e);
        }
    }

    @Override
    public int available() throws IOException {
        try {
            return socket.reader().available();
        } catch (IOException | RuntimeException e) {
            throw socket.failure(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
