// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.WorkerProcess;
import io.pipedevice.samples.InPlaceAllreduce;
import io.pipedevice.samples.nio.RingAllreduce;
import io.pipedevice.samples.nio.ServiceChain;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Measures programs of the samples in processes of their own, which are in the server's place and the clients' in turn. */
final class SampleRuns {
    private static final int MEGABYTES = 200;
    private static final int REQUESTS = 10_000;
    private static final int WORKERS = 2;

    /** The first ones are not measured: the JVM compiles for some seconds. */
    private static final int REDUCTIONS = 40;

    private static final int REDUCTIONS_BEFORE = 20;
    private static final int CHAINS = 20;
    private static final int CHAINS_BEFORE = 10;

    private final NetLeg leg;
    private final List<WorkerProcess> processes = new ArrayList<>();

    private SampleRuns(NetLeg leg) {
        this.leg = leg;
    }

    /** The median of some additions of {@link #MEGABYTES} MB of each process. */
    static Map<Metric, Double> allreduce(NetLeg leg, Row row, int ranks) throws IOException, InterruptedException {
        SampleRuns runs = new SampleRuns(leg);
        try {
            double seconds = runs.allreduce(row.isByLib(), ranks);
            return Map.of(Metric.GIGABYTES, (MEGABYTES << 20) / 1e9 / seconds);
        } finally {
            runs.end();
        }
    }

    /** The median time in which a chain answers {@link #REQUESTS} requests, and the processors that it uses. */
    static Map<Metric, Double> chain(NetLeg leg, int length) throws IOException, InterruptedException {
        SampleRuns runs = new SampleRuns(leg);
        try {
            return runs.chain(Integer.toString(length));
        } finally {
            runs.end();
        }
    }

    private double allreduce(boolean byLib, int ranks) throws IOException, InterruptedException {
        for (int rank = 0; rank < ranks; rank++) {
            boolean atServer = rank % 2 == 0;
            String[] args = {
                Integer.toString(rank),
                Integer.toString(ranks),
                Integer.toString(MEGABYTES),
                Integer.toString(REDUCTIONS),
                leg.host(atServer)
            };
            processes.add(
                    byLib
                            ? leg.libSample(atServer, InPlaceAllreduce.class, args)
                            : leg.sample(atServer, RingAllreduce.class, args));
        }
        List<String> addresses = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            addresses.add(leg.host(rank % 2 == 0) + " " + processes.get(rank).await("listening")[1]);
        }
        for (int rank = 0; rank < ranks; rank++) {
            processes.get(rank).tell(addresses.get((rank + 1) % ranks));
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

    private Map<Metric, Double> chain(String length) throws IOException, InterruptedException {
        List<String> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            workers.add(listen(true, "worker", length));
        }
        String balancer = listen(false, "balancer", length);
        processes.getLast().tell(String.join(" ", workers));
        String firewall = listen(true, "firewall", length);
        processes.getLast().tell(balancer);
        WorkerProcess client = start(
                false, ServiceChain.class, "client", Integer.toString(REQUESTS), length, Integer.toString(CHAINS));
        client.tell(firewall);
        for (int i = 0; i < CHAINS_BEFORE; i++) {
            check(client.await("completed"));
        }
        List<Integer> pids = new ArrayList<>(leg.driverPids());
        processes.forEach(each -> pids.add(each.pid()));
        ThreadTimes before = ThreadTimes.of(pids);
        long begin = System.nanoTime();
        double[] seconds = new double[CHAINS - CHAINS_BEFORE - 1];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = Double.parseDouble(client.await("completed")[1]);
        }
        double cores = ThreadTimes.of(pids).secondsSince(before) / ((System.nanoTime() - begin) / 1e9);
        client.await("completed");
        return Map.of(Metric.COMPLETION, Numbers.median(seconds), Metric.CORES, cores);
    }

    private WorkerProcess start(boolean atServer, Class<?> program, String... args) throws IOException {
        WorkerProcess process = leg.sample(atServer, program, args);
        processes.add(process);
        return process;
    }

    /** Starts a function of a chain, and returns its address. */
    private String listen(boolean atServer, String function, String length) throws IOException, InterruptedException {
        String host = leg.host(atServer);
        WorkerProcess process = start(atServer, ServiceChain.class, function, length, host);
        return host + " " + process.await("listening")[1];
    }

    /** The program's connections must be on rings, or must not be. */
    private void check(String[] line) throws IOException {
        boolean rings = String.join(" ", line).contains("rings]");
        if (rings != leg.accelerates()) {
            throw new IOException("not as it must be: " + String.join(" ", line));
        }
    }

    private void end() {
        processes.forEach(leg::end);
    }
}
