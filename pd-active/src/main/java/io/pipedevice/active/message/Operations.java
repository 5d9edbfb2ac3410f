// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Memory;
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

    long copy(int code, long region, long offset, Memory memory, long address, long length) throws FaultException {
        operation.setCopy(code, number(region), offset, memory, address, length);
        return execute();
    }

    long word(int code, long region, long offset, long operand, long second) throws FaultException {
        operation.set(code, number(region), offset, operand, second);
        return execute();
    }

    long letOthersRun() throws FaultException {
        operation.set(RegionOperation.YIELD, 0, 0, 0, 0);
        return execute();
    }

    long size(long region) throws FaultException {
        return access.size(number(region));
    }

    private int number(long region) throws FaultException {
        if (region < 0 || region >= regions) {
            operation.set(RegionOperation.YIELD, 0, 0, 0, 0);
            operation.status(OperationStatus.NO_REGION);
            throw new FaultException("the function has no region " + Long.toUnsignedString(region));
        }
        return (int) region;
    }

    private long execute() throws FaultException {
        if (!access.execute(operation)) {
            throw new FaultException("the run would have to wait");
        }
        if (operation.status() != OperationStatus.OK) {
            throw new FaultException(operation + " failed with status " + operation.status());
        }
        return operation.result();
    }
}
