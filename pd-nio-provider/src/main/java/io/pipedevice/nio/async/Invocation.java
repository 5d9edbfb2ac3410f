// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

/**
 * A thread of a group, as completion handlers see it: an operation that such a thread begins, and that completes at
 * once, calls its handler in the same thread, unless too many handlers are nested already. Belongs to its thread.
 */
final class Invocation {
    /** The most handlers of one thread inside each other. */
    private static final int MOST = 16;

    private static final ThreadLocal<Invocation> CURRENT = new ThreadLocal<>();

    /** Of the group. */
    private final Polling polling;

    private int depth;

    private Invocation(Polling polling) {
        this.polling = polling;
    }

    /** Makes the current thread one of a group's. */
    static void enter(Polling polling) {
        CURRENT.set(new Invocation(polling));
    }

    /** Ends what {@link #enter} began. */
    static void leave() {
        CURRENT.remove();
    }

    /** Whether the current thread is one of a group's. */
    static boolean isOf(Polling polling) {
        Invocation here = CURRENT.get();
        return here != null && here.polling == polling;
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
