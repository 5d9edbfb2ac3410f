// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.operation.CallFlags;

/** A call that was posted and has not ended; used again for later ones. Used by one thread at a time. */
final class OutstandingCall {
    long id;
    CalledFunction called;

    /** Of its message. */
    long offset;

    long postedNs;

    /** The bits of its time limit; 0 if it has none. */
    long limit;

    /** Whether the place was chosen here. */
    boolean steered;

    /** Where it began; null if it has ended. */
    Place place;

    /**
     * How long it has waited, as far as its place is judged by it: one that had no time to begin, waited for too long.
     */
    long waitedNs(CallCompletion end) {
        boolean unbegun = end.status == Status.TIME && end.delayNs >= CallFlags.limitNs(limit);
        return unbegun ? Math.max(end.delayNs, 2 * Steering.VERY_SLOW_NS) : end.delayNs;
    }

    /** Whether it has not ended in its time. */
    boolean isOver() {
        // A call without a limit needs no clock.
        return limit != 0 && CallFlags.isOver(limit, postedNs, System.nanoTime());
    }
}
