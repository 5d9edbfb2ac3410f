// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** The bytes that the tests send and expect. */
final class Bytes {
    private Bytes() {}

    /** A generator whose seed is printed, so that a failure can be repeated. */
    static Random seeded(String test) {
        long seed = System.nanoTime();
        System.out.println(test + " seed " + seed);
        return new Random(seed);
    }

    static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    static void send(WritableByteChannel to, String text) throws IOException {
        send(to, ascii(text));
    }

    static void send(WritableByteChannel to, byte[] bytes) throws IOException {
        send(to, ByteBuffer.wrap(bytes));
    }

    /** Writes all of a buffer to a channel in blocking mode. */
    static void send(WritableByteChannel to, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            assertTrue(to.write(bytes) > 0, "a blocking write writes something");
        }
    }

    /** Reads {@code length} bytes from a channel in blocking mode. */
    static byte[] receive(ReadableByteChannel from, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            int n = from.read(bytes);
            assertTrue(n > 0, () -> "read gave " + n + " after " + bytes);
        }
        return bytes.array();
    }

    static void expect(ReadableByteChannel from, String text) throws IOException {
        assertEquals(text, new String(receive(from, text.length()), StandardCharsets.US_ASCII));
    }

    static void expect(ReadableByteChannel from, byte[] bytes) throws IOException {
        assertArrayEquals(bytes, receive(from, bytes.length));
    }

    static void expectEnd(ReadableByteChannel from) throws IOException {
        assertEquals(-1, from.read(ByteBuffer.allocate(1)));
    }

    /** Reads until the end of the stream, in blocking mode. */
    static byte[] receiveAll(ReadableByteChannel from) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer some = ByteBuffer.allocate(16 * 1024);
        while (from.read(some.clear()) >= 0) {
            all.write(some.array(), 0, some.position());
        }
        return all.toByteArray();
    }
}
