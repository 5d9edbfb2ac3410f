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

    private final ChannelGroup group;
    private int depth;

    private Invocation(ChannelGroup group) {
        this.group = group;
    }

    /** Makes the current thread one of the group's. */
    static void enter(ChannelGroup group) {
        CURRENT.set(new Invocation(group));
    }

    /** Ends what {@link #enter} began. */
    static void leave() {
        CURRENT.remove();
    }

    /** Calls a handler in the current thread; false if that thread must not. */
    static boolean call(ChannelGroup group, Runnable handler) {
        Invocation here = CURRENT.get();
        if (here == null || here.group != group || here.depth >= MOST) {
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
