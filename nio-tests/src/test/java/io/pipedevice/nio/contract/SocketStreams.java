// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;

/**
 * Those of a socket of java.net.
 *
 * @param socket the socket
 * @param in its input: it cannot be had once it is shut
 * @param out its output
 */
record SocketStreams(Socket socket, InputStream in, OutputStream out) implements Streams {
    private static final int MARGIN = 7;
    private static final int FORMS = 4;
    private static final int LONG_MILLIS = 600_000;

    static SocketStreams of(Socket socket) throws IOException {
        return new SocketStreams(socket, socket.getInputStream(), socket.getOutputStream());
    }

    @Override
    public int write(int form, byte[] bytes) throws IOException {
        int length = bytes.length;
        if (form % 2 == 0) {
            byte[] source = new byte[length + 2 * MARGIN];
            System.arraycopy(bytes, 0, source, MARGIN, length);
            out.write(source, MARGIN, length);
        } else if (length == 1) {
            out.write(bytes[0]);
        } else {
            out.write(bytes);
        }
        return length;
    }

    @Override
    public int read(int form, int length, int stream, long position) throws IOException {
        byte[] target = new byte[length + 2 * MARGIN];
        int count = switch (form % (FORMS + 1)) {
            case 1 -> readWithin(target, length);
            case FORMS -> readOne(target, length);
            default -> in.read(target, MARGIN, length);
        };
        Content.check(stream, position, ByteBuffer.wrap(target).slice(MARGIN, length), count);
        return count;
    }

    private int readWithin(byte[] target, int length) throws IOException {
        socket.setSoTimeout(LONG_MILLIS);
        int count = in.read(target, MARGIN, length);
        if (!socket.isClosed()) {
            socket.setSoTimeout(0);
        }
        return count;
    }

    private int readOne(byte[] target, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int value = in.read();
        target[MARGIN] = (byte) value;
        return value < 0 ? -1 : 1;
    }

    @Override
    public int forms(boolean all) {
        return FORMS;
    }

    @Override
    public void awaitRoom() {
        throw new AssertionError("a write of a socket takes everything");
    }

    @Override
    public void awaitBytes() {
        throw new AssertionError("a read of a socket waits for a byte");
    }
}
