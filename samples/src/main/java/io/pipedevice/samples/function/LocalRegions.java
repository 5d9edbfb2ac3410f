// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.function;

import io.pipedevice.active.message.RegionAccess;
import io.pipedevice.active.message.RegionOperation;
import io.pipedevice.operation.OperationCode;
import io.pipedevice.operation.OperationStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/** Regions in the memory of this process, on which operations are executed at once. Any number of threads use it. */
public final class LocalRegions implements RegionAccess {
    private static final VarHandle WORD =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private final MemorySegment[] regions;

    /**
     * Gives access to memory.
     *
     * @param regions in the order in which the function numbers them
     */
    public LocalRegions(List<MemorySegment> regions) {
        this.regions = regions.toArray(MemorySegment[]::new);
    }

    @Override
    public long size(int region) {
        return regions[region].byteSize();
    }

    @Override
    public boolean execute(RegionOperation operation) {
        if (operation.code() == RegionOperation.YIELD) {
            return true;
        }
        MemorySegment memory = regions[operation.region()];
        int status = operation.statusIn(memory.byteSize());
        if (status != OperationStatus.OK) {
            operation.status(status);
            return true;
        }
        // What others have written before a word is seen after the word, and the other way round.
        VarHandle.fullFence();
        long offset = operation.offset();
        switch (operation.code()) {
            case OperationCode.READ -> operation.copyFrom(memory);
            case OperationCode.WRITE -> operation.copyTo(memory);
            case OperationCode.GET -> operation.value((long) WORD.getVolatile(memory, offset));
            case OperationCode.PUT -> WORD.setVolatile(memory, offset, operation.operand());
            case OperationCode.COMPARE_AND_SWAP ->
                operation.value(
                        (long) WORD.compareAndExchange(memory, offset, operation.operand(), operation.second()));
            case OperationCode.FETCH_AND_ADD ->
                operation.value((long) WORD.getAndAdd(memory, offset, operation.operand()));
            default -> throw new IllegalStateException(operation.toString());
        }
        VarHandle.fullFence();
        return true;
    }
}
