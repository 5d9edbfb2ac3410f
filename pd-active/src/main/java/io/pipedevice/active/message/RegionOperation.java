// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import static io.pipedevice.active.message.MessageStateDescriptor.ADDRESS;
import static io.pipedevice.active.message.MessageStateDescriptor.CODE_AND_REGION;
import static io.pipedevice.active.message.MessageStateDescriptor.OFFSET;
import static io.pipedevice.active.message.MessageStateDescriptor.OPERAND;
import static io.pipedevice.active.message.MessageStateDescriptor.SECOND;

import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationStatus;
import java.lang.foreign.MemorySegment;

/**
 * An operation of a function on a region. Its code, region, memory and length were checked: they are those of an
 * operation that the function may ask for, also where the state of the run came from another process. Belongs to its
 * run.
 */
public final class RegionOperation {
    /** The code of an operation that does nothing, beside those of {@link OperationCode}: others may run. */
    public static final int YIELD = 0;

    /** The words of the run, which have all of the operation that is saved with it ({@link MessageStateDescriptor}). */
    private final long[] words;

    private final CheckedMemory machine;
    private int length;
    private long value;
    private int status;

    RegionOperation(CheckedMemory machine, long[] words) {
        this.machine = machine;
        this.words = words;
    }

    /** Becomes an operation on eight bytes, or none. */
    void set(int code, int region, long offset, long operand, long second) {
        words[CODE_AND_REGION] = code | (long) region << Integer.SIZE;
        words[OFFSET] = offset;
        words[ADDRESS] = 0;
        words[OPERAND] = operand;
        words[SECOND] = second;
        length = code == YIELD ? 0 : Long.BYTES;
        status = OperationStatus.OK;
    }

    /** Becomes a copy between a region and memory of the run. */
    void setCopy(int code, int region, long offset, long address, long bytes) throws FaultException {
        words[CODE_AND_REGION] = code | (long) region << Integer.SIZE;
        words[OFFSET] = offset;
        words[ADDRESS] = address;
        words[OPERAND] = bytes;
        words[SECOND] = 0;
        status = OperationStatus.OK;
        checkBytes();
    }

    private void checkBytes() throws FaultException {
        long address = words[ADDRESS];
        long bytes = words[OPERAND];
        if (code() == OperationCode.READ) {
            machine.checkWritable(address, bytes);
        } else {
            machine.checkReadable(address, bytes);
        }
        length = (int) bytes;
    }

    /** Becomes what the words say. Their code was checked. */
    void restore() throws FaultException {
        status = OperationStatus.OK;
        if (isCopy()) {
            checkBytes();
        } else {
            length = code() == YIELD ? 0 : Long.BYTES;
        }
    }

    /**
     * The kind of the operation.
     *
     * @return a code of {@link OperationCode} from READ to FETCH_AND_ADD, or {@link #YIELD}
     */
    public int code() {
        return (int) words[CODE_AND_REGION];
    }

    /**
     * The number of the region.
     *
     * @return from 0 to that of the function's last region
     */
    public int region() {
        return (int) (words[CODE_AND_REGION] >>> Integer.SIZE);
    }

    /**
     * Where in the region.
     *
     * @return any value
     */
    public long offset() {
        return words[OFFSET];
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
        if (code() == YIELD) {
            return OperationStatus.OK;
        }
        long offset = offset();
        if (offset < 0 || offset > size - length) {
            return OperationStatus.RANGE;
        }
        return isCopy() || offset % Long.BYTES == 0 ? OperationStatus.OK : OperationStatus.ALIGNMENT;
    }

    /** Whether it is a read or a write. */
    boolean isCopy() {
        int code = code();
        return code == OperationCode.READ || code == OperationCode.WRITE;
    }

    /**
     * The memory of the run to which a read copies, or from which a write does. It is this run's memory only until the
     * run goes on or is saved.
     *
     * @return {@link #length} bytes; none of an operation on eight bytes
     */
    public MemorySegment bytes() {
        return isCopy()
                ? machine.region(words[ADDRESS]).asSlice(CheckedMemory.offset(words[ADDRESS]), length)
                : MemorySegment.NULL;
    }

    /**
     * Executes a read: copies to {@link #bytes}, without a new object.
     *
     * @param source the memory of the region
     */
    public void copyFrom(MemorySegment source) {
        long address = words[ADDRESS];
        MemorySegment.copy(source, offset(), machine.region(address), CheckedMemory.offset(address), length);
    }

    /**
     * Executes a write: copies from {@link #bytes}, without a new object.
     *
     * @param target the memory of the region
     */
    public void copyTo(MemorySegment target) {
        long address = words[ADDRESS];
        MemorySegment.copy(machine.region(address), CheckedMemory.offset(address), target, offset(), length);
    }

    /**
     * The value that is written, compared with, or added.
     *
     * @return any value, of operations on eight bytes
     */
    public long operand() {
        return words[OPERAND];
    }

    /**
     * The value by which another one is replaced.
     *
     * @return any value
     */
    public long second() {
        return words[SECOND];
    }

    /**
     * Says what the eight bytes held before the operation. Of other operations it means nothing.
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

    /** The result for the function: the value, where the operation has one. */
    long result() {
        return switch (code()) {
            case OperationCode.GET, OperationCode.COMPARE_AND_SWAP, OperationCode.FETCH_AND_ADD -> value;
            default -> 0;
        };
    }

    @Override
    public String toString() {
        return "operation " + code() + " of " + length + " bytes at " + offset() + " of region " + region();
    }
}
