// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A program's own measure of itself, in turn with PipeDevice and with kernel TCP, so that what else the machine does hits
 * both alike. The medians become a row of the {@link CompatibilityTable}. One thread.
 */
final class Contest {
    private static final int ROUNDS = 3;

    private final CompatibilityTable.Row row;

    /** For a row that has all but its figures. */
    Contest(CompatibilityTable.Row row) {
        this.row = row;
    }

    /** Starts servers and a client, lets it measure, and ends all of them. */
    interface Round {
        Result run(Pairing pairing) throws IOException, InterruptedException;
    }

    /**
     * What one round brought.
     *
     * @param rate in the program's own unit
     * @param p99 the delay in microseconds that one operation of a hundred exceeds
     * @param accelerated connections on rings
     * @param connections all of them that are between two JVMs
     */
    record Result(double rate, double p99, long accelerated, long connections) {
        /** Of programs that are still running, the last of which is the one that measured. */
        static Result of(Pairing pairing, Program... programs) throws IOException {
            return of(
                    pairing,
                    programs[programs.length - 1],
                    Stream.of(programs).map(Counters::new).toList());
        }

        /** Of the program that measured, and what those count that have connections to each other. */
        static Result of(Pairing pairing, Program client, List<Counters> all) throws IOException {
            long accelerated = 0;
            long connections = 0;
            if (pairing == Pairing.BOTH) {
                for (Counters counters : all) {
                    accelerated += counters.accelerated();
                    connections += counters.accelerated() + counters.onKernel();
                }
                if (connections == 0 && !all.isEmpty()) {
                    throw new AssertionError(client + " made no connection by java.nio");
                }
            }
            return new Result(client.measured("rate"), client.measured("p99"), accelerated, connections);
        }
    }

    void run(Round round) throws IOException, InterruptedException {
        Assumptions.assumeFalse(Stage.BY_DRIVER, "the table is about peers");
        List<Result> rings = new ArrayList<>();
        List<Result> kernel = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            rings.add(round.run(Pairing.BOTH));
            kernel.add(round.run(Pairing.NEITHER));
        }
        long accelerated = rings.stream().mapToLong(Result::accelerated).sum();
        long connections = rings.stream().mapToLong(Result::connections).sum();
        CompatibilityTable.write(
                row,
                connections == 0 ? "-" : Math.floorDiv(100 * accelerated, connections) + " %",
                median(rings, Result::rate),
                median(kernel, Result::rate),
                median(rings, Result::p99),
                median(kernel, Result::p99));
    }

    private static double median(List<Result> results, ToDoubleFunction<Result> figure) {
        return results.stream()
                .mapToDouble(figure)
                .sorted()
                .skip(ROUNDS / 2)
                .findFirst()
                .orElseThrow();
    }
}
