// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The application's work on the bytes: the sender writes a rising number into each 8-byte word, and the receiver adds
 * them all up. Both transports have the same work, in the memory from which they send and to which they receive.
 *
 * <p>One object serves one direction of one connection. Messages consist of whole words; received pieces need not.
 */
final class Payload {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

    private long next;
    private long sum;
    private long partial;
    private int partialBytes;

    /** Writes a message. */
    void fill(MemorySegment memory, long offset, int length) {
        long number = next;
        for (long i = 0; i < length; i += Long.BYTES) {
            memory.set(WORD, offset + i, number + (i >>> 3));
        }
        next = number + (length >>> 3);
    }

    /** Reads the next piece of the stream. */
    void read(MemorySegment memory, long offset, int length) {
        int i = 0;
        while (partialBytes != 0 && i < length) {
            readByte(memory.get(ValueLayout.JAVA_BYTE, offset + i++));
        }
        int words = (length - i) >>> 3;
        sum += sum(memory, offset + i, words);
        i += words << 3;
        while (i < length) {
            readByte(memory.get(ValueLayout.JAVA_BYTE, offset + i++));
        }
    }

    /** Adds in four independent chains, so that the memory limits the speed, not the additions. */
    private static long sum(MemorySegment memory, long offset, int words) {
        long a = 0;
        long b = 0;
        long c = 0;
        long d = 0;
        long i = 0;
        long bytes = (long) words << 3;
        for (; i <= bytes - 32; i += 32) {
            a += memory.get(WORD, offset + i);
            b += memory.get(WORD, offset + i + 8);
            c += memory.get(WORD, offset + i + 16);
            d += memory.get(WORD, offset + i + 24);
        }
        for (; i < bytes; i += 8) {
            a += memory.get(WORD, offset + i);
        }
        return a + b + c + d;
    }

    /** Reads a byte of a word that arrived in two pieces. */
    private void readByte(byte value) {
        partial |= (value & 0xFFL) << (8 * partialBytes);
        if (++partialBytes == Long.BYTES) {
            sum += partial;
            partial = 0;
            partialBytes = 0;
        }
    }

    /** The sum of all words that were read. */
    long sum() {
        return sum;
    }

    /** The sum of the words of a stream of {@code bytes} bytes. */
    static long sumOf(long bytes) {
        long words = bytes >>> 3;
        return (words & 1) == 0 ? words / 2 * (words - 1) : words * ((words - 1) / 2);
    }
}
