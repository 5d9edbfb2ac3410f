// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import io.pipedevice.bench.CacheLine;
import io.pipedevice.bench.regret.program.Work;
import java.io.PrintWriter;
import java.util.DoubleSummaryStatistics;

/** The whole benchmark: each run has new processes for each stage. Used by one thread. */
final class RegretBenchmark {
    private static final int LIMITED_SOCKETS = 8;

    private final RegretOptions options;
    private final PrintWriter progress;
    private final Ratios ratios = new Ratios();
    private final DoubleSummaryStatistics cacheLine = new DoubleSummaryStatistics();

    RegretBenchmark(RegretOptions options, PrintWriter progress) {
        this.options = options;
        this.progress = progress;
    }

    Ratios run() throws InterruptedException {
        for (int run = 1; run <= options.runs(); run++) {
            for (Stage stage : Stage.values()) {
                if (!options.rows(stage).isEmpty()) {
                    progress.println("run " + run + " of " + options.runs() + ": "
                            + options.rows(stage).stream().map(Row::word).toList());
                    progress.flush();
                    cacheLine.accept(CacheLine.roundTripNanos());
                    run(stage);
                }
            }
        }
        ratios.failures().forEach(line -> progress.println("FAILED: " + line));
        progress.flush();
        return ratios;
    }

    private void run(Stage stage) throws InterruptedException {
        switch (stage) {
            case HTTP -> new CallsRun(options, ratios).run(stage, Work.HTTP, 1, Row.HTTP_COLD, Row.HTTP_WARM);
            case GRPC -> new CallsRun(options, ratios).run(stage, Work.GRPC, 1, Row.GRPC_COLD, Row.GRPC_WARM);
            case LIMITED -> runLimited(stage);
            case START -> new StartRun(options, ratios).run();
            default -> new TrafficRun(options, ratios).run(stage);
        }
    }

    private void runLimited(Stage stage) throws InterruptedException {
        if (ProcessorGroup.isPossible()) {
            new CallsRun(options, ratios)
                    .run(stage, Work.TRIPS_SOCKET, LIMITED_SOCKETS, Row.LIMITED_COLD, Row.LIMITED_WARM);
        } else {
            progress.println("left out, for want of the right to make control groups with the controller cpu: "
                    + options.rows(stage).stream().map(Row::word).toList());
            progress.flush();
        }
    }

    /** Of a cache line from one processor to the other and back, before each stage; not a number on one processor. */
    DoubleSummaryStatistics cacheLineNanos() {
        return cacheLine;
    }
}
