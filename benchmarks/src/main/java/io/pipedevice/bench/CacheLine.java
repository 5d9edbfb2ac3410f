// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time that a cache line takes from one processor to another and back. Communication between processes cannot be
 * faster. The time changes, because a host moves the virtual processors of its guests between threads of one core (some
 * 30 ns), cores with a common cache (some 70 ns) and cores without one (some 400 ns).
 */
public final class CacheLine {
    private static final int CHUNKS = 10;
    private static final long CHUNK_NS = TimeUnit.MICROSECONDS.toNanos(300);
    private static final int TRIPS_PER_LOOK = 16;
    private static final long END = -1;

    private CacheLine() {}

    /**
     * Measures for some milliseconds, on two processors of the scheduler's choice.
     *
     * @return nanoseconds of a round trip, in the best of some chunks of time; NaN if there is only one processor
     * @throws InterruptedException if the thread is interrupted
     */
    public static double roundTripNanos() throws InterruptedException {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            return Double.NaN;
        }
        AtomicLong line = new AtomicLong();
        Thread other = Thread.ofPlatform().daemon().start(() -> answer(line));
        double best = Double.POSITIVE_INFINITY;
        for (int i = 0; i < CHUNKS; i++) {
            best = Math.min(best, chunk(line));
        }
        line.set(END);
        other.join();
        return best;
    }

    /** Odd numbers are requests, even ones are replies. */
    private static double chunk(AtomicLong line) {
        long begin = System.nanoTime();
        long trips = 0;
        long now;
        do {
            for (int i = 0; i < TRIPS_PER_LOOK; i++) {
                long asked = line.get() + 1;
                line.set(asked);
                while (line.get() == asked) {
                    Thread.onSpinWait();
                }
            }
            trips += TRIPS_PER_LOOK;
            now = System.nanoTime();
        } while (now - begin < CHUNK_NS);
        return (double) (now - begin) / trips;
    }

    private static void answer(AtomicLong line) {
        while (true) {
            long seen = line.get();
            if (seen == END) {
                return;
            }
            if ((seen & 1) != 0) {
                line.set(seen + 1);
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
