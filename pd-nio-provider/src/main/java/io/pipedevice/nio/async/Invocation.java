// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.lang.ref.WeakReference;

/**
 * A thread of a group, as completion handlers see it: an operation that such a thread begins, and that completes at
 * once, calls its handler in the same thread, unless too many handlers are nested already. As with the JDK, a thread of
 * an executor that has run a handler stays one of the group's, whatever it runs next. Belongs to its thread.
 */
final class Invocation {
    /** The most handlers of one thread inside each other. */
    private static final int MOST = 16;

    private static final ThreadLocal<Invocation> CURRENT = new ThreadLocal<>();

    /** Of the group, which a thread of the program's must not keep in memory. */
    private final WeakReference<Polling> polling;

    private int depth;

    private Invocation(Polling polling) {
        this.polling = new WeakReference<>(polling);
    }

    /** Makes the current thread one of a group's, and of no other group's. */
    static void enter(Polling polling) {
        if (!isOf(polling)) {
            CURRENT.set(new Invocation(polling));
        }
    }

    /** Whether the current thread is one of a group's. */
    static boolean isOf(Polling polling) {
        Invocation here = CURRENT.get();
        return here != null && here.polling.refersTo(polling);
    }

    /** Calls a handler in the current thread; false if that thread must not. */
    static boolean call(Polling polling, Runnable handler) {
        Invocation here = CURRENT.get();
        if (!isOf(polling) || here.depth >= MOST) {
            return false;
        }
        here.depth++;
        try {
            handler.run();
        } finally {
            here.depth--;
        }
        return true;
    }
}
