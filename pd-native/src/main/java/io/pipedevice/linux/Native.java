// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

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
 * The one downcall through which all libc functions are called: each shape of its own would cost every JVM that starts
 * twenty milliseconds of processor time.
 *
 * <p>Six longs take the place of the arguments, which are integers and pointers: both calling conventions pass each in a
 * register of 64 bits, and a callee looks at no more of it than its parameter has. The two segments that follow are
 * arguments too many, which a C function never sees: they are what the pointers point to, and passing them makes the linker
 * check that they are alive, and keep them so until the call returns. The result is in one register as well, of which an
 * int is the lower half.
 */
final class Native {
    private static final String ERRNO = "errno";
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    static final AddressLayout POINTER = ValueLayout.ADDRESS;
    static final StructLayout STATE_LAYOUT = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = errnoOffset();
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle CALL = call();

    private Native() {}

    /** On Linux there is nothing else: to look for it by a path of layouts takes each JVM that starts milliseconds. */
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

    /** Looks a symbol up; a LinkageError when there is none. */
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

    /** Calls a function; errno is left in {@code state}. */
    static long call(
            MemorySegment function,
            MemorySegment state,
            long a,
            long b,
            long c,
            long d,
            long e,
            long f,
            MemorySegment kept,
            MemorySegment keptToo) {
        try {
            return (long) CALL.invokeExact(function, state, a, b, c, d, e, f, kept, keptToo);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** The errno that a call left. */
    static int errno(MemorySegment state) {
        return state.get(INT, ERRNO_OFFSET);
    }

    /** What a handle throws: never a checked exception, because C functions throw none. */
    private static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof RuntimeException exception) {
            return exception;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(thrown);
    }
}
