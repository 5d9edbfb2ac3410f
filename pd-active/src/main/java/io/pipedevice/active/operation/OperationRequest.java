// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

import java.lang.foreign.MemorySegment;

/**
 * A private copy of a request, each of whose words was read once. Nothing in it is checked. Used by one thread at a
 * time.
 */
public final class OperationRequest {
    private long id;
    private long handles;
    private long targetOffset;
    private long lengthAndCode;
    private long bufferOffset;
    private long operand;
    private long secondOperand;

    /** Creates an empty copy. */
    public OperationRequest() {}

    void read(MemorySegment memory, long offset) {
        id = Words.get(memory, offset + OperationDescriptor.ID_OFFSET);
        handles = Words.get(memory, offset + OperationDescriptor.HANDLES_OFFSET);
        targetOffset = Words.get(memory, offset + OperationDescriptor.TARGET_OFFSET_OFFSET);
        lengthAndCode = Words.get(memory, offset + OperationDescriptor.LENGTH_AND_CODE_OFFSET);
        bufferOffset = Words.get(memory, offset + OperationDescriptor.BUFFER_OFFSET_OFFSET);
        operand = Words.get(memory, offset + OperationDescriptor.OPERAND_OFFSET);
        secondOperand = Words.get(memory, offset + OperationDescriptor.SECOND_OPERAND_OFFSET);
    }

    /**
     * The id that the completion repeats.
     *
     * @return any value
     */
    public long id() {
        return id;
    }

    /**
     * The handle of the region on which it operates.
     *
     * @return any value
     */
    public int target() {
        return OperationDescriptor.low(handles);
    }

    /**
     * The handle of the region of the process's own from which, or to which, bytes are copied.
     *
     * @return any value
     */
    public int buffer() {
        return OperationDescriptor.high(handles);
    }

    /**
     * Where in the target.
     *
     * @return in bytes, any value
     */
    public long targetOffset() {
        return targetOffset;
    }

    /**
     * How many bytes are copied.
     *
     * @return any value
     */
    public int length() {
        return OperationDescriptor.low(lengthAndCode);
    }

    /**
     * One of {@link OperationCode}.
     *
     * @return any value
     */
    public int code() {
        return OperationDescriptor.high(lengthAndCode);
    }

    /**
     * Where in the buffer.
     *
     * @return in bytes, any value
     */
    public long bufferOffset() {
        return bufferOffset;
    }

    /**
     * The value that is written, compared with, or added.
     *
     * @return any value
     */
    public long operand() {
        return operand;
    }

    /**
     * The value by which another one is replaced.
     *
     * @return any value
     */
    public long secondOperand() {
        return secondOperand;
    }

    @Override
    public String toString() {
        return "operation " + code() + " of " + length() + " bytes at " + targetOffset + " of "
                + Integer.toHexString(target());
    }
}
