// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import io.pipedevice.bench.Machine;
import io.pipedevice.bench.NetworkNamespace;
import io.pipedevice.bench.Project;
import io.pipedevice.bench.net.RunFacts;
import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares unmodified programs without the flag with the same programs with it. */
@Command(
        name = "regret",
        description = "Run unmodified programs without the flag and with it, on the kernel and on rings, and show what"
                + " the flag costs.",
        footer = {
            "",
            "Each row has the ratio of a program with the flag to the same without it:",
            "'kernel' if its peer has no flag, so that the connections stay on kernel TCP,",
            "'rings' if both have it. 1.00 or more is no regret: a rate with / without, a",
            "time or an amount without / with. Rows below 0.95 are marked, and come first.",
            "The programs are JVMs of their own, with the JDK's defaults, in a network",
            "namespace of their own where possible. The report goes to standard output and",
            "to regret.txt in the output directory; regret.csv has the ratio of each turn.",
            "The exit code is 1 if a row failed, and 0 if rows are below. Five minutes",
            "without --full.",
            "",
            "Rows: stream-direct, -heap, -socket; trips-direct, -heap, -socket; gather;",
            "      transfer-to, -from; connect, connect-threads; accept; selector;",
            "      threads; virtual-threads; netty; netty-best, -100, -1000;",
            "      async, -100, -stream; http-cold, -warm;",
            "      grpc-cold, -warm; limited-cold, -warm; start-selector, -connection;",
            "      first-connection, -second; memory; thread-count; descriptors."
        })
public final class RegretCommand implements Callable<Integer> {
    private static final int MANY = 10_000;
    private static final int QUICK_MANY = 1000;

    /** Open files of a JVM beside its connections. */
    private static final int OTHER_FILES = 200;

    /** The cold time, as parts of a turn, and its greatest length. */
    private static final int COLD_TURNS = 20;

    private static final long MAX_COLD_MILLIS = 4000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--full", description = "Longer and more runs, in an hour, and 10,000 connections in a selector.")
    private boolean full;

    @Option(names = "--runs", paramLabel = "N", description = "Runs, each with new processes (default: 2, full 7).")
    private Integer runs;

    @Option(names = "--turns", paramLabel = "N", description = "Turns of a row in a run (default: 2, full 4).")
    private Integer turns;

    @Option(names = "--seconds", paramLabel = "S", description = "Length of each turn (default: 0.2, full 1).")
    private Double seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            description = "Length of the warm-up before the turns of a row (default: 1, full 3).")
    private Double warmUp;

    @Option(
            names = "--rows",
            split = ",",
            paramLabel = "ROW",
            description = "Rows to measure: names as below, or their beginnings (default: all).")
    private List<String> rows = List.of();

    @Option(names = "--no-namespace", description = "Stay in the caller's network namespace.")
    private boolean noNamespace;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Directory of the report (default: benchmarks/target/results of the project).")
    private Path output;

    /** Creates the command; the command line does. */
    public RegretCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        RegretOptions options = options();
        PrintWriter err = spec.commandLine().getErr();
        if (NetworkNamespace.isInside()) {
            NetworkNamespace.enter();
        } else if (!noNamespace) {
            OptionalInt exit = NetworkNamespace.run(
                    spec.root().commandLine().getParseResult().originalArgs());
            if (exit.isPresent()) {
                return exit.getAsInt();
            }
            err.println("cannot create a network namespace (that needs root or user namespaces, unshare(1) and ip(8)):"
                    + " TCP keeps its settings here");
        }
        Map<String, String> facts = RunFacts.machine();
        RegretBenchmark benchmark = new RegretBenchmark(options, err);
        Ratios ratios = benchmark.run();
        addFacts(facts, options, benchmark.cacheLineNanos());
        RegretReport report = new RegretReport(options.rows(), ratios);
        String text = report.text(facts);
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
        Path directory =
                Files.createDirectories(output == null ? Project.root().resolve("benchmarks/target/results") : output);
        Files.writeString(directory.resolve("regret.txt"), text);
        Files.writeString(directory.resolve("regret.csv"), report.csv());
        err.println("the report is in " + directory);
        return ratios.failures().isEmpty() ? 0 : 1;
    }

    /** What the command line asks for. */
    RegretOptions options() throws IOException {
        int times = runs == null ? full ? 7 : 2 : runs;
        int perRun = turns == null ? full ? 4 : 2 : turns;
        double turn = seconds == null ? full ? 1 : 0.2 : seconds;
        double before = warmUp == null ? full ? 3 : 1 : warmUp;
        if (times < 1 || times > 1000 || perRun < 1 || perRun > 1000) {
            throw new ParameterException(spec.commandLine(), "--runs and --turns must be from 1 to 1000");
        }
        if (!(turn >= 0.05 && turn <= 20) || !(before >= 0.05 && before <= 20)) {
            throw new ParameterException(spec.commandLine(), "--seconds and --warm-up must be from 0.05 to 20");
        }
        long turnMillis = (long) (turn * 1000);
        return new RegretOptions(
                chosenRows(),
                times,
                (long) (before * 1000),
                perRun,
                turnMillis,
                Math.min(COLD_TURNS * turnMillis, MAX_COLD_MILLIS),
                full ? Math.min(MANY, openFiles() - OTHER_FILES) : QUICK_MANY);
    }

    /** The limit of a JVM, which raises its soft limit to the hard one. */
    private static int openFiles() throws IOException {
        return (int) Math.min(Integer.MAX_VALUE, ProcessFacts.openFilesLimit(0));
    }

    private List<Row> chosenRows() {
        Set<Row> chosen = rows.isEmpty() ? EnumSet.allOf(Row.class) : EnumSet.noneOf(Row.class);
        try {
            rows.forEach(word -> chosen.addAll(Row.named(word)));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--rows: " + e.getMessage(), e);
        }
        return new ArrayList<>(chosen);
    }

    private static void addFacts(Map<String, String> facts, RegretOptions options, DoubleSummaryStatistics cacheLine) {
        facts.put(
                "TCP",
                "loopback " + (NetworkNamespace.isInside() ? "of a namespace of its own" : "of the caller's namespace")
                        + ", congestion control " + Machine.congestionControl() + ", buffers tuned by the kernel");
        facts.put(
                "cache line",
                String.format(
                        Locale.ROOT,
                        "%.0f to %.0f ns from one processor to the other and back",
                        cacheLine.getMin(),
                        cacheLine.getMax()));
        facts.put(
                "measured",
                "runs: " + options.runs() + ", each with new processes; in each, turns: " + options.turns() + " of "
                        + options.turnMillis() + " ms after " + options.warmUpMillis()
                        + " ms of warm-up, without the flag and with it in turn");
        facts.put(
                "more",
                "connections in the selector: " + options.connections() + "; cold: the first " + options.coldMillis()
                        + " ms of calls");
        facts.put("on kernel", "the program has the flag, its peer has not: the connections stay on kernel TCP");
        facts.put("on rings", "both programs have the flag");
        facts.put("ratio", "a rate: with the flag / without; a time or an amount: without the flag / with;");
        facts.put("", "so 1.00 or more is no regret, and 0.50 is half the rate, or twice the time or amount");
        facts.put("ratios", "medians of all turns, and the least and the most of them");
    }
}
