// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

/**
 * Tells the scheduler of virtual threads that one of them is about to block its carrier, so that it may
 * start another carrier meanwhile, as the JDK's own blocking calls do. Needed before 24, where a virtual thread that holds a monitor
 * keeps its carrier. Without access to that part of the JDK, other virtual threads may have to wait.
 */
final class Compensation {
    private static final String BLOCKER = "jdk.internal.misc.Blocker";

    /** Returns what {@link #END} takes; null if there is no such method. The JDK's type is {@code long} or boolean. */
    private static final MethodHandle BEGIN = find("begin", MethodType.methodType(long.class));

    private static final MethodHandle END = find("end", MethodType.methodType(void.class, long.class));

    private Compensation() {}

    private static MethodHandle find(String name, MethodType type) {
        try {
            for (Method each : Class.forName(BLOCKER).getMethods()) {
                if (each.getName().equals(name) && each.getParameterCount() == type.parameterCount()) {
                    return MethodHandles.explicitCastArguments(
                            MethodHandles.lookup().unreflect(each), type);
                }
            }
            return null;
        } catch (ReflectiveOperationException | LinkageError e) {
            return null;
        }
    }

    /**
     * The calling thread is about to block.
     *
     * @return for {@link #end}
     */
    static long begin() {
        try {
            return BEGIN == null || END == null ? 0 : (long) BEGIN.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * The calling thread no longer blocks.
     *
     * @param begun what {@link #begin} has returned to it
     */
    static void end(long begun) {
        try {
            if (BEGIN != null && END != null) {
                END.invokeExact(begun);
            }
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** These methods declare no exceptions. */
    private static Error unexpected(Throwable e) {
        if (e instanceof RuntimeException known) {
            throw known;
        }
        return e instanceof Error error ? error : new AssertionError(e);
    }
}
