// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.Strace;
import io.pipedevice.bench.WorkerProcess;
import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Measures the rows of one leg, the same way for every transport. Used by one thread. */
final class Measurement {
    /** Duration of the check after a measurement: long enough that the receiver compares some pieces. */
    private static final long CHECK_MILLIS = 50;

    /** Additional warm-up of the first row. */
    private static final long WARM_UP_MILLIS = 1000;

    private static final int BUSY = 8;

    /** Rows of more connections are measured without the time of each thread. */
    private static final int MANY_THREADS = 512;

    /** Warm-up of each of many processes, which compile at the same time. */
    private static final long PROCESS_WARM_UP_MILLIS = 50;

    /** Number of open files of a JVM besides connections. */
    private static final int OTHER_FILES = 100;

    private static final int START_POLLS = 1000;
    private static final long START_POLL_MILLIS = 10;

    private final NetLeg leg;
    private final LegTraffic traffic;
    private final NetOptions options;

    Measurement(NetLeg leg, NetOptions options) {
        this.leg = leg;
        this.traffic = leg.traffic();
        this.options = options;
    }

    /** Measures the first row once without a result, because the first measurement includes compilation. */
    void warmUp(Row first) throws IOException, InterruptedException {
        if (first.isStream() || first.isPingPong() || first.isConnects()) {
            traffic.open(first, 1, 1);
            warmUp(counting(first));
            sleep(WARM_UP_MILLIS);
            traffic.finish(first);
        }
    }

    Map<Metric, Double> measure(Row row) throws IOException, InterruptedException {
        return switch (row) {
            case BUSY -> busy(row);
            case ROTATING_FEW -> rotating(row, options.few());
            case ROTATING_MANY -> rotating(row, options.many());
            case PROCESSES -> processes(row);
            case PAIRS_16, PAIRS_128, PAIRS_512, SCALE_1, SCALE_16, SCALE_128, SCALE_512, SCALE_4096, SCALE_32X128 ->
                pairs(row);
            case ALLREDUCE_2, ALLREDUCE_2_LIB -> SampleRuns.allreduce(leg, row, 2);
            case ALLREDUCE_4, ALLREDUCE_4_LIB -> SampleRuns.allreduce(leg, row, 4);
            case ALLREDUCE_8 -> SampleRuns.allreduce(leg, row, 8);
            case SPARK_SHUFFLE, SPARK_SHUFFLE_2K -> SparkRuns.shuffle(leg, row, options.measureMillis() / 1e3);
            case SERVICE_CHAIN, SERVICE_CHAIN_RATE, SERVICE_CHAIN_LIB -> SampleRuns.chain(leg, row);
            case FIRST_SECONDS -> firstSeconds(row);
            case START_UP -> ColdStart.cpuSeconds(leg, row);
            case MEMORY -> memory(row);
            case IDLE -> idle(row);
            default -> traffic(row);
        };
    }

    /** Measures a stream, a ping-pong, or successive connections. */
    private Map<Metric, Double> traffic(Row row) throws IOException, InterruptedException {
        traffic.open(row, 1, 1);
        WorkerProcess counts = counting(row);
        warmUp(counts);
        leg.client().ask("measure", "measuring");
        Interval interval = measureInterval(counts);
        OptionalDouble systemCalls = row.isConnects() ? OptionalDouble.empty() : systemCalls(counts);
        if (!row.isConnects()) {
            checkBytes(row.isStream() ? leg.server() : leg.client());
        }
        LegTraffic.Latencies latencies = traffic.finish(row);
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        if (!row.isConnects()) {
            figures.put(Metric.ALLOCATED, interval.allocated() / interval.count() * bytesOrTrips(row));
            systemCalls.ifPresent(calls -> figures.put(Metric.SYSTEM_CALLS, calls * 1000 * bytesOrTrips(row)));
        }
        if (row.isStream()) {
            figures.put(Metric.MESSAGES, interval.count() / row.size() / interval.seconds());
            figures.putAll(interval.oneWay());
            if (row.isLimited()) {
                double limit = row.setting().gigabits() * 1e9 / 8;
                figures.put(Metric.OF_LIMIT, interval.count() / interval.seconds() / limit);
            }
            return figures;
        }
        if (row.isConnects()) {
            figures.put(Metric.CONNECTIONS, interval.count() / interval.seconds());
            figures.put(Metric.CONNECT_P50, (double) latencies.connects().getValueAtPercentile(50));
            figures.put(Metric.CONNECT_P99, (double) latencies.connects().getValueAtPercentile(99));
        }
        figures.put(Metric.MEAN, latencies.all().getMean());
        figures.put(Metric.P50, (double) latencies.all().getValueAtPercentile(50));
        figures.put(Metric.P99, (double) latencies.all().getValueAtPercentile(99));
        figures.put(Metric.P999, (double) latencies.all().getValueAtPercentile(99.9));
        return figures;
    }

