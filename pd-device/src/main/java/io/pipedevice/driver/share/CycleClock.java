// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.share;

import io.pipedevice.linux.ThreadClock;
import java.util.concurrent.TimeUnit;

/**
 * Measures duty cycles, because every process waits during a long cycle. Records the elapsed time and the processor
 * time. The processor time shows the driver's own work: a loaded machine or a garbage collection does not increase it.
 *
 * <p>The processor time is read at most once in {@link #PRECISION_NS}, so that short cycles make no system call. The
 * recorded processor time of a long cycle may be too high by that amount. Belongs to the driver's thread.
 */
public final class CycleClock {
    /** No process should be able to make a cycle longer than this. */
    private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long PRECISION_NS = TimeUnit.MICROSECONDS.toNanos(250);

    private final ThreadClock clock = new ThreadClock();
    private final DriverCounters counters;
    private long readAtNs;
    private long cpuAtRead;
    private long longestNs;
    private long longestCpuNs;

    /**
     * Creates a clock that has measured nothing.
     *
     * @param counters to which the longest cycles are published
     */
    public CycleClock(DriverCounters counters) {
        this.counters = counters;
    }

    /**
     * Begins a cycle. Also called when the driver is about to sleep.
     *
     * @param nowNs the time
     */
    public void begin(long nowNs) {
        if (nowNs - readAtNs > PRECISION_NS || readAtNs == 0) {
            readAtNs = nowNs;
            cpuAtRead = clock.cpuNs();
        }
    }

    /**
     * Ends the cycle that began at a time.
     *
     * @param startNs as given to {@link #begin}
     */
    public void end(long startNs) {
        long took = System.nanoTime() - startNs;
        if (took > longestNs) {
            longestNs = took;
            counters.maxCycleNs.set(took);
        }
        if (took > longestCpuNs || took > LONG_NS) {
            long cpu = Math.min(took, clock.cpuNs() - cpuAtRead);
            if (cpu > longestCpuNs) {
                longestCpuNs = cpu;
                counters.maxCycleCpuNs.set(cpu);
            }
            if (cpu > LONG_NS) {
                counters.longCycles.add(1);
            }
        }
    }
}
