// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import java.util.concurrent.TimeUnit;

/**
 * A timeout for the answer of another process, which counts the time that this process has had to run: while more
 * threads want to run than there are processors, each of them runs for a part of the time, and only that part counts.
 * The clock bounds it, too, because the threads may be another user's. The caller waits in short steps, because the
 * threads are counted at the end of each:
 *
 * <pre>
 * do {
 *     if (isAnswered(timeout.untilNs())) ...
 * } while (timeout.goesOn());
 * </pre>
 *
 * <p>Used by one thread at a time.
 */
public final class FairTimeout {
    /**
     * The most times by which a timeout may be longer by the clock. A program that only connects would rather wait than
     * use the kernel for the life of the connection.
     */
    public static final int BUSY_TIMES = 4;

    /** The shortest step after the first one. */
    static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The longest step. One count says little about a longer time. */
    static final long LONGEST_STEP_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Processors processors;
    private final long begin;

    /** The end by the clock. */
    private final long end;

    /** The rest of the timeout at the beginning of the present step, in nanoseconds. */
    private long left;

    private long stepBegin;
    private long stepEnd;

    /**
     * Begins.
     *
     * @param begin when the other process was asked, by {@link System#nanoTime}
     * @param nanos the timeout if each thread has a processor, in nanoseconds
     * @param most the timeout by the clock, in nanoseconds; not less than the other one
     */
    public FairTimeout(long begin, long nanos, long most) {
        this(begin, nanos, most, Processors.OF_MACHINE);
    }

    /**
     * Begins a timeout that may be {@link #BUSY_TIMES} as long by the clock.
     *
     * @param begin when the other process was asked, by {@link System#nanoTime}
     * @param nanos the timeout if each thread has a processor, in nanoseconds
     */
    public FairTimeout(long begin, long nanos) {
        this(begin, nanos, nanos * BUSY_TIMES);
    }

    FairTimeout(long begin, long nanos, long most, Processors processors) {
        this.processors = processors;
        this.begin = begin;
        end = begin + most;
        left = nanos;
        stepBegin = begin;
        stepEnd = begin + Math.min(nanos, LONGEST_STEP_NS);
    }

    /**
     * The end of the present step.
     *
     * @return by {@link System#nanoTime}
     */
    public long untilNs() {
        return stepEnd;
    }

    /**
     * The time by the clock since the beginning.
     *
     * @return in nanoseconds
     */
    public long elapsedNs() {
        return System.nanoTime() - begin;
    }

    /**
     * For a caller that looks again and again: ends the present step if its time has come.
     *
     * @return whether the timeout is over
     */
    public boolean isOver() {
        return isOver(System.nanoTime());
    }

    /**
     * Whether the timeout is over, for a caller that has just read the clock.
     *
     * @param now by {@link System#nanoTime}
     * @return whether the timeout is over
     */
    public boolean isOver(long now) {
        return now - stepEnd >= 0 && !goesOn(now);
    }

    /**
     * Ends a step, in which no answer has come, and begins the next one.
     *
     * @return false if the timeout is over
     */
    public boolean goesOn() {
        return goesOn(System.nanoTime());
    }

    boolean goesOn(long now) {
        if (now - end >= 0) {
            return false;
        }
        left -= processors.partOf(now - stepBegin);
        if (left <= 0) {
            return false;
        }
        stepBegin = now;
        stepEnd = now + Math.min(end - now, Math.clamp(left, STEP_NS, LONGEST_STEP_NS));
        return true;
    }
}
