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
 * Binds libc symbols.
 *
 * <p>Every handle takes the caller's {@link Scratch#state()} first, where errno is left, and the classes named
 * {@code ...Calls} turn the pair (-1, errno) into the kernel's own convention: a negative errno.
 */
final class Native {
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    static final AddressLayout POINTER = ValueLayout.ADDRESS;
    static final StructLayout STATE_LAYOUT = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = STATE_LAYOUT.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option CAPTURE_ERRNO = Linker.Option.captureCallState("errno");

    private Native() {}

    /** Binds a symbol that every libc of interest has. */
    static MethodHandle bind(String symbol, MemoryLayout result, MemoryLayout... arguments) {
        return bind(address(symbol), FunctionDescriptor.of(result, arguments), CAPTURE_ERRNO);
    }

    /** Binds a symbol whose arguments from the given position on are variadic in C. */
    static MethodHandle bindVariadic(String symbol, int firstVariadic, MemoryLayout result, MemoryLayout... arguments) {
        FunctionDescriptor function = FunctionDescriptor.of(result, arguments);
        return bind(address(symbol), function, CAPTURE_ERRNO, Linker.Option.firstVariadicArg(firstVariadic));
    }

    /** Binds a symbol that older libcs lack; {@code null} there. */
    static MethodHandle bindOptional(String symbol, MemoryLayout result, MemoryLayout... arguments) {
        Optional<MemorySegment> address = LINKER.defaultLookup().find(symbol);
        if (address.isEmpty()) {
            return null;
        }
        return bind(address.get(), FunctionDescriptor.of(result, arguments), CAPTURE_ERRNO);
    }

    /** Looks a symbol up; a LinkageError when there is none. */
    static MemorySegment address(String symbol) {
        return LINKER.defaultLookup()
                .find(symbol)
                .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + symbol));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle bind(MemorySegment address, FunctionDescriptor function, Linker.Option... options) {
        return LINKER.downcallHandle(address, function, options);
    }

    /** The result if it is not negative, or the negative errno that the call left in {@code state}. */
    static int result(int returned, MemorySegment state) {
        return returned >= 0 ? returned : -state.get(INT, ERRNO_OFFSET);
    }

    /** The result if it is not negative, or the negative errno that the call left in {@code state}. */
    static long result(long returned, MemorySegment state) {
        return returned >= 0 ? returned : -state.get(INT, ERRNO_OFFSET);
    }

    /** What a handle throws: never a checked exception, because C functions throw none. */
    static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof RuntimeException) {
            return (RuntimeException) thrown;
        }
        if (thrown instanceof Error) {
            throw (Error) thrown;
        }
        return new IllegalStateException(thrown);
    }
}
