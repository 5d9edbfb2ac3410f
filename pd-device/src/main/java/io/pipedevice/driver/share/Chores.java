// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.share;

import io.pipedevice.linux.LimitedLog;
import io.pipedevice.linux.ThreadConfinement;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Work whose size one process decides, such as closing all its sockets. It is done in steps, some in each duty cycle,
 * so that no other process waits for all of it. Chores take turns. Belongs to the driver's thread.
 */
public final class Chores {
    private static final LimitedLog FAILED = LimitedLog.error(Chores.class, "error in a chore");

    /** Limit of the time for chores in a duty cycle; the last step may exceed it. */
    private static final long TURN_NS = TimeUnit.MICROSECONDS.toNanos(200);

    /**
     * The longest time, in nanoseconds, that data get after a turn of other work that took as long by the clock. A
     * longer turn was interrupted by other programs.
     */
    public static final long LONGEST_REST_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A piece of work that is done in steps. */
    @FunctionalInterface
    public interface Chore {
        /**
         * Does a step, which takes microseconds.
         *
         * @param nowNs the time
         * @return false if that was the last one
         */
        boolean step(long nowNs);
    }

    private final ArrayDeque<Chore> waiting = new ArrayDeque<>();
    private final ThreadConfinement confinement = new ThreadConfinement();
    private long endedNs;
    private long tookNs;

    /** Creates a list without work. */
    public Chores() {}

    /**
     * Adds work. Its first step runs after this returns.
     *
     * @param chore the work
     */
    public void add(Chore chore) {
        assert confinement.isHeldByCurrentThread();
        waiting.add(chore);
    }

    /**
     * Does steps for a while. If there are data to move, chores get at most half of the time.
     *
     * @param nowNs the time
     * @param busy whether there are data to move
     * @return how many steps were done
     */
    public int run(long nowNs, boolean busy) {
        if (waiting.isEmpty() || (busy && nowNs - endedNs < tookNs)) {
            return 0;
        }
        int steps = 0;
        long start = System.nanoTime();
        do {
            step(nowNs);
            steps++;
            endedNs = System.nanoTime();
        } while (!waiting.isEmpty() && endedNs - start < TURN_NS);
        tookNs = Math.min(endedNs - start, LONGEST_REST_NS);
        return steps;
    }

    private void step(long nowNs) {
        assert confinement.isHeldByCurrentThread();
        Chore chore = waiting.poll();
        try {
            if (chore.step(nowNs)) {
                waiting.add(chore);
            }
        } catch (RuntimeException | Error e) {
            // A defect of the driver, or a lack of memory: this work ends, and that of others continues.
            FAILED.log(e);
        }
    }

    /**
     * Whether a step is left to do.
     *
     * @return whether {@link #run} has work
     */
    public boolean hasWork() {
        return !waiting.isEmpty();
    }

    /**
     * Does all remaining steps, because the driver ends.
     *
     * @param nowNs the time
     */
    public void finish(long nowNs) {
        while (!waiting.isEmpty()) {
            step(nowNs);
        }
    }
}
