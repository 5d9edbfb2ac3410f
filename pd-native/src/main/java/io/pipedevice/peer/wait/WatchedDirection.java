// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import java.util.Arrays;

/**
 * The watchers that have armed one direction of a source. Changed under the monitor of its {@link Watchers}. A wake-up
 * takes no monitor, and wakes every watcher that was added before.
 */
@SuppressWarnings("ReferenceEquality")
final class WatchedDirection {
    private static final Watcher[] NONE = {};

    /** A single watcher, the usual case, needs no array. */
    private volatile Watcher first;

    /** Replaced, never changed in place. */
    private volatile Watcher[] others = NONE;

    private long generation;

    /** Adds a watcher, unless it was added before. */
    void add(Watcher watcher) {
        if (first == watcher || indexOf(watcher) >= 0) {
            return;
        }
        if (first == null) {
            first = watcher;
        } else {
            Watcher[] more = Arrays.copyOf(others, others.length + 1);
            more[others.length] = watcher;
            others = more;
        }
    }

    /** Removes a watcher. False if it was not here. */
    boolean remove(Watcher watcher) {
        if (first == watcher) {
            first = null;
            return true;
        }
        int index = indexOf(watcher);
        if (index < 0) {
            return false;
        }
        Watcher[] before = others;
        Watcher[] fewer = Arrays.copyOf(before, before.length - 1);
        System.arraycopy(before, index + 1, fewer, index, fewer.length - index);
        others = fewer;
        return true;
    }

    private int indexOf(Watcher watcher) {
        Watcher[] all = others;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == watcher) {
                return i;
            }
        }
        return -1;
    }

    boolean isEmpty() {
        return first == null && others.length == 0;
    }

    boolean isAlone() {
        return (first == null ? 0 : 1) + others.length == 1;
    }

    /** A generation that differs from the last one. */
    long nextGeneration() {
        return ++generation;
    }

    void wake() {
        Watcher one = first;
        if (one != null) {
            one.wake();
        }
        for (Watcher each : others) {
            each.wake();
        }
    }
}
