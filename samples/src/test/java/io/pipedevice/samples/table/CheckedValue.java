// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;

/** Values that tell which writer wrote them, and whether they are whole. */
public final class CheckedValue {
    static final int LENGTH = 200;
    private static final long FACTOR = 0x9e3779b97f4a7c15L;

    private CheckedValue() {}

    /**
     * A key.
     *
     * @param group any
     * @param number in the group
     * @return 8 bytes
     */
    public static byte[] key(int group, int number) {
        return ByteBuffer.allocate(8).putInt(group).putInt(number).array();
    }

    /**
     * What identifies a PUT.
     *
     * @param writer 0 to 32767
     * @param number of the PUT, up to 48 bits
     * @return the stamp
     */
    public static long stamp(int writer, long number) {
        return (long) writer << 48 | number;
    }

    static int writer(long stamp) {
        return (int) (stamp >>> 48);
    }

    /**
     * A value.
     *
     * @param writer 0 to 32767
     * @param number of the PUT, up to 48 bits
     * @return its bytes
     */
    public static byte[] of(int writer, long number) {
        ByteBuffer value = ByteBuffer.allocate(LENGTH);
        for (long word = stamp(writer, number); value.hasRemaining(); word = word * FACTOR + 1) {
            value.putLong(word);
        }
        return value.array();
    }

    /**
     * The number of a PUT.
     *
     * @param stamp of the PUT
     * @return its number
     */
    public static long number(long stamp) {
        return stamp & -1L >>> 16;
    }

    /**
     * Checks that a value is whole.
     *
     * @param bytes of the value
     * @return its stamp
     */
    public static long check(byte[] bytes) {
        assertEquals(LENGTH, bytes.length);
        ByteBuffer value = ByteBuffer.wrap(bytes);
        long stamp = value.getLong(0);
        for (long word = stamp; value.hasRemaining(); word = word * FACTOR + 1) {
            assertEquals(word, value.getLong(), "a torn value");
        }
        return stamp;
    }
}
