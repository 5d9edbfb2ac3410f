// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.operation;

/** Where and how a call runs: the operand of {@link OperationCode#CALL}, bits that are or-ed. */
public final class CallFlags {
    /** It begins in the process of the function's owner, and not at the device. */
    public static final long HOST = 1;

    /** A state lies behind the message: the call goes on from there. */
    public static final long RESUME = 2;

    /** Device and owner may move the call between them. */
    public static final long MOVABLE = 4;

    /** The call may be given back with its state, for which there is room behind the message. */
    public static final long RETURNABLE = 8;

    /** All of them. */
    public static final long ALL = HOST | RESUME | MOVABLE | RETURNABLE;

    private CallFlags() {}
}
