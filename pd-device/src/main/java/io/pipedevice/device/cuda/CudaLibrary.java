// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import io.pipedevice.jdk.Foreign;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * NVIDIA's library of the CUDA driver API, which comes with the GPU's kernel driver. Thread safe; stays loaded.
 *
 * <p>All functions return an int and are called through one downcall handle with eleven longs. A function takes as many
 * of them as it has parameters, which are integers and pointers: both calling conventions pass each in a register, or
 * in eight bytes of the stack, of which the callee reads as many bits as its parameter has.
 */
final class CudaLibrary {
    /** Name of the library, for the dynamic linker. */
    static final String DEFAULT_NAME = "libcuda.so.1";

    static final int SUCCESS = 0;
    static final int NOT_READY = 600;

    private static final int MAX_ARGUMENTS = 11;
    private static final int MAX_TEXT = 4096;
    private static final MethodHandle CALL = call();

    private final Map<CudaFunction, MemorySegment> functions = new EnumMap<>(CudaFunction.class);
    private final String name;

    /**
     * Loads the library.
     *
     * @param name a file, or a name that the dynamic linker knows
     * @throws IOException if there is none, or it is too old
     */
    @SuppressWarnings("restricted")
    CudaLibrary(String name) throws IOException {
        this.name = name;
        SymbolLookup symbols;
        try {
            symbols = SymbolLookup.libraryLookup(name, Arena.global());
        } catch (IllegalArgumentException e) {
            throw new IOException(CudaObstacle.noLibrary(name), e);
        }
        for (CudaFunction function : CudaFunction.values()) {
            symbols.find(function.symbol()).ifPresent(address -> functions.put(function, address));
            if (!has(function) && !function.isOptional()) {
                throw new IOException(CudaObstacle.tooOld(name, function.symbol()));
            }
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle call() {
        ValueLayout[] parameters = new ValueLayout[MAX_ARGUMENTS];
        Arrays.fill(parameters, ValueLayout.JAVA_LONG);
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
    }

    /** Whether the library has a function. */
    boolean has(CudaFunction function) {
        return functions.containsKey(function);
    }

    /** Calls a function, with what remains of its arguments 0; returns its {@code CUresult}. Allocates nothing. */
    int call(
            CudaFunction function,
            long a,
            long b,
            long c,
            long d,
            long e,
            long f,
            long g,
            long h,
            long i,
            long j,
            long k) {
        try {
            return (int) CALL.invokeExact(functions.get(function), a, b, c, d, e, f, g, h, i, j, k);
        } catch (RuntimeException | Error unexpected) {
            throw unexpected;
        } catch (Throwable unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    /** Calls a function of at most four parameters. Allocates nothing. */
    int call(CudaFunction function, long a, long b, long c, long d) {
        return call(function, a, b, c, d, 0, 0, 0, 0, 0, 0, 0);
    }

    /** Calls a function of at most four parameters that must succeed. */
    void run(CudaFunction function, long a, long b, long c, long d) throws CudaException {
        check(function, call(function, a, b, c, d));
    }

    /** Calls a function whose first parameter points to its result of eight bytes, at most; returns the result. */
    long get(CudaFunction function, long b, long c, long d) throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            run(function, result.address(), b, c, d);
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** Throws if a result is an error. */
    void check(CudaFunction function, int result) throws CudaException {
        if (result != SUCCESS) {
            throw new CudaException(function.symbol(), result, describe(result));
        }
    }

    private String describe(int result) {
        String constant = text(CudaFunction.GET_ERROR_NAME, result);
        String sentence = text(CudaFunction.GET_ERROR_STRING, result);
        return (constant == null ? "error " : constant + " ") + result + (sentence == null ? "" : ", " + sentence);
    }

    @SuppressWarnings("restricted")
    private String text(CudaFunction function, int result) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointer = arena.allocate(ValueLayout.ADDRESS);
            if (call(function, result, pointer.address(), 0, 0) != SUCCESS) {
                return null;
            }
            MemorySegment text = pointer.get(ValueLayout.ADDRESS, 0);
            return text.equals(MemorySegment.NULL) ? null : Foreign.string(text.reinterpret(MAX_TEXT));
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
