// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Sends and receives like a simple program. */
final class Bytes {
    private Bytes() {}

    static void send(PdConnection socket, String text) throws PdException {
        send(socket, text.getBytes(StandardCharsets.UTF_8));
    }

    static void send(PdConnection socket, byte[] bytes) throws PdException {
        PdBuffer buffer = new PdBuffer();
        assertTrue(socket.malloc(bytes.length, buffer, Attached.PATIENCE_NS), "no room");
        buffer.copyFrom(0, bytes, 0, bytes.length);
        assertEquals(bytes.length, socket.send(buffer, bytes.length, Attached.PATIENCE_NS));
        socket.free(buffer);
    }

    /** Receives exactly {@code count} bytes. */
    static byte[] receive(PdConnection socket, int count) throws PdException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        PdBuffer buffer = new PdBuffer();
        while (all.size() < count) {
            int length = socket.recv(count - all.size(), buffer, Attached.PATIENCE_NS);
            assertTrue(length > 0, "recv returned " + length + " after " + all.size() + " bytes");
            byte[] piece = new byte[length];
            buffer.copyTo(0, piece, 0, length);
            all.writeBytes(piece);
            socket.recvDone(length);
        }
        return all.toByteArray();
    }

    static String receiveText(PdConnection socket, int count) throws PdException {
        return new String(receive(socket, count), StandardCharsets.UTF_8);
    }

    static int receiveEnd(PdConnection socket) throws PdException {
        return socket.recv(1, new PdBuffer(), Attached.PATIENCE_NS);
    }
}
