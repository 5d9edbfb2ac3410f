// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Memory;
import io.pipedevice.operation.OperationCode;
import io.pipedevice.operation.OperationStatus;

/** The operations of a run, one at a time: what the function asks for, and what its place makes of it. Belongs to the run. */
final class Operations {
    private final RegionOperation operation = new RegionOperation();
    private final int regions;
    private RegionAccess access;

    Operations(int regions) {
        this.regions = regions;
    }

    /** What reaches the regions from now on. */
    void use(RegionAccess newAccess) {
        access = newAccess;
    }

    /** The last operation. */
    RegionOperation last() {
        return operation;
    }

    /** There was no operation yet. */
    void reset() {
        operation.set(RegionOperation.YIELD, 0, 0, 0, 0);
    }

    /** Becomes a pending operation that was saved. The run has its stack frames already. */
    void restore(int code, int region, long offset, Memory memory, long address, long operand, long second)
            throws InvalidStateException {
        if (region < 0 || region >= (code == RegionOperation.YIELD ? 1 : regions)) {
            throw new InvalidStateException("the function has no region " + region);
        }
        if (code != OperationCode.READ && code != OperationCode.WRITE) {
            operation.set(code, region, offset, operand, second);
            return;
        }
        try {
            operation.setCopy(code, region, offset, memory, address, operand);
        } catch (FaultException e) {
            throw new InvalidStateException(e.getMessage());
        }
    }

    long copy(int code, long region, long offset, Memory memory, long address, long length) throws FaultException {
        operation.setCopy(code, number(region), offset, memory, address, length);
        return execute(memory);
    }

    long word(int code, Memory memory, long region, long offset, long operand, long second) throws FaultException {
        operation.set(code, number(region), offset, operand, second);
        return execute(memory);
    }

    long letOthersRun(Memory memory) throws FaultException {
        operation.set(RegionOperation.YIELD, 0, 0, 0, 0);
        return execute(memory);
    }

    long size(long region) throws FaultException {
        return access.size(number(region));
    }

    private int number(long region) throws FaultException {
        if (region < 0 || region >= regions) {
            reset();
            operation.status(OperationStatus.NO_REGION);
            throw new FaultException("the function has no region " + Long.toUnsignedString(region));
        }
        return (int) region;
    }

    private long execute(Memory memory) throws FaultException {
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
