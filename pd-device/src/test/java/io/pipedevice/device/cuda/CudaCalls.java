// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Calls functions of a library by their names; the types of the arguments are those of the C function. Thread safe. */
final class CudaCalls {
    private final SymbolLookup library;
    private final Map<FunctionDescriptor, MethodHandle> handles = new ConcurrentHashMap<>();

    CudaCalls(SymbolLookup library) {
        this.library = library;
    }

    /** Calls a function that returns nothing. */
    void run(String function, Object... arguments) {
        call(FunctionDescriptor.ofVoid(layouts(arguments)), function, arguments);
    }

    /** Calls a function that returns an int, such as each of the driver API. */
    int getInt(String function, Object... arguments) {
        return (int) call(FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts(arguments)), function, arguments);
    }

    /** Calls a function that returns a long. */
    long getLong(String function, Object... arguments) {
        return (long) call(FunctionDescriptor.of(ValueLayout.JAVA_LONG, layouts(arguments)), function, arguments);
    }

    private static MemoryLayout[] layouts(Object[] arguments) {
        MemoryLayout[] layouts = new MemoryLayout[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            layouts[i] = layout(arguments[i]);
        }
        return layouts;
    }

    private static MemoryLayout layout(Object argument) {
        if (argument instanceof MemorySegment) {
            return ValueLayout.ADDRESS;
        }
        return argument instanceof Long ? ValueLayout.JAVA_LONG : ValueLayout.JAVA_INT;
    }

    @SuppressWarnings("restricted")
    private Object call(FunctionDescriptor descriptor, String function, Object[] arguments) {
        MethodHandle handle = handles.computeIfAbsent(
                descriptor, shape -> Linker.nativeLinker().downcallHandle(shape));
        Object[] all = new Object[arguments.length + 1];
        all[0] = library.find(function).orElseThrow();
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        try {
            return handle.invokeWithArguments(all);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
