// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.WorkerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures sorts of Spark: an application and an executor in the server's place, and another executor in the clients'.
 * So a half of what is shuffled goes from place to place.
 */
final class SparkRuns {
    /** By default as much as FreeFlow sorts, 262,144 records of 2 KB. */
    private static final long BYTES_PER_SECOND = 1 << 28;

    /** The first ones are not measured: the JVMs compile. */
    private static final int SORTS_BEFORE = 4;

    private static final int SORTS = 5;
    private static final String MEMORY = "1g";
    private static final String PROGRAMS = "io.pipedevice.compat.programs.";

    /** The numbers of a sort, in their order. */
    private static final int JOB_NANOS = 0;

    private static final int READ_MILLIS = 1;
    private static final int READ_BYTES = 2;
    private static final int REMOTE_BYTES = 3;
    private static final int TASK_MILLIS = 4;
    private static final int WAIT_MILLIS = 5;

    /** The options that Spark's launcher gives to every JVM; and java.nio instead of Spark's own transport. */
    private static final List<String> FLAGS = List.of(
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/java.net=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            LocalTransport.NETTY_MACHINE,
            "-Dspark.io.mode.default=NIO");

    private final NetLeg leg;
    private final String classPath;
    private final List<WorkerProcess> processes = new ArrayList<>();

    private SparkRuns(NetLeg leg, String classPath) {
        this.leg = leg;
        this.classPath = classPath;
    }

    /**
     * The medians of some sorts.
     *
     * @param seconds of a measurement, to which the size is in proportion
     */
    static Map<Metric, Double> shuffle(NetLeg leg, Row row, double seconds) throws IOException, InterruptedException {
        SparkRuns runs = new SparkRuns(leg, classPath());
        try {
            return runs.shuffle(row.size(), (long) (BYTES_PER_SECOND * seconds));
        } finally {
            runs.processes.forEach(leg::end);
        }
    }

    private static String classPath() throws IOException {
        try {
            return SparkPrograms.classPath();
        } catch (UnavailableException e) {
            throw new IOException("the programs of Spark were there before: " + e.getMessage(), e);
        }
    }

    private Map<Metric, Double> shuffle(int record, long size) throws IOException, InterruptedException {
        WorkerProcess application =
                start(true, "SparkSort", "memory=" + MEMORY, "executors=2", "record=" + record, "size=" + size);
        String driver = leg.host(true) + ":" + application.await("listening")[1];
        start(true, "SparkExecutor", "driver=" + driver, "id=1");
        start(false, "SparkExecutor", "driver=" + driver, "id=2");
        application.await("ready");
        for (int i = 0; i < SORTS_BEFORE; i++) {
            application.ask("sort", "sorted");
        }
        List<Integer> programs = processes.stream().map(WorkerProcess::pid).toList();
        List<Integer> softInterrupts = ThreadTimes.softInterrupts();
        long begin = System.nanoTime();
        ThreadTimes programsBefore = ThreadTimes.ofProcesses(programs);
        ThreadTimes driverBefore = ThreadTimes.ofProcesses(leg.driverPids());
        ThreadTimes kernelBefore = ThreadTimes.of(softInterrupts);
        double[][] sorts = new double[SORTS][];
        for (int i = 0; i < SORTS; i++) {
            sorts[i] = Stream.of(application.ask("sort", "sorted"))
                    .skip(1)
                    .mapToDouble(Double::parseDouble)
                    .toArray();
        }
        double programsSeconds = ThreadTimes.ofProcesses(programs).secondsSince(programsBefore);
        double driverSeconds = ThreadTimes.ofProcesses(leg.driverPids()).secondsSince(driverBefore);
        double kernelSeconds = ThreadTimes.of(softInterrupts).secondsSince(kernelBefore);
        double seconds = (System.nanoTime() - begin) / 1e9;
        for (int pid : programs) {
            new Acceleration().check(pid, leg.accelerates());
        }
        double gigabytes = median(sorts, READ_BYTES) / 1e9;
        double reading = median(sorts, READ_MILLIS) / 1e3;
        double allGigabytes = sum(sorts, READ_BYTES) / 1e9;
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        figures.put(Metric.COMPLETION, median(sorts, JOB_NANOS) / 1e9);
        figures.put(Metric.READ_PHASE, reading);
        figures.put(Metric.GIGABYTES, gigabytes / reading);
        figures.put(Metric.SHUFFLED, gigabytes);
        figures.put(Metric.SHUFFLED_REMOTE, median(sorts, REMOTE_BYTES) / 1e9);
        figures.put(Metric.DATA_WAIT, sum(sorts, WAIT_MILLIS) / sum(sorts, TASK_MILLIS));
        figures.put(Metric.CORES, (programsSeconds + driverSeconds) / seconds);
        figures.put(Metric.CPU, (programsSeconds + driverSeconds) / allGigabytes);
        figures.put(Metric.CPU_PROGRAMS, programsSeconds / allGigabytes);
        figures.put(Metric.CPU_DRIVER, driverSeconds / allGigabytes);
        figures.put(Metric.CPU_KERNEL, kernelSeconds / allGigabytes);
        return figures;
    }

    private static double[] column(double[][] sorts, int figure) {
        return Arrays.stream(sorts).mapToDouble(sort -> sort[figure]).toArray();
    }

    private static double median(double[][] sorts, int figure) {
        return Numbers.median(column(sorts, figure));
    }

    private static double sum(double[][] sorts, int figure) {
        return Arrays.stream(column(sorts, figure)).sum();
    }

    private WorkerProcess start(boolean atServer, String program, String... arguments) throws IOException {
        String host = leg.host(atServer);
        List<String> words = new ArrayList<>(List.of("-Xms" + MEMORY, "-Xmx" + MEMORY));
        words.addAll(FLAGS);
        words.addAll(List.of("-cp", classPath, PROGRAMS + program, "host=" + host));
        words.addAll(List.of(arguments));
        WorkerProcess process = leg.foreign(
                atServer, program, List.of("SPARK_LOCAL_IP=" + host, "SPARK_LOCAL_DIRS=" + leg.directory()), words);
        processes.add(process);
        return process;
    }
}
