// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.WorkerProcess;
import io.pipedevice.samples.InPlaceAllreduce;
import io.pipedevice.samples.InPlaceServiceChain;
import io.pipedevice.samples.nio.RingAllreduce;
import io.pipedevice.samples.nio.ServiceChain;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Measures programs of the samples in processes of their own, which are in the server's place and the clients' in turn.
 */
final class SampleRuns {
    private static final int MEGABYTES = 200;
    private static final int REQUESTS = 10_000;
    private static final int WORKERS = 2;

    /** A fixed rate, about half of what kernel TCP does on two processors. */
    private static final int REQUESTS_PER_SECOND = 20_000;

    /** The first ones are not measured: the JVM compiles for some seconds. */
    private static final int REDUCTIONS = 40;

    private static final int REDUCTIONS_BEFORE = 20;

    /** How long a chain runs before it is measured, which is as long as the JVMs of its processes compile. */
    private static final double CHAIN_BEFORE_SECONDS = 5;

    private static final double CHAIN_SECONDS = 2;

    private final NetLeg leg;
    private final Row row;
    private final List<WorkerProcess> processes = new ArrayList<>();

    private SampleRuns(NetLeg leg, Row row) {
        this.leg = leg;
        this.row = row;
    }

    /** The median of some additions of {@link #MEGABYTES} MB of each process. */
    static Map<Metric, Double> allreduce(NetLeg leg, Row row, int ranks) throws IOException, InterruptedException {
        SampleRuns runs = new SampleRuns(leg, row);
        try {
            double seconds = runs.allreduce(ranks);
            return Map.of(Metric.GIGABYTES, (MEGABYTES << 20) / 1e9 / seconds);
        } finally {
            runs.end();
        }
    }

    /** The median time in which a chain answers {@link #REQUESTS} requests, and the processors that it uses. */
    static Map<Metric, Double> chain(NetLeg leg, Row row) throws IOException, InterruptedException {
        SampleRuns runs = new SampleRuns(leg, row);
        try {
            return runs.chain();
        } finally {
            runs.end();
        }
    }

    private double allreduce(int ranks) throws IOException, InterruptedException {
        for (int rank = 0; rank < ranks; rank++) {
            boolean atServer = rank % 2 == 0;
            start(
                    atServer,
                    Integer.toString(rank),
                    Integer.toString(ranks),
                    Integer.toString(MEGABYTES),
                    Integer.toString(REDUCTIONS),
                    leg.host(atServer));
        }
        List<String> addresses = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            addresses.add(leg.host(rank % 2 == 0) + " " + processes.get(rank).await("listening")[1]);
        }
        for (int rank = 0; rank < ranks; rank++) {
            processes.get(rank).send(addresses.get((rank + 1) % ranks));
        }
        double[] slowest = new double[REDUCTIONS];
        for (WorkerProcess each : processes) {
            for (int i = 0; i < REDUCTIONS; i++) {
                slowest[i] = Math.max(slowest[i], Double.parseDouble(each.await("reduced")[1]));
            }
            check(each.await("verified"));
        }
        return Numbers.median(Arrays.copyOfRange(slowest, REDUCTIONS_BEFORE, REDUCTIONS));
    }

    private Map<Metric, Double> chain() throws IOException, InterruptedException {
        List<String> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            workers.add(listen(true, "worker"));
        }
        String balancer = listen(false, "balancer");
        processes.getLast().send(String.join(" ", workers));
        String firewall = listen(true, "firewall");
        processes.getLast().send(balancer);
        WorkerProcess client = start(
                false,
                "client",
                Integer.toString(row.size()),
                Integer.toString(REQUESTS),
                Double.toString(CHAIN_BEFORE_SECONDS + CHAIN_SECONDS + 1),
                Integer.toString(row == Row.SERVICE_CHAIN_RATE ? REQUESTS_PER_SECOND : 0));
        client.send(firewall);
        completions(client, CHAIN_BEFORE_SECONDS);
        List<Integer> pids = new ArrayList<>(leg.driverPids());
        processes.forEach(each -> pids.add(each.pid()));
        ThreadTimes before = ThreadTimes.of(pids);
        long begin = System.nanoTime();
        double[] seconds = completions(client, CHAIN_SECONDS);
        double all = (System.nanoTime() - begin) / 1e9;
        double cpuSeconds = ThreadTimes.of(pids).secondsSince(before);
        return Map.of(
                Metric.COMPLETION, Numbers.median(seconds),
                Metric.CORES, cpuSeconds / all,
                Metric.CPU_COMPLETION, cpuSeconds / seconds.length);
    }

    /** The times that a client prints for a while. */
    private double[] completions(WorkerProcess client, double seconds) throws IOException, InterruptedException {
        List<Double> times = new ArrayList<>();
        long begin = System.nanoTime();
        while ((System.nanoTime() - begin) / 1e9 < seconds) {
            String[] line = client.await("completed");
            check(line);
            times.add(Double.valueOf(line[1]));
        }
        return times.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private WorkerProcess start(boolean atServer, String... args) throws IOException {
        WorkerProcess process =
                row.isByLib() ? leg.libSample(atServer, program(), args) : leg.sample(atServer, program(), args);
        processes.add(process);
        return process;
    }

    private Class<?> program() {
        return switch (row) {
            case SERVICE_CHAIN, SERVICE_CHAIN_RATE -> ServiceChain.class;
            case SERVICE_CHAIN_LIB -> InPlaceServiceChain.class;
            case ALLREDUCE_2_LIB, ALLREDUCE_4_LIB -> InPlaceAllreduce.class;
            default -> RingAllreduce.class;
        };
    }

    /** Starts a function of a chain, and returns its address. */
    private String listen(boolean atServer, String function) throws IOException, InterruptedException {
        String host = leg.host(atServer);
        WorkerProcess process = start(atServer, function, Integer.toString(row.size()), host);
        return host + " " + process.await("listening")[1];
    }

    /** The program's connections must be on rings, or must not be. */
    private void check(String[] line) throws IOException {
        boolean rings = String.join(" ", line).contains("rings]");
        if (rings != leg.accelerates()) {
            throw new IOException("not as it must be: " + String.join(" ", line));
        }
    }

    /** The last one first, because the end of a client lets the others end. */
    private void end() {
        processes.reversed().forEach(leg::end);
    }
}
