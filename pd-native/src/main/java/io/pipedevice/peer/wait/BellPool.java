// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdException;
import java.util.ArrayDeque;

/**
 * The bells of this process's sleepers, except the dispatcher's. They are kept, because peers know them: one that is lent
 * again needs not be made known again, and the numbers by which a link knows bells are few. Thread safe.
 */
final class BellPool {
    /** So many threads can have one; the others do without. */
    private static final int MOST_FOR_THREADS = 512;

    private static final ArrayDeque<Bell> IDLE = new ArrayDeque<>();
    private static final ArrayDeque<Bell> IDLE_OF_POLLERS = new ArrayDeque<>();

    /** How many there are. Under the monitor of IDLE, as all idle bells. */
    private static int count;

    private BellPool() {}

    /** Lends a bell to an epoll instance. It may have been rung for its previous owner. */
    static Bell take() throws PdException {
        return take(true, Integer.MAX_VALUE);
    }

    /** Lends a bell to the calling thread; null if it has to do without. */
    static Bell takeForThread() {
        try {
            return take(false, MOST_FOR_THREADS);
        } catch (PdException e) {
            // No descriptors.
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

    /** Takes a bell back, for which nobody is armed any more. */
    static void give(Bell bell) {
        synchronized (IDLE) {
            idle(bell.isPollers()).addLast(bell);
        }
    }

    /** How many bells are kept for others. */
    static int idle() {
        synchronized (IDLE) {
            return IDLE.size() + IDLE_OF_POLLERS.size();
        }
    }

    /** Closes a bell that somebody has ended. */
    static void discard(Bell bell) {
        bell.close();
        lost();
    }
}
