// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * A method that compilers do not inline into its callers. For a part of a hot method that sleeps, or wakes a thread: it
 * runs often only as long as the program waits, but inlined it makes most of the caller's code, and the compiler takes
 * seconds for that when a program starts. A call costs some nanoseconds more than one that is inlined. Immutable.
 */
public final class OutOfLine {
    /** Not final, because compilers may take the value of a final field for a constant, whose target they inline. */
    @SuppressWarnings("FieldMayBeFinal")
    private MethodHandle handle;

    /**
     * Keeps a method out of line.
     *
     * @param handle the method
     */
    public OutOfLine(MethodHandle handle) {
        this.handle = handle;
    }

    /**
     * Finds a method.
     *
     * @param lookup of the class that has it
     * @param name of a method that is not static
     * @param result its type
     * @param parameters their types
     * @return the method
     */
    public static OutOfLine of(MethodHandles.Lookup lookup, String name, Class<?> result, Class<?>... parameters) {
        try {
            MethodType type = MethodType.methodType(result, parameters);
            return new OutOfLine(lookup.findVirtual(lookup.lookupClass(), name, type));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }

    /**
     * The method, for one call of {@code invokeExact}.
     *
     * @return its handle; a caller that keeps it in a final field gives compilers the constant back
     */
    public MethodHandle handle() {
        return handle;
    }

    /**
     * Throws what a call has thrown. The caller declares the checked exceptions of the method.
     *
     * @param <X> inferred; declared by no caller
     * @param thrown by the method
     * @return never
     * @throws X whatever it is
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public static <X extends Throwable> RuntimeException rethrow(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
