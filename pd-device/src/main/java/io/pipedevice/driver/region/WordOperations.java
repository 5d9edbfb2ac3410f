// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationRequest;
import io.pipedevice.active.operation.OperationStatus;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.jdk.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Operations on eight bytes of a region, which the driver's thread executes itself, each by one instruction: they are
 * atomic for the owner's processor, too. Belongs to the driver's thread.
 */
final class WordOperations {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private long value;

    /** The value of the eight bytes before the last operation; 0 if it failed. */
    long value() {
        return value;
    }

    /** Executes an operation, and returns its status. */
    int execute(OperationRequest operation, RegionHandles handles) {
        value = 0;
        if (operation.code() == OperationCode.FENCE) {
            return OperationStatus.OK;
        }
        int right = switch (operation.code()) {
            case OperationCode.GET -> RegionMessage.READ;
            case OperationCode.PUT -> RegionMessage.WRITE;
            case OperationCode.COMPARE_AND_SWAP, OperationCode.FETCH_AND_ADD -> RegionMessage.ATOMIC;
            default -> 0;
        };
        if (right == 0) {
            return OperationStatus.CODE;
        }
        long offset = operation.targetOffset();
        int status = handles.check(operation.target(), right, offset, Long.BYTES);
        if (status != OperationStatus.OK) {
            return status;
        }
        if (offset % Long.BYTES != 0) {
            return OperationStatus.ALIGNMENT;
        }
        try {
            value = execute(operation, handles.handle(operation.target()).target.bytes(), offset);
            return OperationStatus.OK;
        } catch (InternalError e) {
            // The JVM reports a SIGBUS in this way: the page could not be read back from a swap device.
            return OperationStatus.DEVICE;
        }
    }

    /** Executes an operation that was checked, and returns what the eight bytes held. */
    static long execute(OperationRequest operation, MemorySegment bytes, long offset) {
        return switch (operation.code()) {
            case OperationCode.PUT -> {
                WORD.setVolatile(bytes, offset, operation.operand());
                yield 0;
            }
            case OperationCode.COMPARE_AND_SWAP ->
                (long) WORD.compareAndExchange(bytes, offset, operation.operand(), operation.secondOperand());
            case OperationCode.FETCH_AND_ADD -> (long) WORD.getAndAdd(bytes, offset, operation.operand());
            default -> (long) WORD.getVolatile(bytes, offset);
        };
    }
}
