// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdException;
import java.util.ArrayDeque;

/**
 * The bells of this process's sleepers, except the dispatcher's. They are kept because peers know them: a bell that is
 * lent again need not be announced again, and a link has few numbers for bells. Thread safe.
 */
final class BellPool {
    /** A thread gets a new bell only while there are fewer bells than this; further threads do without. */
    private static final int MOST_FOR_THREADS = 512;

    private static final ArrayDeque<Bell> IDLE = new ArrayDeque<>();
    private static final ArrayDeque<Bell> IDLE_OF_POLLERS = new ArrayDeque<>();

    /** The number of bells. Guarded by the monitor of IDLE, like all idle bells. */
    private static int count;

    private BellPool() {}

    /** Lends a bell to a poller. It may have been rung for its previous owner. */
    static Bell take() throws PdException {
        return take(true, Integer.MAX_VALUE);
    }

    /** Lends a bell to the calling thread; null if none is available. */
    static Bell takeForThread() {
        try {
            return take(false, MOST_FOR_THREADS);
        } catch (PdException e) {
            // Descriptors are exhausted.
            return null;
        }
    }

    private static Bell take(boolean forPoller, int most) throws PdException {
        synchronized (IDLE) {
            Bell bell = idle(forPoller).pollLast();
            if (bell != null || count >= most) {
                return bell;
            }
            count++;
        }
        boolean done = false;
        try {
            Bell bell = forPoller ? Bell.openForPollers() : Bell.open();
            done = true;
            return bell;
        } finally {
            if (!done) {
                lost();
            }
        }
    }

    private static ArrayDeque<Bell> idle(boolean ofPollers) {
        return ofPollers ? IDLE_OF_POLLERS : IDLE;
    }

    private static void lost() {
        synchronized (IDLE) {
            count--;
        }
    }

    /** Takes back a bell with which no source is armed any more. */
    static void give(Bell bell) {
        synchronized (IDLE) {
            idle(bell.isPollers()).addLast(bell);
        }
    }

    /** The number of idle bells. */
    static int idle() {
        synchronized (IDLE) {
            return IDLE.size() + IDLE_OF_POLLERS.size();
        }
    }

    /** Closes a bell that a peer has shut down. */
    static void discard(Bell bell) {
        bell.close();
        lost();
    }
}
