// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.containers;

import io.pipedevice.bench.NetworkNamespace;
import io.pipedevice.bench.net.Figures;
import io.pipedevice.bench.net.MeasureArguments;
import io.pipedevice.bench.net.NetBenchmark;
import io.pipedevice.bench.net.NetOptions;
import io.pipedevice.bench.net.Row;
import io.pipedevice.bench.net.RunFacts;
import io.pipedevice.linux.ProcessFacts;
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
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares unmodified programs in two network namespaces, on PipeDevice, kernel TCP and sockmap. */
@Command(
        name = "containers",
        description = "Run the same programs in two network namespaces of this host, on PipeDevice, on kernel TCP over"
                + " a bridge and on sockmap, and compare them.",
        footer = {
            "",
            "Needs root. The network namespaces, the bridge and the control group are the",
            "command's own, and end with it. sockmap needs clang, libbpf-dev and bpftool.",
            "The report goes to standard output, and to containers.txt and containers.html",
            "in the output directory; containers.csv has the figure of each run. The exit",
            "code is 1 if a row failed, for example because its connections were not",
            "accelerated.",
            "",
            "Rows: stream-64, stream-1k, stream-16k, stream-64k, stream-1m,",
            "      ping-pong-64, ping-pong-1k, ping-pong-8k, ping-pong-64k,",
            "      ping-pong-selector, ping-pong-selector-1k, ping-pong-selector-8k,",
            "      ping-pong-selector-64k, connect, connect-threads,",
            "      connect-plain-server, connect-plain-servers, connect-driver-away,",
            "      pairs-16, pairs-128, pairs-512, allreduce-2, allreduce-4,",
            "      service-chain, first-seconds, start-up."
        })
public final class ContainersCommand implements Callable<Integer> {
    static final Set<Row> ROWS = Collections.unmodifiableSet(EnumSet.of(
            Row.STREAM_64,
            Row.STREAM_1K,
            Row.STREAM_16K,
            Row.STREAM_64K,
            Row.STREAM_1M,
            Row.PING_PONG_64,
            Row.PING_PONG_1K,
            Row.PING_PONG_8K,
            Row.PING_PONG_64K,
            Row.PING_PONG_SELECTOR,
            Row.PING_PONG_SELECTOR_1K,
            Row.PING_PONG_SELECTOR_8K,
            Row.PING_PONG_SELECTOR_64K,
            Row.CONNECT,
            Row.CONNECT_THREADS,
            Row.CONNECT_PLAIN_SERVER,
            Row.CONNECT_PLAIN_SERVERS,
            Row.CONNECT_DRIVER_AWAY,
            Row.PAIRS_16,
            Row.PAIRS_128,
            Row.PAIRS_512,
            Row.ALLREDUCE_2,
            Row.ALLREDUCE_4,
            Row.SERVICE_CHAIN,
            Row.FIRST_SECONDS,
            Row.START_UP));

    private static final String FIGURES = "containers.csv";

    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "One short run, in less than 5 minutes.")
    private boolean quick;

    @Mixin
    private MeasureArguments arguments;

    @Option(
            names = "--transports",
            split = ",",
            paramLabel = "NAME",
            description = "Transports to measure: ${COMPLETION-CANDIDATES} (default: all).")
    private List<ContainerTransport> transports = List.of();

    @Option(
            names = "--add",
            description = "Add to the figures of earlier calls, of which containers.csv in the output directory has"
                    + " the figures: to measure rows, transports and runs one after the other.")
    private boolean add;

    /** Creates the command; the command line does. */
    public ContainersCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        NetOptions options = options();
        PrintWriter err = spec.commandLine().getErr();
        if (ProcessFacts.effectiveUid() != 0) {
            err.println("bench containers needs root, because it makes network namespaces and a bridge");
            return CommandLine.ExitCode.SOFTWARE;
        }
        if (!NetworkNamespace.isInside()) {
            OptionalInt exit = NetworkNamespace.run(
                    spec.root().commandLine().getParseResult().originalArgs(), List.of("--mount"));
            if (exit.isEmpty()) {
                err.println("bench containers cannot make a network namespace here: that needs CAP_SYS_ADMIN,"
                        + " CAP_NET_ADMIN, unshare(1) and ip(8)");
            }
            return exit.orElse(CommandLine.ExitCode.SOFTWARE);
        }
        NetworkNamespace.enter();
        Path directory = arguments.directory();
        Figures figures = new Figures();
        Path earlier = directory.resolve(FIGURES);
        if (add && Files.exists(earlier)) {
            figures.load(earlier, List.of(ContainerTransport.values()));
        }
        Map<String, String> facts = RunFacts.machine();
        facts.put("network", Bridge.describe());
        new NetBenchmark(options, figures, err).run();
        facts.putAll(RunFacts.measured(options, figures));
        figures.save(earlier);
        ContainerReport report = new ContainerReport(figures);
        String text = report.text(facts);
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
        Files.writeString(directory.resolve("containers.txt"), text);
        Files.writeString(directory.resolve("containers.html"), report.html(facts));
        err.println("the report is in " + directory);
        return figures.hasFailures() ? 1 : 0;
    }

    private NetOptions options() {
        arguments.check(spec.commandLine(), quick);
        return new NetOptions(
                transports.isEmpty() ? List.of(ContainerTransport.values()) : transports,
                arguments.rows(spec.commandLine(), ROWS),
                arguments.runs(quick),
                arguments.warmUpMillis(quick),
                arguments.measureMillis(quick),
                0,
                0,
                0,
                0,
                0,
                false,
                false,
                arguments.javaOptions());
    }
}
