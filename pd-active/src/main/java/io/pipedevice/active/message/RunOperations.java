// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.operation.OperationStatus;

/**
 * The operations of a run, one at a time: what the function asks for, and what its place makes of it. Belongs to the
 * run.
 */
final class RunOperations {
    private final int regions;

    /** The last one. Its words are those of the run. */
    private RegionOperation operation;

    private RegionAccess access;

    RunOperations(int regions) {
        this.regions = regions;
    }

    /** Says where operations are kept, and where their bytes are. */
    void keepIn(long[] words, CheckedMemory memory) {
        operation = new RegionOperation(memory, words);
    }

    /** Sets the access to the regions from now on. */
    @SuppressWarnings("ReferenceEquality") // a look costs less than the barrier of a store
    void use(RegionAccess newAccess) {
        if (access != newAccess) {
            access = newAccess;
        }
    }

    /** The last operation. */
    RegionOperation last() {
        return operation;
    }

    /** The words of the run have an operation that was saved. The run has its stack frames already. */
    void restore() throws InvalidStateException {
        int region = operation.region();
        if (region < 0 || region >= (operation.code() == RegionOperation.YIELD ? 1 : regions)) {
            throw new InvalidStateException("the function has no region " + region);
        }
        try {
            operation.restore();
        } catch (FaultException e) {
            throw new InvalidStateException(e.getMessage());
        }
    }

    long copy(int code, long region, long offset, CheckedMemory memory, long address, long length)
            throws FaultException {
        operation.setCopy(code, number(region), offset, address, length);
        return execute(memory);
    }

    long word(int code, CheckedMemory memory, long region, long offset, long operand, long second)
            throws FaultException {
        operation.set(code, number(region), offset, operand, second);
        return execute(memory);
    }

    long letOthersRun(CheckedMemory memory) throws FaultException {
        operation.set(RegionOperation.YIELD, 0, 0, 0, 0);
        return execute(memory);
    }

    long size(long region) throws FaultException {
        return access.size(number(region));
    }

    private int number(long region) throws FaultException {
        if (region < 0 || region >= regions) {
            operation.status(OperationStatus.NO_REGION);
            throw new FaultException("the function has no region " + Long.toUnsignedString(region));
        }
        return (int) region;
    }

    private long execute(CheckedMemory memory) throws FaultException {
        if (!access.execute(operation)) {
            memory.waitForHelper();
            return 0;
        }
        if (operation.status() != OperationStatus.OK) {
            throw new FaultException(operation + " failed with status " + operation.status());
        }
        return operation.result();
    }
}
