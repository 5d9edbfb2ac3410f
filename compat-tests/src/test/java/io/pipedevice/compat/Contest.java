// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A program's own measurements, alternately with PipeDevice and with kernel TCP, so that other load on the machine
 * affects both alike. The medians become a row of the {@link CompatibilityTable}. One thread.
 */
final class Contest {
    private static final int ROUNDS = 3;
    private static final Comparator<Result> BY_RATE = Comparator.comparingDouble(Result::rate);
    private static final Comparator<Result> BY_DELAY =
            Comparator.comparingDouble(result -> result.delay().micros());

    private final Stage stage;
    private final CompatibilityTable.Row row;

    /** Creates a contest for a row that lacks only its figures. */
    Contest(Stage stage, CompatibilityTable.Row row) {
        this.stage = stage;
        this.row = row;
    }

    /** Starts servers and a client, lets it measure, and ends all of them. */
    interface Round {
        Result run(Pairing pairing) throws IOException, InterruptedException;
    }

    /**
     * The result of one round.
     *
     * @param rate in the program's own unit
     * @param delay of one operation
     * @param accelerated whether all connections were on rings that are between two JVMs with PipeDevice, and there
     *     were some
     */
    record Result(double rate, Delay delay, boolean accelerated) {
        /** The result of programs that are still running; the last of them measured. */
        static Result of(Pairing pairing, Program... programs) {
            return of(
                    pairing,
                    programs[programs.length - 1],
                    Stream.of(programs).map(Counters::new).toList());
        }

        /** The result of the program that measured, with the counters of those that have connections to each other. */
        static Result of(Pairing pairing, Program client, List<Counters> all) {
            if (pairing == Pairing.BOTH) {
                all.forEach(counters -> counters.allAccelerated(1, 1));
            }
            return new Result(
                    client.measured("rate").orElseThrow(), Delay.of(client), pairing == Pairing.BOTH && !all.isEmpty());
        }
    }

    /** Requires that all connections that can be accelerated are: otherwise the figures would be meaningless. */
    void run(Round round) throws IOException, InterruptedException {
        Assumptions.assumeFalse(Stage.BY_DRIVER, "the table is about peers");
        stage.leaveDefaults();
        List<Result> rings = new ArrayList<>();
        List<Result> kernel = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            // Alternate the order, because the first one has the cooler machine.
            if (i % 2 == 0) {
                rings.add(round.run(Pairing.BOTH));
                kernel.add(round.run(Pairing.NEITHER));
            } else {
                kernel.add(round.run(Pairing.NEITHER));
                rings.add(round.run(Pairing.BOTH));
            }
        }
        CompatibilityTable.write(
                row,
                rings.getFirst().accelerated() ? "100 %" : "-",
                median(rings, BY_RATE).rate(),
                median(kernel, BY_RATE).rate(),
                median(rings, BY_DELAY).delay(),
                median(kernel, BY_DELAY).delay());
    }

    private static Result median(List<Result> results, Comparator<Result> order) {
        return results.stream().sorted(order).skip(ROUNDS / 2).findFirst().orElseThrow();
    }
}
