// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.driver.share.Share;
import java.util.concurrent.TimeUnit;

/**
 * A round of turns, in which each process may use its credit once ({@link Share}). It is over when no process has
 * both credit and work left over from the duty cycle: data or requests that had to wait, for the device or for the next
 * cycle. So a process that always has work gets its share, whatever the others send; and no process waits for one
 * that has no more work for the moment.
 *
 * <p>A process that has had to wait for the device for longer than {@link #PATIENCE_NS} holds no round up: its lane
 * may be that of a device that stands still. Belongs to the driver's thread.
 */
final class Round {
    private static final long PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private boolean unfinished;
    private boolean owed;

    /** Begins a duty cycle; returns whether a new round begins with it. */
    boolean begin() {
        boolean over = !unfinished;
        unfinished = false;
        owed = false;
        return over;
    }

    /** Records that a process did not get to all its requests. */
    void requestsLeft(AttachedProcess process) {
        unfinished |= process.share.hasCredit();
    }

    /**
     * Records that a process has data left.
     *
     * @param process in the scheduler's round
     * @param submitted whether it submitted anything in this cycle
     * @param nowNs the time
     */
    void dataLeft(AttachedProcess process, boolean submitted, long nowNs) {
        if (submitted || !process.waiting) {
            process.waitsSinceNs = nowNs;
        }
        process.waiting = process.share.hasCredit();
        owed |= !process.waiting;
        unfinished |= process.waiting && nowNs - process.waitsSinceNs <= PATIENCE_NS;
    }

    /** Records that all lanes were full before every process had its turn. */
    void interrupted() {
        unfinished = true;
    }

    /** Whether a process has data and no credit, and gets credit in the next cycle. */
    boolean isDue() {
        return owed && !unfinished;
    }
}
