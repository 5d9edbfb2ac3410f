// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.WorkerProcess;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What happened in an interval of time.
 *
 * @param count of bytes, round trips or connections
 * @param seconds by the clock
 * @param cpuSeconds of all processes
 * @param driverSeconds the driver's part of them
 * @param kernelSeconds of the kernel's threads for soft interrupts
 * @param allocated bytes of heap of all processes
 */
record Interval(
        double count, double seconds, double cpuSeconds, double driverSeconds, double kernelSeconds, double allocated) {

    /**
     * Waits, and counts before and after.
     *
     * @param counts the process that counts bytes, round trips or connections
     * @param manyThreads whether the processes have so many that their times cannot be read one by one
     */
    static Interval measure(NetLeg leg, WorkerProcess counts, long millis, boolean manyThreads)
            throws IOException, InterruptedException {
        List<Integer> softInterrupts = ThreadTimes.softInterrupts();
        double allocatedBefore = allocated(leg);
        ThreadTimes before = times(leg.pids(), manyThreads);
        ThreadTimes driverBefore = times(leg.driverPids(), manyThreads);
        ThreadTimes kernelBefore = ThreadTimes.of(softInterrupts);
        String[] begin = counts.ask("snapshot", "snapshot");
        TimeUnit.MILLISECONDS.sleep(millis);
        String[] end = counts.ask("snapshot", "snapshot");
        double cpu = times(leg.pids(), manyThreads).secondsSince(before);
        double driver = times(leg.driverPids(), manyThreads).secondsSince(driverBefore);
        double kernel = ThreadTimes.of(softInterrupts).secondsSince(kernelBefore);
        double count = Long.parseLong(end[1]) - Long.parseLong(begin[1]);
        if (count <= 0) {
            throw new IOException("no data moved within " + millis + " ms");
        }
        double seconds = (Long.parseLong(end[2]) - Long.parseLong(begin[2])) / 1e9;
        return new Interval(count, seconds, cpu, driver, kernel, allocated(leg) - allocatedBefore);
    }

    private static ThreadTimes times(List<Integer> pids, boolean manyThreads) throws IOException {
        return manyThreads ? ThreadTimes.ofProcesses(pids) : ThreadTimes.of(pids);
    }

    private static double allocated(NetLeg leg) throws IOException, InterruptedException {
        double sum = 0;
        for (WorkerProcess process : List.of(leg.client(), leg.server())) {
            sum += Long.parseLong(process.ask("allocated", "allocated")[1]);
        }
        return sum;
    }

    /** The figures, if the counts are bytes. */
    Map<Metric, Double> oneWay() {
        double gigabytes = count / 1e9;
        return Map.of(
                Metric.CORES, cpuSeconds / seconds,
                Metric.CORES_PROGRAMS, (cpuSeconds - driverSeconds) / seconds,
                Metric.CORES_DRIVER, driverSeconds / seconds,
                Metric.CORES_KERNEL, kernelSeconds / seconds,
                Metric.GIGABYTES, gigabytes / seconds,
                Metric.CPU, cpuSeconds / gigabytes,
                Metric.CPU_PROGRAMS, (cpuSeconds - driverSeconds) / gigabytes,
                Metric.CPU_DRIVER, driverSeconds / gigabytes,
                Metric.CPU_KERNEL, kernelSeconds / gigabytes);
    }
}
