// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.WorkerProcess;
import io.pipedevice.bench.program.ColdProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs JVMs that end soon, as clients of a leg's server. */
final class ColdStart {
    /** Number of starts for a mean. An additional first start, which reads the files, does not count. */
    private static final int STARTS = 5;

    private static final long TIMEOUT_S = 30;

    /** Prints the processor time of a command, user and system, in seconds. */
    private static final String TIME = "LC_ALL=C; TIMEFORMAT='cpu %U %S'; time \"$@\"";

    private ColdStart() {}

    /** The number of connections that a JVM makes in each of the seconds after its start. */
    static Map<Metric, Double> connections(NetLeg leg, Row row) throws IOException, InterruptedException {
        String address = leg.traffic().serve(row);
        String start = Long.toString(System.nanoTime());
        List<String> lines = run(leg.client(ColdProgram.class, "connections", address, start));
        leg.traffic().checkServer();
        leg.server().await("done");
        if (lines.size() != ColdProgram.SECONDS) {
            throw new IOException("the JVM that connects printed: " + lines);
        }
        double first = Double.parseDouble(lines.get(0));
        double second = Double.parseDouble(lines.get(1));
        double third = Double.parseDouble(lines.get(2));
        return Map.of(
                Metric.FIRST_SECOND, first,
                Metric.SECOND_SECOND, second,
                Metric.THIRD_SECOND, third,
                Metric.FIRST_SECONDS, first + second + third);
    }

    /** The processor time of a JVM from its start to its end, and the time of its first connection. */
    static Map<Metric, Double> cpuSeconds(NetLeg leg, Row row) throws IOException, InterruptedException {
        String address = leg.traffic().serve(row);
        double selector = starts(leg.client(ColdProgram.class, "selector")).cpuSeconds();
        Starts connects = starts(leg.client(ColdProgram.class, "connect", address));
        // Ends the server's traffic.
        long over = System.nanoTime() - TimeUnit.SECONDS.toNanos(ColdProgram.SECONDS);
        run(leg.client(ColdProgram.class, "connections", address, Long.toString(over)));
        leg.traffic().checkServer();
        leg.server().await("done");
        return Map.of(
                Metric.CPU_SELECTOR, selector,
                Metric.CPU_CONNECT, connects.cpuSeconds(),
                Metric.FIRST_CONNECT, connects.seconds());
    }

    /**
     * The means of some starts.
     *
     * @param cpuSeconds of the whole process
     * @param seconds that the program prints; 0 if it prints none
     */
    private record Starts(double cpuSeconds, double seconds) {}

    private static Starts starts(List<String> java) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", TIME, "bash"));
        command.addAll(java);
        double sum = 0;
        double printed = 0;
        for (int i = 0; i <= STARTS; i++) {
            List<String> lines = run(command);
            String[] words = lines.getLast().split(" ");
            if (words.length != 3 || !words[0].equals("cpu")) {
                throw new IOException("unexpected output of bash's time: " + String.join(" ", words));
            }
            if (i > 0) {
                sum += Double.parseDouble(words[1]) + Double.parseDouble(words[2]);
                printed += lines.size() > 1 ? Long.parseLong(lines.getFirst()) / 1e9 : 0;
            }
        }
        return new Starts(sum / STARTS, printed / STARTS);
    }

    /** Runs a program to its end; returns the lines that it prints. */
    private static List<String> run(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        WorkerProcess.removeJvmVariables(builder);
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
            if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("a JVM did not end in time, or failed: " + lines);
            }
            return lines;
        } finally {
            process.destroyForcibly();
        }
    }
}