    /** Compares every byte for a while. */
    private static void checkBytes(WorkerProcess receiver) throws IOException, InterruptedException {
        receiver.ask("check", "checking");
        sleep(CHECK_MILLIS);
    }

    /** Measures streams on several connections at a time, and how equal they are. */
    private Map<Metric, Double> pairs(Row row) throws IOException, InterruptedException {
        leg.addClients(row.clients() - 1);
        traffic.openPairs(row);
        warmUp(leg.server());
        Shares before = traffic.shares();
        Interval interval = Interval.measure(leg, leg.server(), options.measureMillis(), row.pairs() > MANY_THREADS);
        Shares after = traffic.shares();
        checkBytes(leg.server());
        traffic.finish(row);
        Map<Metric, Double> figures = new EnumMap<>(interval.oneWay());
        figures.putAll(Fairness.of(before, after));
        return figures;
    }

    /** The amount by which one message increases the count. */
    private static double bytesOrTrips(Row row) {
        return row.isStream() ? row.size() : 0.5;
    }

    /**
     * Counts system calls for each byte or round trip, in an additional interval, because strace makes everything slow;
     * empty if they are not wanted.
     */
    private OptionalDouble systemCalls(WorkerProcess counts) throws IOException, InterruptedException {
        if (!options.strace()) {
            return OptionalDouble.empty();
        }
        try (Strace client = Strace.attach(leg.client().pid());
                Strace server = Strace.attach(leg.server().pid())) {
            long begin = Long.parseLong(counts.ask("snapshot", "snapshot")[1]);
            sleep(options.measureMillis());
            long end = Long.parseLong(counts.ask("snapshot", "snapshot")[1]);
            long calls = 0;
            for (Strace one : List.of(client, server)) {
                calls += one.detach().values().stream()
                        .mapToLong(Long::longValue)
                        .sum();
            }
            return end == begin ? OptionalDouble.empty() : OptionalDouble.of((double) calls / (end - begin));
        }
    }

    /**
     * Measures echoes on a few connections among few, and then, with the same processes and connections, among many.
     */
    private Map<Metric, Double> busy(Row row) throws IOException, InterruptedException {
        requireFiles(options.many());
        traffic.open(row, options.few(), BUSY);
        warmUp(leg.client());
        Interval few = measureInterval(leg.client());
        traffic.grow(options.many() - options.few());
        sleep(options.warmUpMillis());
        Interval many = measureInterval(leg.client());
        traffic.finish(row);
        return Map.of(
                Metric.ECHOES_FEW, few.count() / few.seconds(), Metric.ECHOES_MANY, many.count() / many.seconds());
    }

    private void requireFiles(int connections) throws IOException {
        long limit = ProcessFacts.openFilesLimit(leg.client().pid());
        if (limit < connections + OTHER_FILES) {
            throw new IOException(connections + " connections need more open files than that, but a process may"
                    + " have " + limit + ": raise the limit (ulimit -Hn)");
        }
    }

    /** Measures messages that each take the connection after that of the previous message. */
    private Map<Metric, Double> rotating(Row row, int connections) throws IOException, InterruptedException {
        requireFiles(options.many());
        traffic.open(row, options.few(), BUSY);
        traffic.grow(connections - options.few());
        return echoes(row, leg.client(), options.warmUpMillis());
    }

