// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import java.util.concurrent.TimeUnit;

/**
 * Decides when a turn of messages is over: what was sent before it began is handled. A driver that always has messages
 * to handle takes a turn for complete when all processes have had their rounds. Belongs to the driver's thread.
 */
final class TurnEnds {
    /** A busy driver ends no turn before that. */
    static final long SHORTEST_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Connections out of the host wait for a turn or two. Processes that send all the time prolong it until then. */
    static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(250);

    /** A driver that stood still for a while has handled nothing meanwhile. */
    static final int SOME_POLLS = 64;

    /** One round may have served a process before the turn began. */
    private static final int ROUNDS = 2;

    private long endNs;
    private long roundsAtEnd;
    private int polls;

    /**
     * Begins the first turn.
     *
     * @param now in nanoseconds
     */
    TurnEnds(long now) {
        endNs = now;
    }

    /**
     * Whether the turn ends. Called after each poll.
     *
     * @param now in nanoseconds
     * @param complete whether every message that was sent before is handled
     * @param rounds the number of rounds of all control connections that are over
     */
    boolean endsNow(long now, boolean complete, long rounds) {
        polls++;
        long sinceNs = now - endNs;
        boolean ends = complete
                || (rounds - roundsAtEnd >= ROUNDS && sinceNs > SHORTEST_NS)
                || (polls >= SOME_POLLS && sinceNs > LONGEST_NS);
        if (ends) {
            endNs = now;
            roundsAtEnd = rounds;
            polls = 0;
        }
        return ends;
    }
}
