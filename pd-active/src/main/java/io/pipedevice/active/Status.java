// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.operation.OperationStatus;

/** How a one-sided operation, or a call of a function, ended. */
public enum Status {
    /** It was done. */
    OK(OperationStatus.OK, "done"),

    /** The target was released, or was never found; of a call, also a number that no region of the function has. */
    NO_REGION(OperationStatus.NO_REGION, "it was released, or there is no such region"),

    /** The owner of the target has ended, or has closed it. */
    GONE(OperationStatus.GONE, "the owner has ended or has closed it"),

    /** This process lacks the right, which it may have had before. */
    DENIED(OperationStatus.DENIED, "the owner or the policy does not permit it"),

    /** A part of the target does not lie in its region. */
    RANGE(OperationStatus.RANGE, "it does not lie in the region"),

    /** The offset of eight bytes is not a multiple of eight. */
    ALIGNMENT(OperationStatus.ALIGNMENT, "the offset is not a multiple of 8"),

    /** The buffer is not an open region of this process, or does not hold the bytes. */
    BUFFER(OperationStatus.BUFFER, "the buffer is not an open region of this process that holds the bytes"),

    /** The driver does not know the operation. */
    UNKNOWN(OperationStatus.CODE, "the driver does not know the operation"),

    /** The driver's device failed. A part of the bytes may have been copied. */
    DEVICE(OperationStatus.DEVICE, "the driver's device failed"),

    /** The function has used up the fuel of a call. */
    FUEL(OperationStatus.FUEL, "the function has used up its fuel"),

    /** The function did something undefined. */
    FAULT(OperationStatus.FAULT, "the function did something undefined"),

    /** The call continues elsewhere; not seen outside of {@link Calls}. */
    MOVED(OperationStatus.MOVED, "the call goes on elsewhere"),

    /** The owner has no {@link FunctionServer}, or it was closed. */
    NOT_SERVED(OperationStatus.NOT_SERVED, "the function's owner serves no calls"),

    /** A state of a run was changed on its way. */
    STATE(OperationStatus.STATE, "a state of a run is not one"),

    /** The call has not ended in its time. */
    TIME(OperationStatus.TIME, "it has not ended in its time"),

    /** The driver has no memory for another call of this user. The call has not begun. */
    MEMORY(OperationStatus.MEMORY, "the driver has no memory for another call of this user");

    private static final Status[] VALUES = values();

    private final int code;
    private final String text;

    Status(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** The status of a completion; null if there is no such status. */
    static Status of(int code) {
        return code >= 0 && code < VALUES.length && VALUES[code].code == code ? VALUES[code] : null;
    }

    /** For a person. */
    String text() {
        return text;
    }
}
