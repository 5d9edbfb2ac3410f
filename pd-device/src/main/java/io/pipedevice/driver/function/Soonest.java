// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

/**
 * The soonest of some points in time. They are values of {@link System#nanoTime}, which may overflow. Belongs to the
 * driver's thread.
 */
final class Soonest {
    private boolean any;

    /** Undefined while {@link #any} is false. */
    private long ns;

    void clear() {
        any = false;
    }

    void add(long timeNs) {
        ns = any && ns - timeNs < 0 ? ns : timeNs;
        any = true;
    }

    /** Whether one of them has passed. */
    boolean isOver(long nowNs) {
        return any && nowNs - ns > 0;
    }

    /** The time until {@link #isOver}, at least 1 ns; {@link Long#MAX_VALUE} if nothing was added. */
    long leftNs(long nowNs) {
        return any ? Math.max(1, ns - nowNs + 1) : Long.MAX_VALUE;
    }
}
