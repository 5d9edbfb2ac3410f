// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PdStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Sends messages to the other end of a connection and back, and checks every byte. Used by one thread. */
final class PingPong {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int MOST = 2000;

    private final PdStream stream;
    private final Random random;
    private final byte[] sent = new byte[MOST];
    private final byte[] received = new byte[MOST];

    PingPong(PdStream stream, long seed) {
        this.stream = stream;
        this.random = new Random(seed);
    }

    /** Sends one message, and returns the time of its round trip in nanoseconds. */
    long once() throws IOException {
        int length = 1 + random.nextInt(MOST);
        random.nextBytes(sent);
        long begin = System.nanoTime();
        ByteBuffer out = ByteBuffer.wrap(sent, 0, length);
        ByteBuffer in = ByteBuffer.wrap(received, 0, length);
        write(stream, out);
        while (in.hasRemaining()) {
            if (read(stream, in) == PdSocket.END_OF_STREAM) {
                throw new AssertionError("the stream has ended");
            }
        }
        long end = System.nanoTime();
        int wrong = in.flip().mismatch(out.flip());
        if (wrong >= 0) {
            throw new AssertionError("byte " + wrong + " of " + length + " is wrong");
        }
        return end - begin;
    }

    private static void write(PdStream stream, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (stream.write(bytes) == 0 && !stream.awaitWritable(PATIENCE_NS)) {
                throw new AssertionError("no room for long");
            }
        }
    }

    private static int read(PdStream stream, ByteBuffer bytes) throws IOException {
        int length = stream.read(bytes);
        while (length == 0) {
            if (!stream.awaitReadable(PATIENCE_NS)) {
                throw new AssertionError("nothing for long");
            }
            length = stream.read(bytes);
        }
        return length;
    }

    /** The other end: sends everything back until the stream ends. */
    static void echo(PdConnection stream) throws IOException {
        try (stream) {
            ByteBuffer bytes = ByteBuffer.allocate(MOST);
            while (true) {
                while (!stream.awaitReadable(PATIENCE_NS)) {
                    // A bystander may be quiet.
                    Thread.onSpinWait();
                }
                if (stream.read(bytes.clear()) == PdSocket.END_OF_STREAM) {
                    return;
                }
                write(stream, bytes.flip());
            }
        }
    }
}
