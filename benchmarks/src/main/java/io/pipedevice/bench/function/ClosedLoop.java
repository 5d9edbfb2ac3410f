// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import java.io.IOException;
import org.HdrHistogram.Histogram;

/** A client that always has the same number of calls under way. Used by one thread. */
final class ClosedLoop {
    private static final long WAIT_NS = 1_000_000_000L;

    private final Port port;
    private final Workload workload;
    private final int outstanding;
    private final long[] started;

    /** At most as many outstanding calls as the port has slots. */
    ClosedLoop(Port port, Workload workload, int outstanding) {
        this.port = port;
        this.workload = workload;
        this.outstanding = outstanding;
        this.started = new long[outstanding];
    }

    /**
     * Calls for a while.
     *
     * @param times receives those of all calls, in nanoseconds
     * @return calls per second
     */
    double run(double seconds, Histogram times) throws IOException {
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        for (int slot = 0; slot < outstanding; slot++) {
            post(slot, System.nanoTime());
        }
        port.flush();
        int underWay = outstanding;
        long now = start;
        while (underWay > 0) {
            int slot = port.await(WAIT_NS);
            while (slot >= 0) {
                now = System.nanoTime();
                times.recordValue(Math.min(times.getHighestTrackableValue(), now - started[slot]));
                workload.check(port.message(slot), port.result());
                if (now < end) {
                    post(slot, now);
                } else {
                    underWay--;
                }
                slot = port.poll();
            }
            port.flush();
        }
        return times.getTotalCount() / ((now - start) / 1e9);
    }

    private void post(int slot, long now) throws IOException {
        started[slot] = now;
        workload.write(port.prepare(slot, workload.next()));
        port.post(slot);
    }
}
