// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import io.pipedevice.active.bpf.Operation;
import io.pipedevice.jdk.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Locale;

/** The atomic operations (RFC 9669, section 5.3), which are atomic for other threads and processes, too. */
public final class Atomics {
    private static final VarHandle INT = Foreign.handle(ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN));
    private static final VarHandle LONG = Foreign.handle(ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN));

    private Atomics() {}

    /**
     * Changes a value in memory.
     *
     * @param memory the memory
     * @param operation an operation of the kind {@link Operation.Kind#ATOMIC}
     * @param address the address of the value
     * @param length its bytes: 4 or 8
     * @param operand the source register
     * @param expected for {@link Operation#COMPARE_EXCHANGE}, what r0 has
     * @return the old value, zero-extended
     * @throws FaultException if the value is not wholly in a region that can be changed, or not aligned
     */
    public static long update(
            CheckedMemory memory, Operation operation, long address, int length, long operand, long expected)
            throws FaultException {
        MemorySegment segment = memory.writable(address, length);
        try {
            return length == Integer.BYTES
                    ? Integer.toUnsignedLong(update32(segment, operation, (int) operand, (int) expected))
                    : update64(segment, operation, operand, expected);
        } catch (IllegalArgumentException e) {
            // a segment of a byte array is never known to be aligned
            throw new FaultException(String.format(
                    Locale.ROOT, "atomic access to %d bytes at 0x%x, which are not aligned", length, address));
        }
    }

    private static int update32(MemorySegment segment, Operation operation, int operand, int expected) {
        return switch (operation) {
            case ATOMIC_ADD, FETCH_ADD -> (int) INT.getAndAdd(segment, 0L, operand);
            case ATOMIC_OR, FETCH_OR -> (int) INT.getAndBitwiseOr(segment, 0L, operand);
            case ATOMIC_AND, FETCH_AND -> (int) INT.getAndBitwiseAnd(segment, 0L, operand);
            case ATOMIC_XOR, FETCH_XOR -> (int) INT.getAndBitwiseXor(segment, 0L, operand);
            case EXCHANGE -> (int) INT.getAndSet(segment, 0L, operand);
            case COMPARE_EXCHANGE -> (int) INT.compareAndExchange(segment, 0L, expected, operand);
            default -> throw new IllegalStateException(operation.toString());
        };
    }

    private static long update64(MemorySegment segment, Operation operation, long operand, long expected) {
        return switch (operation) {
            case ATOMIC_ADD, FETCH_ADD -> (long) LONG.getAndAdd(segment, 0L, operand);
            case ATOMIC_OR, FETCH_OR -> (long) LONG.getAndBitwiseOr(segment, 0L, operand);
            case ATOMIC_AND, FETCH_AND -> (long) LONG.getAndBitwiseAnd(segment, 0L, operand);
            case ATOMIC_XOR, FETCH_XOR -> (long) LONG.getAndBitwiseXor(segment, 0L, operand);
            case EXCHANGE -> (long) LONG.getAndSet(segment, 0L, operand);
            case COMPARE_EXCHANGE -> (long) LONG.compareAndExchange(segment, 0L, expected, operand);
            default -> throw new IllegalStateException(operation.toString());
        };
    }
}
