// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/** The output of a socket. Its close closes the socket. Thread safe. */
final class SocketOutput extends OutputStream {
    private final StreamSocket socket;

    SocketOutput(StreamSocket socket) {
        this.socket = socket;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        if (length == 0) {
            return;
        }
        try {
            socket.writer().writeFully(source, offset, length);
        } catch (IOException | RuntimeException e) {
            throw socket.failure(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
