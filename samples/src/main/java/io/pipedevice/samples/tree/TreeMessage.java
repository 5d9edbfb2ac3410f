// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.tree;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Writes the message of a GET or scan, and reads the answer.
 *
 * <pre>
 *          0        8                16        24
 *         +--------+----------------+
 *   GET   | key    | value          |
 *         +--------+----------------+--------+--------+-- - - -
 *   scan  | least  | pairs wanted   | key 1  | value 1|
 *         | key    |                |        |        |
 *         +--------+----------------+--------+--------+-- - - -
 * </pre>
 */
public final class TreeMessage {
    /** The bytes of the message of a GET. */
    public static final int GET_LENGTH = 16;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int SECOND_OFFSET = 8;
    private static final int PAIRS_OFFSET = 16;
    private static final int PAIR_LENGTH = 16;

    private TreeMessage() {}

    /**
     * The bytes of the message of scans.
     *
     * @param pairs the most that one has room for, up to 1,023
     * @return the length
     */
    public static int scanLength(int pairs) {
        return PAIRS_OFFSET + pairs * PAIR_LENGTH;
    }

    /**
     * Writes the message of a GET.
     *
     * @param message where to
     * @param key to look up
     */
    public static void get(MemorySegment message, long key) {
        message.set(WORD, 0, key);
        message.set(WORD, SECOND_OFFSET, 0);
    }

    /**
     * The value that a GET has found.
     *
     * @param message after the call
     * @return the value
     */
    public static long value(MemorySegment message) {
        return message.get(WORD, SECOND_OFFSET);
    }

    /**
     * The key that was asked for.
     *
     * @param message of a GET or scan
     * @return the key
     */
    public static long asked(MemorySegment message) {
        return message.get(WORD, 0);
    }

    /**
     * Writes the message of a scan.
     *
     * @param message where to
     * @param least from which key on
     * @param pairs the most that are wanted
     */
    public static void scan(MemorySegment message, long least, int pairs) {
        message.set(WORD, 0, least);
        message.set(WORD, SECOND_OFFSET, pairs);
    }

    /**
     * A key that a scan has found.
     *
     * @param message after the call
     * @param index from 0 to below the result
     * @return the key
     */
    public static long key(MemorySegment message, int index) {
        return message.get(WORD, PAIRS_OFFSET + (long) index * PAIR_LENGTH);
    }

    /**
     * The value of a key that a scan has found.
     *
     * @param message after the call
     * @param index from 0 to below the result
     * @return the value
     */
    public static long value(MemorySegment message, int index) {
        return message.get(WORD, PAIRS_OFFSET + (long) index * PAIR_LENGTH + Long.BYTES);
    }
}
