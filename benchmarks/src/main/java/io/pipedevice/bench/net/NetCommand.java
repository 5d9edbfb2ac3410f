// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.Machine;
import io.pipedevice.bench.NetworkNamespace;
import io.pipedevice.bench.Strace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            "its connections were not accelerated. --quick measures java.nio alone.",
            "",
            "Rows: stream-64, -64-gathered, -1k, -16k, -64k, -1m;",
            "      ping-pong-64, -100, -1k, -16k, -64k, -1m, -virtual, -selector, -no-spin;",
            "      connect; busy; rotating-few, -many; processes; first-seconds; start-up;",
            "      memory; idle;",
            "      of sockets of java.net alone: stream-64-buffered, -1k-buffered,",
            "      -64k-plain-server; ping-pong-plain-server."
        })
public final class NetCommand implements Callable<Integer> {
    static final Set<Row> ROWS = Collections.unmodifiableSet(EnumSet.of(
            Row.STREAM_64,
            Row.STREAM_64_GATHERED,
            Row.STREAM_64_BUFFERED,
            Row.STREAM_1K,
            Row.STREAM_1K_BUFFERED,
            Row.STREAM_16K,
            Row.STREAM_64K,
            Row.STREAM_64K_PLAIN_SERVER,
            Row.STREAM_1M,
            Row.PING_PONG_64,
            Row.PING_PONG_100,
            Row.PING_PONG_VIRTUAL,
            Row.PING_PONG_PLAIN_SERVER,
            Row.PING_PONG_1K,
            Row.PING_PONG_16K,
            Row.PING_PONG_64K,
            Row.PING_PONG_1M,
            Row.PING_PONG_SELECTOR,
            Row.PING_PONG_NO_SPIN,
            Row.CONNECT,
            Row.BUSY,
            Row.ROTATING_FEW,
            Row.ROTATING_MANY,
            Row.PROCESSES,
            Row.FIRST_SECONDS,
            Row.START_UP,
            Row.MEMORY,
            Row.IDLE));

    @Spec
    private CommandSpec spec;

    @Mixin
    private MeasureArguments arguments;

    @Option(
            names = "--transports",
            split = ",",
            paramLabel = "NAME",
            description = "Transports to measure: ${COMPLETION-CANDIDATES} (default: all, quick TCP and PIPEDEVICE).")
    private List<LocalTransport> transports = List.of();

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

    @Option(names = "--no-namespace", description = "Stay in the caller's network namespace.")
    private boolean noNamespace;

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
            err.println("cannot create a network namespace (that needs root or user namespaces, unshare(1) and ip(8)):"
                    + " TCP keeps its settings here");
        }
        Map<String, String> facts = facts();
        Figures figures = new Figures();
        new NetBenchmark(options, figures, err).run();
        facts.putAll(RunFacts.measured(options, figures));
        NetReport report = new NetReport(options, figures);
        String text = report.text(facts);
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
        Path directory = arguments.directory();
        Files.writeString(directory.resolve("net.txt"), text);
        Files.writeString(directory.resolve("net.html"), new HtmlReport(options, figures).html(facts));
        err.println("the report is in " + directory);
        return figures.hasFailures() ? 1 : 0;
    }

    private NetOptions options() {
        arguments.check(spec.commandLine());
        if (connections < 100 || connections > 100_000) {
            throw new ParameterException(spec.commandLine(), "--connections must be from 100 to 100000");
        }
        if (strace && !Strace.isAvailable()) {
            throw new ParameterException(spec.commandLine(), "--strace: strace is not installed");
        }
        return new NetOptions(
                chosenTransports(),
                arguments.rows(spec.commandLine(), ROWS),
                arguments.runs(),
                arguments.warmUpMillis(),
                arguments.measureMillis(),
                Math.min(100, connections),
                connections,
                arguments.isQuick() ? 20 : 100,
                1000,
                arguments.isQuick() ? 2000 : 10_000,
                driver,
                strace,
                arguments.javaOptions());
    }

    private List<LocalTransport> chosenTransports() {
        if (!transports.isEmpty()) {
            return transports;
        }
        return arguments.isQuick()
                ? List.of(LocalTransport.TCP, LocalTransport.PIPEDEVICE)
                : List.of(LocalTransport.values());
    }

    private Map<String, String> facts() {
        Map<String, String> facts = RunFacts.machine();
        facts.put(
                "TCP",
                "loopback " + (NetworkNamespace.isInside() ? "of a namespace of its own" : "of the caller's namespace")
                        + ", congestion control " + Machine.congestionControl() + ", buffers tuned by the kernel");
        facts.put("PipeDevice", driver ? "with a driver process" : "as it starts by itself, without a driver process");
        return facts;
    }
}
