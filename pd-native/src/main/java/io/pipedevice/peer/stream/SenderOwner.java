// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock that decides which thread owns a sender while its ring is wide: the writing thread during a write, or the
 * sweeper's. Neither holds it for long.
 */
final class SenderOwner {
    private static final VarHandle OWNED;

    static {
        try {
            OWNED = MethodHandles.lookup().findVarHandle(SenderOwner.class, "owned", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // read by OWNED
    private volatile boolean owned;

    /** Whether the writing thread is the owner. Used by the writing thread only. */
    private boolean mine;

    /** Makes the calling thread, the writing one, the owner, unless it already is. */
    @SuppressWarnings("ThreadPriorityCheck")
    void own() {
        while (!mine && !OWNED.compareAndSet(this, false, true)) {
            Thread.yield();
        }
        mine = true;
    }

    /** Ends the ownership of the writing thread, if it is the owner. */
    void disown() {
        if (mine) {
            mine = false;
            owned = false;
        }
    }

    /** Makes the sweeper's thread the owner. False if the writing thread is. */
    boolean tryOwn() {
        return OWNED.compareAndSet(this, false, true);
    }

    /** Ends the ownership of the sweeper's thread. */
    void leave() {
        owned = false;
    }
}
