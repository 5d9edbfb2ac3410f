// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.region;

import io.pipedevice.active.Regions;
import io.pipedevice.bench.HelperProcess;
import io.pipedevice.client.DriverDirectory;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.lib.PdOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures one-sided operations on a region of another process. */
@Command(
        name = "regions",
        description = "Measure one-sided operations on a region of another process, through a driver process.",
        footer = {
            "",
            "FreeFlow (NSDI '19) has 2.4 us in its fast mode, in which the router polls, and 17 us in its",
            "mode for little processor time."
        })
public final class RegionsCommand implements Callable<Integer> {
    private static final long AWAKE_NS = 10_000_000_000L;
    private static final long PAUSE_NS = 2_000_000;
    private static final long[] RATES = {125_000_000L, 1_250_000_000L, 2_500_000_000L};

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "1",
            description = "Length of each measurement (default: ${DEFAULT-VALUE}); the warm-up takes as long.")
    private double seconds;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            defaultValue = "512",
            description = "Queue pairs of the second table (default: ${DEFAULT-VALUE}).")
    private int pairs;

    /** Creates the command; picocli does. */
    public RegionsCommand() {}

    @Override
    public Integer call() throws IOException {
        if (!(seconds >= 0.01 && seconds <= 60)) {
            throw new ParameterException(spec.commandLine(), "--seconds must be 0.01 to 60: " + seconds);
        }
        if (pairs < 1 || pairs > 1024) {
            throw new ParameterException(spec.commandLine(), "--pairs must be 1 to 1024: " + pairs);
        }
        PrintWriter out = spec.commandLine().getOut();
        spin(1000);
        out.println("driver and client poll");
        measure(out, AWAKE_NS, 0);
        spin(0);
        out.println("driver and client sleep; 2 ms between operations");
        measure(out, 0, PAUSE_NS);
        spin(100);
        for (long rate : RATES) {
            rate(out, rate);
        }
        out.flush();
        return 0;
    }

    private static void spin(int micros) {
        System.setProperty(PdOptions.SPIN_PROPERTY, Integer.toString(micros));
    }

    private interface Measurement {
        void run(RegionTimes times, HelperProcess driver) throws IOException;
    }

    private void with(long spinNs, long rate, Measurement measurement) throws IOException {
        Path directory = Files.createTempDirectory("pd-bench");
        try (HelperProcess driver = HelperProcess.start(
                        RegionHelper.class,
                        "driver",
                        directory.toString(),
                        Long.toString(spinNs),
                        Long.toString(rate),
                        DataPath.DEVICE.name());
                HelperProcess owner = HelperProcess.start(
                        RegionHelper.class, "owner", directory.toString(), Integer.toString(RegionTimes.SIZE));
                Regions regions = Regions.attach(DriverDirectory.at(directory), pairs, 64);
                RegionTimes times = new RegionTimes(regions)) {
            long before = owner.processorNs();
            measurement.run(times, driver);
            long owners = owner.processorNs() - before;
            if (owners > seconds * 1e8) {
                spec.commandLine().getErr().println("the owner used " + owners / 1_000_000 + " ms of processor time");
            }
        } finally {
            try (var files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(directory);
        }
    }

    private void measure(PrintWriter out, long spinNs, long pauseNs) throws IOException {
        with(spinNs, 0, (times, driver) -> {
            for (RegionTimes.Operation operation : RegionTimes.Operation.values()) {
                times.latency(operation, seconds, pauseNs);
            }
            for (RegionTimes.Operation operation : RegionTimes.Operation.values()) {
                Histogram histogram = times.latency(operation, seconds, pauseNs);
                out.printf(
                        Locale.ROOT,
                        "  %-18s p50 %8.2f us   p99 %8.2f us   of %d%n",
                        operation.label,
                        histogram.getValueAtPercentile(50) / 1e3,
                        histogram.getValueAtPercentile(99) / 1e3,
                        histogram.getTotalCount());
            }
            if (pauseNs == 0) {
                many(out, times, pairs, 1);
                many(out, times, 1, 64);
            }
        });
    }

    private void many(PrintWriter out, RegionTimes times, int queues, int outstanding) throws IOException {
        for (RegionTimes.Operation operation :
                new RegionTimes.Operation[] {RegionTimes.Operation.ADD, RegionTimes.Operation.WRITE_64}) {
            Histogram histogram = new Histogram(10_000_000_000L, 3);
            times.throughput(operation, queues, outstanding, seconds, histogram);
            histogram.reset();
            double rate = times.throughput(operation, queues, outstanding, seconds, histogram);
            out.printf(
                    Locale.ROOT,
                    "  %d queue pairs, %d outstanding, %s: %.2f million/s, p50 %.1f us, p99 %.1f us%n",
                    queues,
                    outstanding,
                    operation.label,
                    rate / 1e6,
                    histogram.getValueAtPercentile(50) / 1e3,
                    histogram.getValueAtPercentile(99) / 1e3);
        }
    }

    private void rate(PrintWriter out, long rate) throws IOException {
        with(100_000, rate, (times, driver) -> {
            times.rate(seconds);
            out.printf(Locale.ROOT, "limit %.2f Gbit/s: %.3f Gbit/s%n", rate * 8 / 1e9, times.rate(seconds) * 8 / 1e9);
        });
    }
}
