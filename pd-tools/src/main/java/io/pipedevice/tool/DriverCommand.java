// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.DriverOption;
import io.pipedevice.driver.PipeDeviceDriver;
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
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a driver in the foreground until the process gets a signal to end. */
@Command(
        name = "driver",
        modelTransformer = DriverCommand.DriverOptions.class,
        description = "Run a driver for the processes of this host, in the foreground.",
        footer = {
            "",
            "SIGTERM and SIGINT stop it cleanly. Options that are not given come from the",
            "properties pipedevice.driver.*, set by PIPEDEVICE_JAVA_OPTS."
        })
final class DriverCommand implements Callable<Integer> {
    private static final long STOP_TIMEOUT_S = 10;

    /** Between the names of devices. */
    private static final String SEPARATOR = ",";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--dir",
            required = true,
            paramLabel = "DIR",
            description = "Directory of the driver's socket and lock; created if it is missing.")
    private Path directory;

    @Option(
            names = "--metrics",
            paramLabel = "HOST:PORT",
            converter = HostPortConverter.class,
            description = "Serve metrics to Prometheus there, by HTTP at /metrics (default: none).")
    private InetSocketAddress metrics;

    /** Adds the options that configure the driver. Their values are as the user wrote them. */
    static final class DriverOptions implements IModelTransformer {
        @Override
        public CommandSpec transform(CommandSpec spec) {
            for (DriverOption option : DriverOption.values()) {
                if (option.commandLineName() != null) {
                    spec.addOption(option(option));
                }
            }
            return spec;
        }

        private static OptionSpec option(DriverOption option) {
            OptionSpec.Builder builder = OptionSpec.builder(option.commandLineName())
                    .paramLabel(option.parameter())
                    .description(option.description() + " (default: " + option.defaultText() + "; allowed: "
                            + option.allowed() + ").");
            if (!option.words().isEmpty()) {
                builder.completionCandidates(option.words());
            }
            return option == DriverOption.DEVICE
                    ? builder.type(List.class)
                            .auxiliaryTypes(String.class)
                            .splitRegex(SEPARATOR)
                            .build()
                    : builder.type(String.class).build();
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
     * @throws IllegalArgumentException if the value of a property is not allowed
     * @throws ParameterException if the value of an option is not allowed
     */
    DriverContext context() {
        if (directory.toString().isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--dir: the directory is empty");
        }
        DriverContext context = new DriverContext().directory(directory);
        for (DriverOption option : DriverOption.values()) {
            String name = option.commandLineName();
            Object value = name == null ? null : spec.findOption(name).getValue();
            if (value != null) {
                set(context, option, value instanceof List<?> list ? joined(list) : (String) value);
            }
        }
        return context;
    }

    private void set(DriverContext context, DriverOption option, String value) {
        try {
            context.set(option, value);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), option.commandLineName() + ": " + e.getMessage(), e);
        }
    }

    private static String joined(List<?> values) {
        return values.stream().map(String::valueOf).collect(Collectors.joining(SEPARATOR));
    }
}
