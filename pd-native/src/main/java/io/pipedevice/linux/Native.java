// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import io.pipedevice.jdk.OutOfLine;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * The only downcall handle; all libc functions are called through it. Each additional signature would cost every
 * starting JVM twenty milliseconds of processor time.
 *
 * <p>Six longs stand for the arguments, which are integers and pointers. Both calling conventions pass each in a 64-bit
 * register, and the callee reads only as many bits as its parameter has. The two segments that follow are excess
 * arguments, which the C function never sees: they are the memory that the pointers point to. Passing them makes the
 * linker check that they are alive, and keeps them alive until the call returns. The result is in one register as well,
 * and an int is its lower half.
 */
final class Native {
    private static final String ERRNO = "errno";
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    static final AddressLayout POINTER = ValueLayout.ADDRESS;
    static final StructLayout STATE_LAYOUT = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = errnoOffset();
    private static final Linker LINKER = Linker.nativeLinker();

    /**
     * Takes the function, the memory for errno, six arguments and the two segments. The linker makes a slice of the
     * memory for errno at each call. The compiler eliminates that allocation, because it compiles the call on its own.
     */
    static final OutOfLine CALL = new OutOfLine(call());

    private Native() {}

    /** On Linux errno is the only member. A lookup by layout path would cost every starting JVM milliseconds. */
    private static long errnoOffset() {
        MemoryLayout first = STATE_LAYOUT.memberLayouts().get(0);
        return first.name().equals(Optional.of(ERRNO))
                ? 0
                : STATE_LAYOUT.byteOffset(MemoryLayout.PathElement.groupElement(ERRNO));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle call() {
        return LINKER.downcallHandle(
                FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG, LONG, POINTER, POINTER),
                Linker.Option.captureCallState(ERRNO));
    }

    /** Looks a symbol up; throws a LinkageError if there is none. */
    static MemorySegment address(String symbol) {
        MemorySegment address = addressOrNull(symbol);
        if (address == null) {
            throw new UnsatisfiedLinkError("the C library has no function " + symbol);
        }
        return address;
    }

    /** Looks a symbol up that older libcs lack; {@code null} there. */
    static MemorySegment addressOrNull(String symbol) {
        Optional<MemorySegment> address = LINKER.defaultLookup().find(symbol);
        return address.isEmpty() ? null : address.get();
    }

    /** The errno that a call left. */
    static int errno(MemorySegment state) {
        return state.get(INT, ERRNO_OFFSET);
    }

    /** Converts what a handle throws. It is never a checked exception, because C functions throw none. */
    static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof RuntimeException exception) {
            return exception;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(thrown);
    }
}
