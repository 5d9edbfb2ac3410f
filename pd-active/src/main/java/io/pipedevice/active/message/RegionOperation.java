// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Memory;
import io.pipedevice.operation.OperationCode;
import io.pipedevice.operation.OperationStatus;
import java.lang.foreign.MemorySegment;

/**
 * What a function asks of a region. Its code, region, memory and length were checked: they are those of an operation that the
 * function may ask for, also where the state of the run came from another process. Belongs to its run.
 */
public final class RegionOperation {
    /** The code of an operation that does nothing, beside those of {@link OperationCode}: others may run. */
    public static final int YIELD = 0;

    private int code;
    private int region;
    private long offset;
    private long address;
    private int length;
    private MemorySegment memory;
    private long operand;
    private long second;
    private long value;
    private int status;

    RegionOperation() {}

    /** Becomes an operation on eight bytes, or none. */
    void set(int newCode, int newRegion, long newOffset, long newOperand, long newSecond) {
        code = newCode;
        region = newRegion;
        offset = newOffset;
        address = 0;
        length = newCode == YIELD ? 0 : Long.BYTES;
        memory = MemorySegment.NULL;
        operand = newOperand;
        second = newSecond;
        value = 0;
        status = OperationStatus.OK;
    }

    /** Becomes a copy between a region and memory of the run. */
    void setCopy(int newCode, int newRegion, long newOffset, Memory machine, long newAddress, long newLength)
            throws FaultException {
        memory = newCode == OperationCode.READ
                ? machine.holdingWritable(newAddress, newLength)
                : machine.holding(newAddress, newLength);
        code = newCode;
        region = newRegion;
        offset = newOffset;
        address = newAddress;
        length = (int) newLength;
        operand = 0;
        second = 0;
        value = 0;
        status = OperationStatus.OK;
    }

    /**
     * What is to be done.
     *
     * @return a code of {@link OperationCode} from READ to FETCH_AND_ADD, or {@link #YIELD}
     */
    public int code() {
        return code;
    }

    /**
     * The number of the region.
     *
     * @return from 0 to that of the function's last region
     */
    public int region() {
        return region;
    }

    /**
     * Where in the region.
     *
     * @return any value
     */
    public long offset() {
        return offset;
    }

    /**
     * How many bytes of the region are concerned.
     *
     * @return 8 for operations on eight bytes, 0 for a yield
     */
    public int length() {
        return length;
    }

    /**
     * How the operation ends in a region of a size, if nothing else fails.
     *
     * @param size the bytes of the region
     * @return {@link OperationStatus#OK}, {@link OperationStatus#RANGE} or {@link OperationStatus#ALIGNMENT}
     */
    public int statusIn(long size) {
        if (code == YIELD) {
            return OperationStatus.OK;
        }
        if (offset < 0 || offset > size - length) {
            return OperationStatus.RANGE;
        }
        return isCopy() || offset % Long.BYTES == 0 ? OperationStatus.OK : OperationStatus.ALIGNMENT;
    }

    /** Whether it is a read or a write. */
    boolean isCopy() {
        return code == OperationCode.READ || code == OperationCode.WRITE;
    }

    /**
     * The memory of the run to which a read copies, or from which a write does. It is this run's memory only until the run goes
     * on or is saved.
     *
     * @return {@link #length} bytes
     */
    public MemorySegment bytes() {
        return memory.asSlice(Memory.offset(address), length);
    }

    /**
     * Executes a read: copies to {@link #bytes}, without a new object.
     *
     * @param source the memory of the region
     */
    public void copyFrom(MemorySegment source) {
        MemorySegment.copy(source, offset, memory, Memory.offset(address), length);
    }

    /**
     * Executes a write: copies from {@link #bytes}, without a new object.
     *
     * @param target the memory of the region
     */
    public void copyTo(MemorySegment target) {
        MemorySegment.copy(memory, Memory.offset(address), target, offset, length);
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
    public long second() {
        return second;
    }

    /**
     * Says what the eight bytes held before the operation. Others have no value.
     *
     * @param newValue goes to the function
     */
    public void value(long newValue) {
        value = newValue;
    }

    /**
     * Says that the operation failed, which ends the run.
     *
     * @param newStatus one of {@link OperationStatus}
     */
    public void status(int newStatus) {
        status = newStatus;
    }

    /** How the operation ended. */
    int status() {
        return status;
    }

    /** What the function gets: the value, where the operation has one. */
    long result() {
        return switch (code) {
            case OperationCode.GET, OperationCode.COMPARE_AND_SWAP, OperationCode.FETCH_AND_ADD -> value;
            default -> 0;
        };
    }

    /** The address of the bytes in the run. */
    long address() {
        return address;
    }

    @Override
    public String toString() {
        return "operation " + code + " of " + length + " bytes at " + offset + " of region " + region;
    }
}
