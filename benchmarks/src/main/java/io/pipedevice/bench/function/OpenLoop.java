// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that begins calls at times which do not depend on the answers: at random, with a rate (Poisson). The time of
 * a call counts from when it should have begun, also where the client is late because all slots are under way. Used by
 * one thread.
 */
final class OpenLoop {
    /** Receives the end of each call. */
    @FunctionalInterface
    interface Recorder {
        /**
         * A call has ended.
         *
         * @param intended when it should have begun, of {@link System#nanoTime}
         * @param ended when it ended, or the client gave up
         * @param place where it has run; null if it was never begun
         */
        void ended(long intended, long ended, FunctionPlace place);
    }

    private static final long WAIT_NS = 1_000_000_000L;

    /** A client that sleeps between its calls looks so often for the ends of those under way. */
    private static final long LOOK_NS = 20_000;

    private final Port port;
    private final Workload workload;
    private final boolean sleeps;
    private final SplittableRandom random = new SplittableRandom(1);
    private final long[] intended;
    private final int[] free;
    private int freeCount;

    /** A client that sleeps between its calls, or one that looks for their ends all the time. */
    OpenLoop(Port port, Workload workload, boolean sleeps) {
        this.port = port;
        this.workload = workload;
        this.sleeps = sleeps;
        this.intended = new long[port.slots()];
        this.free = new int[port.slots()];
        for (int slot = 0; slot < free.length; slot++) {
            free[freeCount++] = slot;
        }
    }

    /**
     * Calls for a while.
     *
     * @param rate calls per second
     * @return the calls that should have begun
     */
    long run(double rate, double seconds, Recorder recorder) throws IOException {
        double mean = 1e9 / rate;
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        double next = start + gap(mean);
        long calls = 0;
        for (long now = start; now < end; now = System.nanoTime()) {
            boolean posted = false;
            while (next <= now && freeCount > 0) {
                int slot = free[--freeCount];
                intended[slot] = (long) next;
                workload.write(port.prepare(slot, workload.next()));
                port.post(slot);
                next += gap(mean);
                calls++;
                posted = true;
            }
            if (posted) {
                port.flush();
            }
            int slot = port.poll();
            if (slot < 0) {
                pause(now, Math.min((long) next, end));
            }
            take(recorder, slot);
        }
        while (freeCount < free.length) {
            take(recorder, port.await(WAIT_NS));
        }
        long now = System.nanoTime();
        for (; next < end; next += gap(mean)) {
            recorder.ended((long) next, now, null);
            calls++;
        }
        return calls;
    }

    /** Waits until the next call, or for the ends of those under way. */
    private void pause(long now, long next) {
        if (sleeps) {
            // A wait for the end of a call has a timeout in whole milliseconds, which is longer than the time to the
            // next one.
            long left = freeCount == 0 ? LOOK_NS : next - now;
            LockSupport.parkNanos(freeCount == free.length ? left : Math.min(left, LOOK_NS));
        } else {
            Thread.onSpinWait();
        }
    }

    private void take(Recorder recorder, int first) throws IOException {
        for (int slot = first; slot >= 0; slot = port.poll()) {
            recorder.ended(intended[slot], System.nanoTime(), port.place());
            workload.check(port.message(slot), port.result());
            free[freeCount++] = slot;
        }
    }

    private double gap(double mean) {
        return -Math.log(1 - random.nextDouble()) * mean;
    }
}
