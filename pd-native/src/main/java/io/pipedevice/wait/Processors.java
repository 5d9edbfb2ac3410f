// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.linux.RunQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;

/**
 * Whether other threads of the machine wait for a processor, so that a thread that spins keeps one of them from
 * running: perhaps the very peer that it waits for, or a compiler of its JVM. The kernel's count is read at most once
 * in a while, for all threads of the process. Thread safe.
 */
public final class Processors {
    /** How long a count is used. A process whose threads spin all the time so spends a 300th of one on it. */
    static final long FRESH_NS = TimeUnit.MICROSECONDS.toNanos(500);

    /**
     * How long the processors count as wanted after the last count that was too high. On a machine with many threads
     * that wake each other, every other count is low by chance.
     */
    static final long WANTED_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The processors of this machine. */
    public static final Processors OF_MACHINE = ofMachine();

    private final IntSupplier threads;
    private final int count;
    private final AtomicBoolean reading = new AtomicBoolean();

    /**
     * When the count was too high the last time. This field and the next are written by the thread that has set
     * reading.
     */
    private volatile long wantedNs = System.nanoTime() - WANTED_NS;

    private volatile long readNs = System.nanoTime() - FRESH_NS;

    /** The last count of threads. */
    private volatile int last;

    /**
     * @param threads the number of threads that run or wait for a processor; called by one thread at a time
     * @param count the number of processors
     */
    Processors(IntSupplier threads, int count) {
        this.threads = threads;
        this.count = count;
    }

    private static Processors ofMachine() {
        RunQueue queue = RunQueue.open();
        return queue == null ? new Processors(() -> 0, 1) : new Processors(queue::threads, queue.processors());
    }

    /**
     * Whether, a short time ago, more threads ran or wanted to run than there are processors.
     *
     * @param now in nanoseconds, by System.nanoTime()
     * @return false also if that is unknown
     */
    public boolean areWanted(long now) {
        if (now - readNs >= FRESH_NS && reading.compareAndSet(false, true)) {
            try {
                readNs = now;
                last = threads.getAsInt();
                if (last > count) {
                    wantedNs = now;
                }
            } finally {
                reading.set(false);
            }
        }
        return now - wantedNs < WANTED_NS;
    }

    /**
     * The part of a time for which a thread that wants to run all the time does so, judged by the threads that run or
     * want to at its end. The calling thread, which has waited, is not one of them.
     *
     * @param nanos a time that has just ended, in nanoseconds
     * @return the part; all of it if that is unknown
     */
    long partOf(long nanos) {
        areWanted(System.nanoTime());
        int others = last - 1;
        return others <= count ? nanos : nanos * count / others;
    }
}
