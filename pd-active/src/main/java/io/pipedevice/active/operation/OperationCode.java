// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

/** The kind of an operation; the code of an {@link OperationRequest}. */
public final class OperationCode {
    /** Copies from the target region into the buffer region. */
    public static final int READ = 1;

    /** Copies from the buffer region into the target region. */
    public static final int WRITE = 2;

    /** Reads eight bytes of the target, whole, into the completion. */
    public static final int GET = 3;

    /** Writes the operand to eight bytes of the target, whole. */
    public static final int PUT = 4;

    /** Replaces eight bytes that equal the operand by the second operand; the completion has what was there. */
    public static final int COMPARE_AND_SWAP = 5;

    /** Adds the operand to eight bytes; the completion has what was there. */
    public static final int FETCH_AND_ADD = 6;

    /** Completes when all earlier operations of its queue pair have; later ones begin after it. */
    public static final int FENCE = 7;

    /**
     * Calls the function that the target names, with a message in the buffer; the completion has its result. Begins
     * when all earlier operations but calls have ended; later ones do not wait for it. The operand is of
     * {@link CallFlags}, the second operand the time of the post, the target offset the length of a state behind the
     * message.
     */
    public static final int CALL = 8;

    private OperationCode() {}
}
