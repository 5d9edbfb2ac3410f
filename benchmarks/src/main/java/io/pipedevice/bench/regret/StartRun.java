// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import io.pipedevice.bench.regret.program.Work;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Measures programs that have just started, one after the other, with the variants in turn. Used by one thread. */
final class StartRun {
    /** Of a server of these programs. */
    private static final int SERVER_THREADS = 8;

    private final RegretOptions options;
    private final Ratios ratios;

    StartRun(RegretOptions options, Ratios ratios) {
        this.options = options;
        this.ratios = ratios;
    }

    void run() throws InterruptedException {
        List<Row> rows = options.rows(Stage.START);
        try (RegretProcess plain = RegretProcess.start("server without the flag", false, Stage.START);
                RegretProcess flagged = RegretProcess.start("server with the flag", true, Stage.START)) {
            plain.awaitReady();
            flagged.awaitReady();
            String plainPort = Integer.toString(plain.serve(Work.CONNECT, SERVER_THREADS));
            String flaggedPort = Integer.toString(flagged.serve(Work.CONNECT, SERVER_THREADS));
            Map<Variant, String> ports = new EnumMap<>(
                    Map.of(Variant.WITHOUT, plainPort, Variant.KERNEL, plainPort, Variant.RINGS, flaggedPort));
            // These starts read the files and warm the servers up, and do not count.
            inTurn(Variant.values(), (variant, figures) -> second(variant, ports.get(variant), figures));
            for (int turn = 0; turn < options.turns(); turn++) {
                if (rows.contains(Row.START_SELECTOR)) {
                    add(rows, inTurn(new Variant[] {Variant.WITHOUT, Variant.KERNEL}, StartRun::selector));
                }
                add(
                        rows,
                        inTurn(
                                Variant.values(),
                                (variant, figures) -> connection(variant, ports.get(variant), figures)));
                if (rows.contains(Row.FIRST_SECOND)) {
                    add(
                            rows,
                            inTurn(
                                    Variant.values(),
                                    (variant, figures) -> second(variant, ports.get(variant), figures)));
                }
            }
            check(flagged, rows);
        } catch (IOException e) {
            rows.forEach(row -> ratios.fail(row, e.getMessage()));
        }
    }

    /** The programs have ended, so that their server tells where the connections were. */
    private void check(RegretProcess server, List<Row> rows) {
        try {
            server.check(true);
        } catch (IOException e) {
            rows.stream()
                    .filter(row -> row != Row.START_SELECTOR)
                    .forEach(row -> ratios.fail(row, Variant.RINGS, e.getMessage()));
        }
    }

    /** One start of one variant. */
    private interface Start {
        void measure(Variant variant, Map<Row, Double> figures) throws IOException, InterruptedException;
    }

    private static Map<Row, Map<Variant, Double>> inTurn(Variant[] variants, Start start)
            throws IOException, InterruptedException {
        Map<Row, Map<Variant, Double>> all = new EnumMap<>(Row.class);
        for (Variant variant : variants) {
            Map<Row, Double> figures = new EnumMap<>(Row.class);
            start.measure(variant, figures);
            figures.forEach((row, figure) -> all.computeIfAbsent(row, its -> new EnumMap<>(Variant.class))
                    .put(variant, figure));
        }
        return all;
    }

    private void add(List<Row> rows, Map<Row, Map<Variant, Double>> all) {
        all.forEach((row, figures) -> {
            if (rows.contains(row)) {
                ratios.add(row, figures);
            }
        });
    }

    private static void selector(Variant variant, Map<Row, Double> figures) throws IOException, InterruptedException {
        try (StartedProgram program = StartedProgram.start(variant.isInProgram(), "selector")) {
            figures.put(Row.START_SELECTOR, program.cpuSeconds());
        }
    }

    private static void connection(Variant variant, String port, Map<Row, Double> figures)
            throws IOException, InterruptedException {
        try (StartedProgram program = StartedProgram.start(variant.isInProgram(), "connect", port)) {
            figures.put(Row.FIRST_CONNECTION, (double) program.number());
            figures.put(Row.MEMORY, (double) program.status("VmRSS"));
            figures.put(Row.THREAD_COUNT, (double) program.status("Threads"));
            figures.put(Row.DESCRIPTORS, (double) program.descriptors());
            figures.put(Row.START_CONNECTION, program.cpuSeconds());
        }
    }

    private static void second(Variant variant, String port, Map<Row, Double> figures)
            throws IOException, InterruptedException {
        String start = Long.toString(System.nanoTime());
        try (StartedProgram program = StartedProgram.start(variant.isInProgram(), "second", port, start)) {
            figures.put(Row.FIRST_SECOND, (double) program.number());
            program.cpuSeconds();
        }
    }
}
