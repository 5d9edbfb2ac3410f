// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One direction of a connection. Each byte is determined by its position, so a receiver checks each byte on arrival,
 * however the stream ends. One thread streams; any thread may read {@link #position}.
 */
final class PatternStream {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int MAX_PIECE = 20_000;

    /** A prime, so that a block in the wrong place of a ring is detected. */
    private static final int PERIOD = 65_521;

    private final byte[] bytes = new byte[PERIOD + MAX_PIECE];
    private final Random random;
    private volatile long position;

    PatternStream(long seed) {
        random = new Random(seed);
        random.nextBytes(bytes);
        System.arraycopy(bytes, 0, bytes, PERIOD, MAX_PIECE);
    }

    /** Number of bytes that were sent, or received and verified. */
    long position() {
        return position;
    }

    /** Sends pieces of random length. */
    void send(PdSocket socket, BooleanSupplier more) throws PdException {
        PdBuffer block = new PdBuffer();
        while (more.getAsBoolean()) {
            int length = nextLength();
            if (!socket.malloc(length, block, PATIENCE_NS)) {
                throw new AssertionError("no room for " + PATIENCE_NS + " ns after " + position + " bytes");
            }
            block.copyFrom(0, bytes, (int) (position % PERIOD), length);
            if (socket.send(block, length, PATIENCE_NS) != length) {
                throw new AssertionError("no post for " + PATIENCE_NS + " ns after " + position + " bytes");
            }
            socket.free(block);
            advance(length);
        }
    }

    /** Receives to the end of the stream. */
    void receive(PdSocket socket) throws PdException {
        PdBuffer piece = new PdBuffer();
        MemorySegment expected = MemorySegment.ofArray(bytes);
        while (true) {
            int length = socket.recv(nextLength(), piece, PATIENCE_NS);
            if (length == PdSocket.END_OF_STREAM) {
                return;
            }
            if (length == 0) {
                throw new AssertionError("nothing for " + PATIENCE_NS + " ns after " + position + " bytes");
            }
            int at = (int) (position % PERIOD);
            long wrong = MemorySegment.mismatch(
                    piece.memory(), piece.offset(), piece.offset() + length, expected, at, at + length);
            if (wrong >= 0) {
                throw new AssertionError("byte " + (position + wrong) + " of the stream is wrong");
            }
            socket.recvDone(length);
            advance(length);
        }
    }

    private int nextLength() {
        return 1 + random.nextInt(random.nextInt(4) == 0 ? MAX_PIECE : 500);
    }

    private void advance(int length) {
        long now = position;
        position = now + length;
    }
}
