// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

/** How an operation ended; the status of a completion. */
public final class OperationStatus {
    /** The operation was done. */
    public static final int OK = 0;

    /** The target is not a region that the process has found, or it was released. */
    public static final int NO_REGION = 1;

    /** The target's owner has ended, or has deregistered it. */
    public static final int GONE = 2;

    /** The process lacks the right, which it may have had before. */
    public static final int DENIED = 3;

    /** A part of the target does not lie in its region. */
    public static final int RANGE = 4;

    /** The address of eight bytes is not a multiple of eight. */
    public static final int ALIGNMENT = 5;

    /** The buffer is not a region of the process's own, or does not hold the bytes. */
    public static final int BUFFER = 6;

    /** The driver does not know the code. */
    public static final int CODE = 7;

    /** The device failed. */
    public static final int DEVICE = 8;

    /** A call has used up the fuel of its function. */
    public static final int FUEL = 9;

    /** A function did something undefined, which only its state or its place can explain. */
    public static final int FAULT = 10;

    /** A call continues where its caller says; its state lies behind the message. */
    public static final int MOVED = 11;

    /** No thread of the owner serves calls. */
    public static final int NOT_SERVED = 12;

    /** The bytes behind the message are no state of a run of the function. */
    public static final int STATE = 13;

    /** A call has not ended in its time. */
    public static final int TIME = 14;

    /** The driver has no memory for another call of its user. */
    public static final int MEMORY = 15;

    /** The greatest status. */
    public static final int MOST = MEMORY;

    private OperationStatus() {}
}
