// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.Machine;
import io.pipedevice.bench.NetworkNamespace;
import io.pipedevice.bench.Project;
import io.pipedevice.bench.Strace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares unmodified programs on PipeDevice, on kernel TCP and on other transports. */
@Command(
        name = "net",
        description = "Run the same programs on PipeDevice, on kernel TCP and on other transports, and compare them.",
        footer = {
            "",
            "Server and client are JVMs of their own, in a network namespace of their own",
            "where possible. The report goes to standard output, and to net.txt and net.html",
            "in the output directory. The exit code is 1 if a row failed, for example because",
            "its connections were not accelerated.",
            "",
            "Rows: stream-64, -64-gathered, -1k, -16k, -64k, -1m;",
            "      ping-pong-64, -1k, -16k, -64k, -1m, -selector, -no-spin;",
            "      connect; busy; rotating-few, -many; processes; first-seconds; start-up;",
            "      memory; idle."
        })
public final class NetCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "One short run, of java.nio alone, in less than 4 minutes.")
    private boolean quick;

    @Option(names = "--runs", paramLabel = "N", description = "Runs of each transport (default: 5, quick 1).")
    private Integer runs;

    @Option(names = "--seconds", paramLabel = "S", description = "Length of each measurement (default: 2, quick 0.5).")
    private Double seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            defaultValue = "2",
            description = "Length of the warm-up before each measurement (default: ${DEFAULT-VALUE} seconds).")
    private double warmUp;

    @Option(
            names = "--rows",
            split = ",",
            paramLabel = "ROW",
            description = "Rows to measure: names as below, or their beginnings (stream, ping-pong; default: all).")
    private List<String> rows = List.of();

    @Option(
            names = "--transports",
            split = ",",
            paramLabel = "NAME",
            description = "Transports to measure: ${COMPLETION-CANDIDATES} (default: all, quick TCP and PIPEDEVICE).")
    private List<NetTransport> transports = List.of();

    @Option(names = "--driver", description = "Run PipeDevice through a driver process, which this command starts.")
    private boolean driver;

    @Option(names = "--strace", description = "Also count the system calls of each message, which takes longer.")
    private boolean strace;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Open connections of the rows busy and rotating-many (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(names = "--java-option", paramLabel = "FLAG", description = "A flag for all JVMs; may be repeated.")
    private List<String> javaOptions = List.of();

    @Option(names = "--no-namespace", description = "Stay in the caller's network namespace.")
    private boolean noNamespace;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Directory of the report (default: benchmarks/target/results of the project).")
    private Path output;

    /** Creates the command; the command line does. */
    public NetCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        NetOptions options = options();
        PrintWriter err = spec.commandLine().getErr();
        if (NetworkNamespace.isInside()) {
            NetworkNamespace.enter();
        } else if (!noNamespace) {
            OptionalInt exit = NetworkNamespace.run(
                    spec.root().commandLine().getParseResult().originalArgs());
            if (exit.isPresent()) {
                return exit.getAsInt();
            }
            err.println("cannot create a network namespace (no root, no user namespaces): TCP keeps its settings here");
        }
        Map<String, String> facts = facts(options);
        Figures figures = new NetBenchmark(options, err).run();
        NetReport report = new NetReport(options, figures);
        String text = report.text(facts);
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
        Path directory = output == null ? Project.root().resolve("benchmarks/target/results") : output;
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("net.txt"), text);
        Files.writeString(directory.resolve("net.html"), new HtmlReport(options, figures).html(facts));
        err.println("the report is in " + directory);
        return figures.hasFailures() ? 1 : 0;
    }

    private NetOptions options() {
        int times = runs == null ? quick ? 1 : 5 : runs;
        double measure = seconds == null ? quick ? 0.5 : 2 : seconds;
        if (times < 1 || times > 1000 || !(measure >= 0.1 && measure <= 60)) {
            throw new ParameterException(spec.commandLine(), "--runs must be from 1 to 1000, --seconds from 0.1 to 60");
        }
        if (!(warmUp >= 0 && warmUp <= 60)) {
            throw new ParameterException(spec.commandLine(), "--warm-up must be from 0 to 60");
        }
        if (connections < 100 || connections > 100_000) {
            throw new ParameterException(spec.commandLine(), "--connections must be from 100 to 100000");
        }
        if (strace && !Strace.isAvailable()) {
            throw new ParameterException(spec.commandLine(), "--strace: strace is not installed");
        }
        return new NetOptions(
                chosenTransports(),
                chosenRows(),
                times,
                (long) (warmUp * 1000),
                (long) (measure * 1000),
                Math.min(100, connections),
                connections,
                quick ? 20 : 100,
                1000,
                quick ? 2000 : 10_000,
                driver,
                strace,
                javaOptions);
    }

    private List<NetTransport> chosenTransports() {
        if (!transports.isEmpty()) {
            return transports;
        }
        return quick ? List.of(NetTransport.TCP, NetTransport.PIPEDEVICE) : List.of(NetTransport.values());
    }

    private List<Row> chosenRows() {
        Set<Row> chosen = new LinkedHashSet<>(rows.isEmpty() ? List.of(Row.values()) : List.of());
        try {
            rows.forEach(word -> chosen.addAll(Row.named(word)));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--rows: " + e.getMessage(), e);
        }
        return new ArrayList<>(chosen);
    }

    private Map<String, String> facts(NetOptions options) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        facts.put(
                "machine",
                Machine.processors() + ", " + Machine.memory() + ", load average before " + Machine.loadAverage());
        facts.put("kernel", Machine.kernel());
        facts.put("JVM", Machine.jvm());
        facts.put(
                "TCP",
                "loopback " + (NetworkNamespace.isInside() ? "of a namespace of its own" : "of the caller's namespace")
                        + ", congestion control " + Machine.congestionControl() + ", buffers tuned by the kernel");
        facts.put("PipeDevice", driver ? "with a driver process" : "as it starts by itself, without a driver process");
        facts.put(
                "measured",
                options.measureMillis() + " ms after " + options.warmUpMillis() + " ms of warm-up, runs: "
                        + options.runs() + ", each with new processes, transports in turn");
        if (!javaOptions.isEmpty()) {
            facts.put("JVM flags", String.join(" ", javaOptions));
        }
        return facts;
    }
}
