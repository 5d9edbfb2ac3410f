// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.device;

import io.pipedevice.bench.Machine;
import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.DeviceSettings;
import io.pipedevice.driver.DeviceMaker;
import io.pipedevice.tool.SizeConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures devices by themselves. */
@Command(
        name = "device",
        description = "Measure the devices that copy, by themselves: without a driver, without sockets.",
        footer = {
            "",
            "One thread submits commands and takes completions, as a driver does. Each device is",
            "checked first: copies of any size and alignment, compared byte by byte."
        })
public final class DeviceCommand implements Callable<Integer> {
    private static final int MAX_LANES = 256;
    private static final int QUEUE_DEPTH = 1024;
    private static final int MAX_TRANSFER = 1 << 20;
    private static final int CHECK_ROUNDS = 20;
    private static final double NANOS_TO_MICROS = 1000;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(4);
    private static final int PAUSED_SIZE = 64;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--device",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "emulator",
            description = "Devices to measure: names as the driver's --device takes them (default: ${DEFAULT-VALUE}).")
    private List<String> devices;

    @Option(
            names = "--lanes",
            split = ",",
            paramLabel = "N",
            defaultValue = "1,4",
            description = "Lanes of emulators, models and GPUs (default: ${DEFAULT-VALUE}).")
    private List<Integer> lanes;

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "SIZE",
            defaultValue = "64,1k,4k,16k,64k",
            converter = SizeConverter.class,
            description =
                    "Sizes of commands, 1 to 1m; a device leaves out what it cannot take (default: ${DEFAULT-VALUE}).")
    private List<Long> sizes;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "0.5",
            description = "Length of each measurement; the warm-up takes half of it (default: ${DEFAULT-VALUE}).")
    private double seconds;

    private PrintWriter out;

    /** Creates the command; the command line does. */
    public DeviceCommand() {}

    @Override
    public Integer call() {
        check();
        out = spec.commandLine().getOut();
        out.printf(Locale.ROOT, "date     %s%n", LocalDate.now(ZoneOffset.UTC));
        out.printf(Locale.ROOT, "machine  %s, load average before %s%n", Machine.processors(), Machine.loadAverage());
        out.printf(Locale.ROOT, "kernel   %s%n", Machine.kernel());
        out.printf(Locale.ROOT, "JVM      %s%n", Machine.jvm());
        boolean failed = false;
        for (String name : devices) {
            for (int count : lanes) {
                try {
                    measure(name.strip(), count);
                } catch (IOException | IllegalArgumentException e) {
                    failed = true;
                    out.printf(Locale.ROOT, "%n%s is not measured: %s%n", name, e.getMessage());
                }
                out.flush();
            }
        }
        return failed ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    private void check() {
        if (lanes.stream().anyMatch(count -> count < 1 || count > MAX_LANES)) {
            throw new ParameterException(spec.commandLine(), "--lanes must be from 1 to " + MAX_LANES);
        }
        if (sizes.stream().anyMatch(size -> size < 1 || size > MAX_TRANSFER)) {
            throw new ParameterException(spec.commandLine(), "--sizes must be from 1 to 1m");
        }
        if (!(seconds >= 0.01 && seconds <= 60)) {
            throw new ParameterException(spec.commandLine(), "--seconds must be from 0.01 to 60");
        }
    }

    private void measure(String name, int count) throws IOException {
        int largest = (int) (long) sizes.stream().max(Long::compare).orElseThrow();
        Device device = new DeviceMaker(new DeviceSettings(
                        count, Math.max(largest, 64 << 10), QUEUE_DEPTH, TimeUnit.SECONDS.toNanos(1)))
                .make(name);
        List<DeviceHealth> health = device.health();
        try (DeviceBench bench = new DeviceBench(device)) {
            out.printf(Locale.ROOT, "%n%s: '%s', lanes: %d%n", name, bench.name(), bench.lanes());
            out.printf(Locale.ROOT, "  %d bytes checked%n", bench.check(CHECK_ROUNDS));
            out.printf(
                    Locale.ROOT,
                    "  %-24s %10s %10s %10s %10s %8s%n",
                    "",
                    "p50 us",
                    "p99 us",
                    "p99.9 us",
                    "M/s",
                    "GB/s");
            for (long size : sizes) {
                if (bench.takes((int) size)) {
                    bench.single((int) size, 0, nanos() / 2);
                    Histogram times = bench.single((int) size, 0, nanos());
                    bench.stream((int) size, nanos() / 2);
                    double rate = bench.stream((int) size, nanos());
                    row(size + " B", times, String.format(Locale.ROOT, "%10.3f %8.2f", rate / 1e6, rate * size / 1e9));
                }
            }
            row(PAUSED_SIZE + " B after 4 ms", bench.single(PAUSED_SIZE, PAUSE_NS, nanos()), "");
            row("64 B behind a stream", bench.besideStream(0, nanos()), "");
            if (bench.lanes() > 1) {
                row("64 B on another lane", bench.besideStream(bench.lanes() - 1, nanos()), "");
            }
            out.printf(Locale.ROOT, "  %d commands failed; %s%n", bench.failed(), replaced(health));
        }
    }

    private long nanos() {
        return (long) (seconds * 1e9);
    }

    private void row(String title, Histogram times, String rates) {
        out.printf(
                Locale.ROOT,
                "  %-24s %10.2f %10.2f %10.2f %s%n",
                title,
                times.getValueAtPercentile(50) / NANOS_TO_MICROS,
                times.getValueAtPercentile(99) / NANOS_TO_MICROS,
                times.getValueAtPercentile(99.9) / NANOS_TO_MICROS,
                rates);
    }

    /** What a guarded device did not do itself. */
    private static String replaced(List<DeviceHealth> health) {
        long emulated = 0;
        long resets = 0;
        for (DeviceHealth one : health) {
            emulated += one.get(DeviceHealth.Event.EMULATED);
            resets += one.get(DeviceHealth.Event.RESET);
        }
        return "an emulator executed " + emulated + " in place of the device; " + resets + " resets";
    }
}
