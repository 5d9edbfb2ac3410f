// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.CacheLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The whole benchmark: each run starts new processes for each transport in turn, so changes of the machine over time,
 * or between JVMs, affect all transports alike.
 */
public final class NetBenchmark {
    private final NetOptions options;
    private final PrintWriter progress;
    private final Figures figures;

    /** The measurement that runs, and how many there are; those of transports that are not available do not run. */
    private int step;

    private final int steps;

    /**
     * Creates a benchmark.
     *
     * @param options of it
     * @param figures to which the measured ones are added
     * @param progress where a line for each step goes
     */
    public NetBenchmark(NetOptions options, Figures figures, PrintWriter progress) {
        this.options = options;
        this.figures = figures;
        this.progress = progress;
        this.steps = options.runs()
                * options.transports().stream()
                        .mapToInt(transport -> (int)
                                options.rows().stream().filter(transport::runs).count())
                        .sum();
    }

    /**
     * Measures.
     *
     * @throws InterruptedException if this thread is interrupted
     */
    public void run() throws InterruptedException {
        leaveOutWhatIsNotThere();
        for (int run = 1; run <= options.runs(); run++) {
            for (Setting setting : Setting.values()) {
                for (NetTransport transport : options.transports()) {
                    List<Row> rows = options.rows().stream()
                            .filter(row -> row.setting() == setting && transport.runs(row) && figures.isAvailable(row))
                            .toList();
                    int next = step + rows.size();
                    if (!rows.isEmpty() && figures.isAvailable(transport)) {
                        run(run, transport, setting, new ArrayDeque<>(rows));
                    }
                    step = next;
                }
            }
        }
    }

    private void leaveOutWhatIsNotThere() {
        for (Row row : options.rows()) {
            if (row.isSpark()) {
                try {
                    SparkPrograms.classPath();
                } catch (UnavailableException e) {
                    figures.unavailable(row, e.getMessage());
                }
            }
        }
    }

    /**
     * Runs rows. After a row that failed it continues with new processes, because those of the failed row may be in any
     * state.
     */
    private void run(int run, NetTransport transport, Setting setting, Deque<Row> rows) throws InterruptedException {
        while (!rows.isEmpty()) {
            try (NetLeg leg = NetLeg.start(transport, setting, options)) {
                Measurement measurement = new Measurement(leg, options);
                measurement.warmUp(rows.peek());
                while (!rows.isEmpty()) {
                    step++;
                    say("row " + step + " of " + steps + ": " + rows.peek().title() + ", " + transport.title()
                            + ", run " + run + " of " + options.runs());
                    long before = leg.traffic().moved();
                    figures.addCacheLine(rows.peek(), transport, CacheLine.roundTripNanos());
                    figures.add(rows.peek(), transport, measurement.measure(rows.peek()));
                    figures.addMoved(leg.traffic().moved() - before);
                    rows.remove();
                }
            } catch (UnavailableException e) {
                figures.unavailable(transport, e.getMessage());
                return;
            } catch (IOException e) {
                Row row = rows.remove();
                figures.fail(row, transport, e.getMessage());
                say(transport.title() + ", " + row.title() + ": FAILED: " + e.getMessage());
            }
        }
    }

    private void say(String text) {
        progress.println(text);
        progress.flush();
    }
}