    /** Measures clients that each have one connection and one message under way. */
    private Map<Metric, Double> processes(Row row) throws IOException, InterruptedException {
        leg.addClients(options.processes() - 1);
        traffic.open(row, 1, 1);
        return echoes(row, leg.server(), options.warmUpMillis() + PROCESS_WARM_UP_MILLIS * options.processes());
    }

    private Map<Metric, Double> echoes(Row row, WorkerProcess counts, long warmUpMillis)
            throws IOException, InterruptedException {
        awaitFirst(counts);
        sleep(warmUpMillis);
        for (WorkerProcess one : leg.clients()) {
            one.ask("measure", "measuring");
        }
        Interval interval = measureInterval(counts);
        Histogram latencies = traffic.finish(row).all();
        return Map.of(
                Metric.ECHOES, interval.count() / interval.seconds(),
                Metric.P50, (double) latencies.getValueAtPercentile(50),
                Metric.P99, (double) latencies.getValueAtPercentile(99));
    }

    /** Measures the first seconds of a new client; the server has already served other clients for a while. */
    private Map<Metric, Double> firstSeconds(Row row) throws IOException, InterruptedException {
        traffic.open(Row.CONNECT, 1, 1);
        warmUp(leg.client());
        traffic.finish(Row.CONNECT);
        return ColdStart.connections(leg, row);
    }

    /**
     * Measures the memory of the second half of the connections; the first half also includes the memory that all of
     * them share.
     */
    private Map<Metric, Double> memory(Row row) throws IOException, InterruptedException {
        requireFiles(2 * options.idle());
        traffic.open(row, 1, 0);
        traffic.grow(options.idle() - 1);
        long heapBefore = heap();
        sleep(options.warmUpMillis());
        MemoryUse before = MemoryUse.of(leg.pids());
        traffic.grow(options.idle());
        long heap = heap() - heapBefore;
        sleep(options.warmUpMillis());
        MemoryUse more = MemoryUse.of(leg.pids()).since(before);
        traffic.finish(row);
        double connections = options.idle();
        return Map.of(
                Metric.MEMORY, (more.processes() + heap + more.shared() + more.kernel()) / connections,
                Metric.MEMORY_PROCESSES, more.processes() / connections,
                Metric.MEMORY_HEAP, heap / connections,
                Metric.MEMORY_SHARED, more.shared() / connections,
                Metric.MEMORY_KERNEL, more.kernel() / connections);
    }

    private long heap() throws IOException, InterruptedException {
        long sum = 0;
        for (WorkerProcess process : List.of(leg.client(), leg.server())) {
            sum += Long.parseLong(process.ask("heap", "heap")[1]);
        }
        return sum;
    }

    private Map<Metric, Double> idle(Row row) throws IOException, InterruptedException {
        traffic.open(row, 1, 0);
        traffic.grow(options.idle() - 1);
        // Wait until the work after opening, such as compilation, is over.
        sleep(Math.max(options.warmUpMillis(), options.idleMillis() / 3));
        ThreadTimes before = ThreadTimes.of(leg.pids());
        sleep(options.idleMillis());
        double seconds = ThreadTimes.of(leg.pids()).secondsSince(before);
        traffic.finish(row);
        return Map.of(Metric.IDLE_CPU, seconds / (options.idleMillis() / 1e3));
    }

    private WorkerProcess counting(Row row) {
        return row.isStream() ? leg.server() : leg.client();
    }

    /** Warms up, beginning with the first movement, however long a process takes to start. */
    private void warmUp(WorkerProcess counts) throws IOException, InterruptedException {
        awaitFirst(counts);
        sleep(options.warmUpMillis());
    }

    private static void awaitFirst(WorkerProcess counts) throws IOException, InterruptedException {
        for (int i = 0; counts.ask("snapshot", "snapshot")[1].equals("0"); i++) {
            if (i == START_POLLS) {
                throw new IOException("no data moved at all");
            }
            sleep(START_POLL_MILLIS);
        }
    }

    private Interval measureInterval(WorkerProcess counts) throws IOException, InterruptedException {
        return Interval.measure(leg, counts, options.measureMillis(), false);
    }

    private static void sleep(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
    }
}
