// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.paper;

import io.pipedevice.bench.NetworkNamespace;
import io.pipedevice.bench.containers.Bridge;
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
import java.util.Locale;
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

/** Measures what the figures and tables of the papers show. */
@Command(
        name = "paper",
        description = "Measure on this host what the figures and tables of the papers show, PipeDevice (CoNEXT '22) and"
                + " FreeFlow (NSDI '19), and compare the gains.",
        footer = {
            "",
            "Needs root. The network namespaces, the bridge and the control group are the",
            "command's own, and end with it. sockmap needs clang, libbpf-dev and bpftool.",
            "The report goes to standard output, and to paper.txt and paper.html in the",
            "output directory; paper.csv has the figure of each run. The exit code is 1 if",
            "a row failed. What needs an FPGA, IOAT or RDMA is left out.",
            "",
            "Rows: stream-64, stream-1k, stream-4k, stream-16k, stream-64k, stream-256k,",
            "      stream-1m, stream-4m, rate, rate-limit-1, rate-limit-10, rate-limit-40,",
            "      ping-pong-64, ping-pong-8k, scale-1, scale-16, scale-128, scale-512,",
            "      scale-4096, scale-32x128, pairs-16, pairs-512, memory, allreduce-2,",
            "      allreduce-4, allreduce-8, allreduce-2-lib, allreduce-4-lib,",
            "      service-chain."
        })
public final class PaperCommand implements Callable<Integer> {
    static final Set<Row> ROWS = Collections.unmodifiableSet(EnumSet.of(
            Row.STREAM_64,
            Row.STREAM_1K,
            Row.STREAM_4K,
            Row.STREAM_16K,
            Row.STREAM_64K,
            Row.STREAM_256K,
            Row.STREAM_1M,
            Row.STREAM_4M,
            Row.RATE,
            Row.RATE_LIMIT_1,
            Row.RATE_LIMIT_10,
            Row.RATE_LIMIT_40,
            Row.PING_PONG_64,
            Row.PING_PONG_8K,
            Row.SCALE_1,
            Row.SCALE_16,
            Row.SCALE_128,
            Row.SCALE_512,
            Row.SCALE_4096,
            Row.SCALE_32X128,
            Row.PAIRS_16,
            Row.PAIRS_512,
            Row.MEMORY,
            Row.ALLREDUCE_2,
            Row.ALLREDUCE_4,
            Row.ALLREDUCE_8,
            Row.ALLREDUCE_2_LIB,
            Row.ALLREDUCE_4_LIB,
            Row.SERVICE_CHAIN));

    /** At least one row of each figure. */
    static final Set<Row> QUICK_ROWS = Collections.unmodifiableSet(EnumSet.of(
            Row.STREAM_64,
            Row.STREAM_4K,
            Row.STREAM_64K,
            Row.STREAM_1M,
            Row.RATE,
            Row.RATE_LIMIT_10,
            Row.PING_PONG_64,
            Row.PING_PONG_8K,
            Row.SCALE_1,
            Row.SCALE_128,
            Row.SCALE_512,
            Row.PAIRS_16,
            Row.PAIRS_512,
            Row.MEMORY,
            Row.ALLREDUCE_2,
            Row.SERVICE_CHAIN));

    private static final List<PaperTransport> QUICK_TRANSPORTS =
            List.of(PaperTransport.TCP, PaperTransport.DIRECT, PaperTransport.DEVICE);

    /** Idle connections whose memory is measured, after as many others: 10,000 in all. */
    private static final int IDLE = 5000;

    private static final int QUICK_IDLE = 500;
    private static final String FIGURES = "paper.csv";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--quick",
            description = "One short run of some rows, on TCP, DIRECT and DEVICE, in about 5 minutes.")
    private boolean quick;

    @Mixin
    private MeasureArguments arguments;

    @Option(
            names = "--transports",
            split = ",",
            paramLabel = "NAME",
            description = "Transports to measure: ${COMPLETION-CANDIDATES} (default: all).")
    private List<PaperTransport> transports = List.of();

    @Option(
            names = "--add",
            description = "Add to the figures of earlier calls, of which paper.csv in the output directory has the"
                    + " figures: to measure rows, transports and runs one after the other.")
    private boolean add;

    /** Creates the command; the command line does. */
    public PaperCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        NetOptions options = options();
        PrintWriter err = spec.commandLine().getErr();
        if (ProcessFacts.effectiveUid() != 0) {
            err.println("bench paper needs root, because it makes network namespaces and a bridge");
            return CommandLine.ExitCode.SOFTWARE;
        }
        if (!NetworkNamespace.isInside()) {
            OptionalInt exit = NetworkNamespace.run(
                    spec.root().commandLine().getParseResult().originalArgs(), List.of("--mount"));
            if (exit.isEmpty()) {
                err.println("bench paper cannot make a network namespace here: that needs CAP_SYS_ADMIN,"
                        + " CAP_NET_ADMIN, unshare(1) and ip(8)");
            }
            return exit.orElse(CommandLine.ExitCode.SOFTWARE);
        }
        NetworkNamespace.enter();
        Path directory = arguments.directory();
        Figures figures = new Figures();
        Path earlier = directory.resolve(FIGURES);
        if (add && Files.exists(earlier)) {
            figures.load(earlier, List.of(PaperTransport.values()));
        }
        Map<String, String> facts = RunFacts.machine();
        facts.put("network", Bridge.describe());
        new NetBenchmark(options, figures, err).run();
        facts.putAll(RunFacts.measured(options, figures));
        facts.put("bytes", bytes(figures));
        figures.save(earlier);
        write(new PaperReport(figures), facts, directory);
        return figures.hasFailures() ? 1 : 0;
    }

    private void write(PaperReport report, Map<String, String> facts, Path directory) throws IOException {
        String text = report.text(facts);
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
        Files.writeString(directory.resolve("paper.txt"), text);
        Files.writeString(directory.resolve("paper.html"), report.html(facts));
        spec.commandLine().getErr().println("the report is in " + directory);
    }

    /** How the data are checked; a wrong byte makes a row fail. */
    private static String bytes(Figures figures) {
        return String.format(
                Locale.ROOT,
                "the receiver of a stream checks a word of each piece, and every byte for 50 ms after the measurement;"
                        + " all bytes sent must have arrived: %.1f GB in this call",
                figures.moved() / 1e9);
    }

    /** What the command line asks for. */
    NetOptions options() {
        arguments.check(spec.commandLine(), quick);
        return new NetOptions(
                chosenTransports(),
                arguments.rows(spec.commandLine(), ROWS, quick ? QUICK_ROWS : ROWS),
                arguments.runs(quick),
                arguments.warmUpMillis(quick),
                arguments.measureMillis(quick),
                0,
                0,
                0,
                quick ? QUICK_IDLE : IDLE,
                0,
                false,
                false,
                arguments.javaOptions());
    }

    private List<PaperTransport> chosenTransports() {
        if (!transports.isEmpty()) {
            return transports;
        }
        return quick ? QUICK_TRANSPORTS : List.of(PaperTransport.values());
    }
}
