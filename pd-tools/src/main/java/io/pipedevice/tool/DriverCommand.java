// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.tool.metrics.MetricsServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a driver in the foreground until the process gets a signal to end. */
@Command(
        name = "driver",
        description = "Run a driver for the processes of this host, in the foreground.",
        footer = {
            "",
            "SIGTERM and SIGINT stop it cleanly. Options that are not given come from the",
            "properties pipedevice.driver.*, set by PIPEDEVICE_JAVA_OPTS."
        })
final class DriverCommand implements Callable<Integer> {
    private static final long STOP_TIMEOUT_S = 10;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--dir",
            required = true,
            paramLabel = "DIR",
            description = "Directory of the driver's socket and lock; created if it is missing.")
    private Path directory;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            split = ",",
            description = "The device that copies: emulator (the default), vfio:ADDRESS (a PCI function), or"
                    + " cuda:NUMBER (a GPU; cuda:NUMBER/engines for its copy engines)."
                    + " Several devices, by several options or separated by commas, share the connections.")
    private List<String> devices;

    @Option(
            names = "--max-processes",
            paramLabel = "N",
            description = "Largest number of attached processes at a time (default: 1024).")
    private Integer maxProcesses;

    @Option(
            names = "--max-sockets",
            paramLabel = "N",
            description = "Largest number of sockets of a process (default: 65535).")
    private Integer maxSockets;

    @Option(
            names = "--max-memory",
            paramLabel = "BYTES",
            converter = SizeConverter.class,
            description =
                    "Largest memory of a process's send rings, and of its receive rings (default: 1g; at least 4m).")
    private Long maxMemory;

    @Option(
            names = "--total-memory",
            paramLabel = "BYTES",
            converter = SizeConverter.class,
            description = "Largest memory of the receive rings of all processes (default: half of the machine's).")
    private Long totalMemory;

    @Option(
            names = "--rate",
            paramLabel = "BYTES",
            converter = SizeConverter.class,
            description = "Bytes per second that a process may send (default: 0, no limit).")
    private Long rate;

    @Option(
            names = "--threading",
            converter = ThreadingConverter.class,
            completionCandidates = ThreadingConverter.class,
            description =
                    "Run the engine on the driver's thread or on one of its own: ${COMPLETION-CANDIDATES} (default: shared).")
    private DriverContext.Threading threading;

    @Option(
            names = "--policy",
            paramLabel = "same-user|any|FILE",
            description = "Which programs may connect to each other: those of the same user (the default), any, or as a"
                    + " file of rules says (docs/policy.md).")
    private String policy;

    @Option(
            names = "--path",
            converter = PathConverter.class,
            completionCandidates = PathConverter.class,
            description = {
                "How data go between programs: ${COMPLETION-CANDIDATES} (default: direct).",
                "direct: each reads the other one's rings. device: the driver copies."
            })
    private DataPath path;

    @Option(
            names = "--lanes",
            paramLabel = "N",
            description = "Lanes of the emulator and of the model (default: 4, or one for each processor).")
    private Integer lanes;

    @Option(
            names = "--max-transfer",
            paramLabel = "BYTES",
            converter = SizeConverter.class,
            description = "Longest copy of one command (default: 64k).")
    private Long maxTransfer;

    @Option(
            names = "--metrics",
            paramLabel = "HOST:PORT",
            converter = HostPortConverter.class,
            description = "Serve metrics to Prometheus there, by HTTP at /metrics (default: none).")
    private InetSocketAddress metrics;

    private static final class ThreadingConverter extends ChoiceConverter<DriverContext.Threading> {
        ThreadingConverter() {
            super(DriverContext.Threading.class);
        }
    }

    private static final class PathConverter extends ChoiceConverter<DataPath> {
        PathConverter() {
            super(DataPath.class);
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        ServiceManager manager = new ServiceManager(System.getenv(ServiceManager.VARIABLE));
        try (PipeDeviceDriver driver = launch();
                MetricsServer server = metrics == null ? null : MetricsServer.open(metrics, directory)) {
            PrintWriter out = spec.commandLine().getOut();
            if (server != null) {
                out.println("metrics at " + server);
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> awaitStop(stop, stopped), "pd-driver-stop"));
            out.println(driver + " ready on " + directory);
            out.flush();
            manager.report(ServiceManager.READY);
            stop.await();
            manager.report(ServiceManager.STOPPING);
        } finally {
            stopped.countDown();
        }
        return 0;
    }

    /** Delays the end of the process until the driver has released everything. */
    private static void awaitStop(CountDownLatch stop, CountDownLatch stopped) {
        stop.countDown();
        try {
            if (stopped.await(STOP_TIMEOUT_S, TimeUnit.SECONDS)) {
                // A requested stop is not a failure. Without this call the exit code would be the signal's.
                Runtime.getRuntime().halt(CommandLine.ExitCode.OK);
            } else {
                new LazyLogger(DriverCommand.class)
                        .get()
                        .log(System.Logger.Level.WARNING, "the driver did not stop within {0} s", STOP_TIMEOUT_S);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private PipeDeviceDriver launch() throws IOException {
        try {
            return PipeDeviceDriver.launch(context());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * The configuration from the options and the properties.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    DriverContext context() {
        if (directory.toString().isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--dir: the directory is empty");
        }
        DriverContext context = new DriverContext().directory(directory);
        if (devices != null) {
            context.devices(String.join(",", devices));
        }
        if (maxProcesses != null) {
            context.maxProcesses(maxProcesses);
        }
        if (maxSockets != null) {
            context.maxSockets(maxSockets);
        }
        if (maxMemory != null) {
            context.maxMemory(maxMemory);
        }
        if (totalMemory != null) {
            context.totalMemory(totalMemory);
        }
        if (rate != null) {
            context.rate(rate);
        }
        if (threading != null) {
            context.threading(threading);
        }
        if (policy != null) {
            context.policy(policy);
        }
        if (path != null) {
            context.path(path);
        }
        if (lanes != null) {
            context.lanes(lanes);
        }
        if (maxTransfer != null) {
            context.maxTransfer((int) Math.min(maxTransfer, Integer.MAX_VALUE));
        }
        return context;
    }
}
