// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import io.pipedevice.active.bpf.machine.Continuation;

/**
 * Layout of the saved state of a run: words, little-endian, of which these are the indexes. The first ones are those of
 * a {@link Continuation}, with the number of instructions that the message has used, and with the operation for which
 * it waits.
 *
 * <pre>
 *           0         8      16     20       24       32        40        48       56   64         96
 *          +---------+------+------+--------+--------+---------+---------+--------+----+----------+
 *  waits   | where   | used | code | region | offset | address | operand | second | 0  | r6 to r9 |
 *          +---------+------+------+--------+--------+---------+---------+--------+----+----------+
 *  paused  | where   | used | r0 to r5                                                 | r6 to r9 |
 *          +---------+------+----------------------------------------------------------+----------+
 * </pre>
 *
 * <p>The words of the functions that wait for the one that runs follow, as a continuation has them. Then come the stack
 * frames, that of the first function first: of each the words at its end that the function uses.
 *
 * <p>The address is that of the bytes of a copy, in the address space of the program; the operand is then their number.
 */
final class MessageStateDescriptor {
    static final int USED = Continuation.FREE;
    static final int CODE_AND_REGION = Continuation.REGISTERS;
    static final int OFFSET = CODE_AND_REGION + 1;
    static final int ADDRESS = OFFSET + 1;
    static final int OPERAND = ADDRESS + 1;
    static final int SECOND = OPERAND + 1;
    static final int SAVED = Continuation.REGISTERS + Continuation.FIRST_SAVED;
    static final int FIXED = Continuation.WORDS;

    private MessageStateDescriptor() {}
}
