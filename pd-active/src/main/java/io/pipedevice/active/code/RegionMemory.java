// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.code;

import io.pipedevice.active.message.RegionOperation;
import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationStatus;
import io.pipedevice.jdk.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** Executes operations of functions on memory that the process has mapped writable. */
public final class RegionMemory {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private RegionMemory() {}

    /**
     * Executes an operation at once; those on eight bytes are atomic for all processors. Others see the operations of a
     * thread in their order.
     *
     * @param operation receives its value, or its status
     * @param bytes of the region
     * @param size of the region, at most that of the bytes
     */
    public static void execute(RegionOperation operation, MemorySegment bytes, long size) {
        int status = operation.statusIn(size);
        if (status != OperationStatus.OK) {
            operation.status(status);
            return;
        }
        long offset = operation.offset();
        switch (operation.code()) {
            case OperationCode.READ -> {
                operation.copyFrom(bytes);
                // A function may read bytes, and then a word that says whether they have changed meanwhile.
                VarHandle.acquireFence();
            }
            case OperationCode.WRITE -> {
                VarHandle.releaseFence();
                operation.copyTo(bytes);
            }
            case OperationCode.GET -> operation.value((long) WORD.getVolatile(bytes, offset));
            case OperationCode.PUT -> WORD.setVolatile(bytes, offset, operation.operand());
            case OperationCode.COMPARE_AND_SWAP ->
                operation.value((long) WORD.compareAndExchange(bytes, offset, operation.operand(), operation.second()));
            case OperationCode.FETCH_AND_ADD ->
                operation.value((long) WORD.getAndAdd(bytes, offset, operation.operand()));
            default -> {}
        }
    }
}
