// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The content of a stream: a block of random bytes, repeated. Its length has an odd prime as a factor, so that a lost,
 * repeated or misplaced message is detected. The length is also a multiple of a cache line, so that messages are
 * aligned.
 */
final class Pattern {
    private static final int LINE = 64;
    private static final int PERIOD = 67 * LINE;
    private static final long SEED = 42;

    private final ByteBuffer bytes;
    private final int size;
    private long done;

    /**
     * Creates the sender's side, or the receiver's.
     *
     * @param size of the longest piece, in bytes
     */
    Pattern(int size) {
        this(size, Memory.DIRECT);
    }

    /** The same in some memory. */
    Pattern(int size, Memory memory) {
        this.size = size;
        bytes = memory.allocate(PERIOD + size);
        byte[] block = new byte[PERIOD];
        new java.util.Random(SEED).nextBytes(block);
        for (int at = 0; at < PERIOD + size; at += PERIOD) {
            bytes.put(at, block, 0, Math.min(PERIOD, PERIOD + size - at));
        }
    }

    /** The memory that contains the messages. */
    ByteBuffer memory() {
        return bytes;
    }

    /** The offset of the next message in it. */
    int nextOffset() {
        int offset = (int) (done % PERIOD);
        done += size;
        return offset;
    }

    /** The next message; position and limit are in use until the next call. */
    ByteBuffer next() {
        int offset = nextOffset();
        return bytes.limit(offset + size).position(offset);
    }

    /** The number of bytes until now. */
    long done() {
        return done;
    }

    /**
     * Checks that the next piece may begin with this word, in network byte order. A piece of less than a word is not
     * checked.
     */
    void checkWord(long word) throws IOException {
        if (word != bytes.getLong((int) (done % PERIOD))) {
            throw changed();
        }
    }

    /** Compares every byte of the next piece, the remaining bytes of a buffer. */
    void checkAll(ByteBuffer piece) throws IOException {
        int offset = (int) (done % PERIOD);
        if (!bytes.slice(offset, piece.remaining()).equals(piece)) {
            throw changed();
        }
    }

    void advance(int length) {
        done += length;
    }

    private IOException changed() {
        return new IOException("the stream arrived changed, in the piece that begins at byte " + done);
    }
}
