// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

/**
 * Layout of the saved state of a run: words, little-endian. A run waits for an operation, or was paused.
 *
 * <pre>
 *           0        4      5      6          8      16      20       24       32        40        48       56         88
 *          +--------+------+------+----------+------+-------+--------+--------+---------+---------+--------+----------+
 *  waits   | next   | more | kind | 0        | used | code  | region | offset | address | operand | second | r6 to r9 |
 *          | instr. |      |      |          |      |       |        |        |         |         |        |          |
 *          +--------+------+------+----------+------+-------+--------+--------+---------+---------+--------+----------+
 *  paused  | next   | more | kind | 0        | used | r0 to r9                                                     96 |
 *          +--------+------+------+----------+------+-----------------------------------------------------------------+
 * </pre>
 *
 * <p>There are as many functions that wait for the one that runs as {@code more} says. Each has an entry, the first function of
 * the program first: the index of the instruction after its call, and r6 to r9. The stack frames follow, in the same order, and
 * that of the function that runs: of each the words at its end that the function uses.
 *
 * <p>The address is that of the bytes of a copy, in the address space of the program; the operand is then their number.
 */
final class MessageStateDescriptor {
    /** The kind of a run that was paused. */
    static final int PAUSED = 0;

    /** The kind of a run that waits for an operation. */
    static final int WAITS = 1;

    static final int DEPTH_SHIFT = 32;
    static final int KIND_SHIFT = 40;

    static final int PLACE_OFFSET = 0;
    static final int USED_OFFSET = 8;
    static final int CODE_AND_REGION_OFFSET = 16;
    static final int OFFSET_OFFSET = 24;
    static final int ADDRESS_OFFSET = 32;
    static final int OPERAND_OFFSET = 40;
    static final int SECOND_OFFSET = 48;
    static final int SAVED_OFFSET = 56;
    static final int WAITS_LENGTH = 88;
    static final int REGISTERS_OFFSET = 16;
    static final int PAUSED_LENGTH = 96;

    /** Length of the entry of a function that waits for another one. */
    static final int CALLER_LENGTH = 40;

    private MessageStateDescriptor() {}
}
