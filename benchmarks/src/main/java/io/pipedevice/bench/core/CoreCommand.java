// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import io.pipedevice.bench.Machine;
import io.pipedevice.bench.NetworkNamespace;
import io.pipedevice.bench.Project;
import io.pipedevice.bench.Strace;
import io.pipedevice.driver.Threading;
import io.pipedevice.tool.SizeConverter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares PD Lib through a driver process with blocking java.nio on TCP. */
@Command(
        name = "core",
        description =
                "Compare PD Lib without a copy, through a driver process and its device, with blocking java.nio on TCP loopback.",
        footer = {
            "",
            "Server, client and driver are JVMs of their own, with the flags of this one",
            "(PIPEDEVICE_JAVA_OPTS), in a network namespace of their own where possible.",
            "The report goes to standard output and to core.txt in the output directory,",
            "and the latencies' percentiles to files beside it. The exit code is 1 if the measurement of",
            "a device or of TCP failed; the others are in the report."
        })
public final class CoreCommand implements Callable<Integer> {
    private static final int NANOS_TO_MICROS = 1000;
    private static final int MAX_CONNECTIONS = 64;
    private static final int TICKS_PER_HALF_DISTANCE = 5;

    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "3 short runs, in 3 minutes with one device.")
    private boolean quick;

    @Option(names = "--runs", paramLabel = "N", description = "Runs of each device and of TCP (default: 5, quick 3).")
    private Integer runs;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Length of each measurement (default: 2, quick 1); the warm-up takes half of it.")
    private Double seconds;

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "SIZE",
            defaultValue = "64,1k,4k,64k,1m",
            converter = SizeConverter.class,
            description =
                    "Sizes of messages, multiples of 8 up to 4m (default: ${DEFAULT-VALUE}). Of more than 1m, PD Lib sends"
                            + " pieces of 1m.")
    private List<Long> sizes;

    @Option(
            names = "--transports",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "pipedevice,tcp",
            description = "Transports to measure: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<Transport> transports;

    @Option(
            names = "--device",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "emulator",
            description =
                    "Devices to measure, each with a driver of its own, in the same run as TCP: names as the driver's"
                            + " --device takes them (default: ${DEFAULT-VALUE}).")
    private List<String> devices;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Connections of a measurement one way, 1 to 64, each with a thread at each end; the report has"
                            + " their sum (default: ${DEFAULT-VALUE}). Round trips have 1.")
    private int connections;

    @Option(
            names = "--touch",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Also measure with the payload written and read (default: true).")
    private boolean touch;

    @Option(
            names = "--latency",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Also measure round trips (default: true).")
    private boolean latency;

    @Option(
            names = "--ring",
            paramLabel = "SIZE",
            defaultValue = "0",
            converter = SizeConverter.class,
            description = "PipeDevice's rings, 4k to 4m (default: 1m, and 4 messages up to 4m where that is more).")
    private long ring;

    @Option(
            names = "--threading",
            defaultValue = "SHARED",
            description = "Run the engine on the driver's thread or on one of its own: ${COMPLETION-CANDIDATES}.")
    private Threading threading;

    @Option(names = "--profile-alloc", description = "Show the bytes of heap allocated per message.")
    private boolean profileAllocation;

    @Option(names = "--strace", description = "Count system calls per message, in intervals of their own.")
    private boolean strace;

    @Option(names = "--no-namespace", description = "Stay in the caller's network namespace.")
    private boolean noNamespace;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Directory of the report (default: benchmarks/target/results of the project).")
    private Path output;

    /** Creates the command; picocli does. */
    public CoreCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        CoreOptions options = options();
        PrintWriter err = spec.commandLine().getErr();
        if (NetworkNamespace.isInside()) {
            NetworkNamespace.enter();
        } else if (!noNamespace) {
            List<String> args = spec.root().commandLine().getParseResult().originalArgs();
            OptionalInt exit = NetworkNamespace.run(args);
            if (exit.isPresent()) {
                return exit.getAsInt();
            }
            err.println("cannot create a network namespace (that needs root or user namespaces, unshare(1) and ip(8)):"
                    + " TCP keeps its settings here");
        }
        if (strace && !options.systemCalls()) {
            err.println("strace is not installed: system calls are not counted");
        }
        String load = Machine.loadAverage();
        CoreResults results = new CoreBenchmark(options, err).run();
        String report = new CoreReport(options, results)
                .text(new CoreFacts(options, results).lines(load, NetworkNamespace.isInside()), profileAllocation);
        PrintWriter out = spec.commandLine().getOut();
        out.print(report);
        out.flush();
        write(options, results, report);
        return results.failures().isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private CoreOptions options() {
        List<Integer> lengths = new ArrayList<>();
        for (long size : sizes) {
            if (size < 8 || size % 8 != 0 || size > CoreOptions.MAX_SIZE) {
                throw new ParameterException(
                        spec.commandLine(), "--sizes must be multiples of 8 from 8 to 4m, not " + size);
            }
            lengths.add((int) size);
        }
        int times = runs == null ? quick ? 3 : 5 : runs;
        double measure = seconds == null ? quick ? 1 : 2 : seconds;
        if (times < 1 || times > 1000 || !(measure >= 0.1 && measure <= 60)) {
            throw new ParameterException(spec.commandLine(), "--runs must be from 1 to 1000, --seconds from 0.1 to 60");
        }
        if (ring != 0 && (ring < 4 << 10 || ring > 4 << 20)) {
            throw new ParameterException(spec.commandLine(), "--ring must be from 4k to 4m, not " + ring);
        }
        if (connections < 1 || connections > MAX_CONNECTIONS) {
            throw new ParameterException(
                    spec.commandLine(), "--connections must be from 1 to " + MAX_CONNECTIONS + ", not " + connections);
        }
        if (devices.isEmpty() || devices.stream().anyMatch(String::isBlank)) {
            throw new ParameterException(spec.commandLine(), "--device: a name is empty");
        }
        List<Phase> phases = new ArrayList<>(List.of(Phase.UNTOUCHED));
        if (touch) {
            phases.add(Phase.TOUCHED);
        }
        if (latency) {
            phases.add(Phase.PING_PONG);
        }
        return new CoreOptions(
                Subject.of(transports, devices.stream().map(String::strip).toList()),
                lengths,
                phases,
                connections,
                times,
                (long) (measure * 500),
                (long) (measure * 1000),
                (int) ring,
                threading,
                strace && Strace.isAvailable());
    }

    private void write(CoreOptions options, CoreResults results, String report) throws IOException {
        Path directory = output == null ? Project.root().resolve("benchmarks/target/results") : output;
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("core.txt"), report);
        for (Subject subject : options.subjects()) {
            for (int size : options.sizes()) {
                Histogram histogram = results.latency(subject, size);
                if (histogram != null) {
                    String name = "core-" + subject.fileName() + "-" + size + ".hgrm";
                    try (PrintStream file = new PrintStream(
                            directory.resolve(name).toFile(), java.nio.charset.StandardCharsets.US_ASCII)) {
                        histogram.outputPercentileDistribution(file, TICKS_PER_HALF_DISTANCE, (double) NANOS_TO_MICROS);
                    }
                }
            }
        }
    }
}
