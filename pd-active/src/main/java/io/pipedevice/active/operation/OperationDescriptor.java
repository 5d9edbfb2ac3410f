// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

/**
 * Layout of a request for a one-sided operation: one cache line, eight words, little-endian.
 *
 * <pre>
 *   0      8        12       16       24       28      32       40        48        56      64
 *  +------+--------+--------+--------+--------+-------+--------+---------+---------+-------+
 *  | id   | target | buffer | target | length | code  | buffer | operand | second  | stamp |
 *  |      | handle | handle | offset |        |       | offset |         | operand |       |
 *  +------+--------+--------+--------+--------+-------+--------+---------+---------+-------+
 * </pre>
 *
 * <p>The id is the process's own; the completion repeats it. The stamp is the number of the lap, from 1, and is stored
 * last: a request whose stamp is that of the reader's lap is whole.
 */
public final class OperationDescriptor {
    /** Length of a request, in bytes. */
    public static final int LENGTH = 64;

    static final int ID_OFFSET = 0;
    static final int HANDLES_OFFSET = 8;
    static final int TARGET_OFFSET_OFFSET = 16;
    static final int LENGTH_AND_CODE_OFFSET = 24;
    static final int BUFFER_OFFSET_OFFSET = 32;
    static final int OPERAND_OFFSET = 40;
    static final int SECOND_OPERAND_OFFSET = 48;
    static final int STAMP_OFFSET = 56;

    private OperationDescriptor() {}

    static long pair(int low, int high) {
        return Integer.toUnsignedLong(low) | (long) high << Integer.SIZE;
    }

    static int low(long pair) {
        return (int) pair;
    }

    static int high(long pair) {
        return (int) (pair >>> Integer.SIZE);
    }
}
