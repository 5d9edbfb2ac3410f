// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool;

import io.pipedevice.driver.DriverStat;
import io.pipedevice.nio.stat.JvmStat;
import io.pipedevice.tool.doctor.Inspection;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the counters of a running driver, or of the JVMs of this host. */
@Command(
        name = "stat",
        description = "Print the counters of the JVMs of this host that use PipeDevice, or of a driver.",
        footer = {
            "",
            "Without --dir and PID: the JVMs of this user, or of all users for root.",
            "Counters that are 0 are left out, except with --all."
        })
final class StatCommand implements Callable<Integer> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    /** As wide as a value. */
    private static final String INDENT = " ".repeat(22);

    @Spec
    private CommandSpec spec;

    @Option(names = "--dir", paramLabel = "DIR", description = "The directory of the driver whose counters to print.")
    private Path directory;

    @Parameters(arity = "0..*", paramLabel = "PID", description = "Processes whose counters to print.")
    private List<String> processes = List.of();

    private List<Integer> pids = List.of();

    @Option(names = "--all", description = "Print counters that are 0, too.")
    private boolean all;

    @Option(names = "--watch", description = "Repeat the report, with the change per second.")
    private boolean watch;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "Time between two reports, 1 to 3600 (default: ${DEFAULT-VALUE}).")
    private int intervalSeconds;

    @Option(names = "--count", paramLabel = "N", description = "With --watch: stop after N reports.")
    private long count = Long.MAX_VALUE;

    private final Map<String, Long> before = new HashMap<>();

    /** Whether one of the processes had no counters. */
    private boolean failed;

    /** Whether no process is left whose counters could be printed again. */
    private boolean ended;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (intervalSeconds < 1 || intervalSeconds > 3600) {
            throw new ParameterException(
                    spec.commandLine(), "--interval must be from 1 to 3600 seconds: " + intervalSeconds);
        }
        pids = numbers();
        if (directory != null && !pids.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "either --dir, for a driver, or processes: " + pids);
        }
        if (!pids.isEmpty()) {
            look(this::printProcesses);
        } else if (directory == null) {
            look(() -> printJvms(JvmStat.all(), JvmStat.ofOtherVersions()));
        } else {
            try (DriverStat stat = DriverStat.open(directory)) {
                look(() -> printDriver(stat.values()));
            }
        }
        return failed ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    private List<Integer> numbers() {
        List<Integer> numbers = new ArrayList<>();
        for (String process : processes) {
            if (!process.matches("[0-9]{1,9}")) {
                throw new ParameterException(spec.commandLine(), "'" + process + "' is no process number");
            }
            numbers.add(Integer.valueOf(process));
        }
        return numbers;
    }

    /** Prints the numbers; called once or repeatedly. */
    private interface Look {
        void print() throws IOException;
    }

    private void look(Look look) throws IOException, InterruptedException {
        look.print();
        // Check for an error of the output, because a JVM gets no signal when the reader of its output has gone.
        for (long i = 1;
                watch && !ended && i < count && !spec.commandLine().getOut().checkError();
                i++) {
            TimeUnit.SECONDS.sleep(intervalSeconds);
            look.print();
        }
    }

    private void printDriver(List<DriverStat.Value> values) {
        values.sort(Comparator.comparingInt(DriverStat.Value::attachment).thenComparingInt(DriverStat.Value::type));
        for (DriverStat.Value value : values) {
            print("", value.label(), value.value());
        }
        end();
    }

    private void printProcesses() {
        List<JvmStat> found = new ArrayList<>();
        for (int pid : pids) {
            JvmStat jvm = JvmStat.of(pid);
            if (jvm == null) {
                PrintWriter err = spec.commandLine().getErr();
                err.println("pipedevice: " + Inspection.whyNoCounters(pid, "stat"));
                err.flush();
                failed = true;
            } else {
                found.add(jvm);
            }
        }
        ended = found.isEmpty();
        if (!ended) {
            printJvms(found, List.of());
        }
    }

    private void printJvms(List<JvmStat> jvms, List<Integer> otherVersions) {
        PrintWriter out = spec.commandLine().getOut();
        if (jvms.isEmpty() && otherVersions.isEmpty()) {
            out.println("no JVM of this user uses PipeDevice");
        }
        for (JvmStat jvm : jvms) {
            String name = Integer.toString(jvm.pid());
            String own = jvm.ownPid() == jvm.pid() ? "" : " (" + jvm.ownPid() + " in its container)";
            out.println(name + own + "  " + jvm.program() + ", since " + TIME.format(jvm.start()));
            if (!jvm.whyOff().isEmpty()) {
                out.println(INDENT + "off: " + jvm.whyOff());
            } else if (jvm.client() + jvm.accepted() == 0 && jvm.onKernel().isEmpty()) {
                out.println(INDENT + "no connection of java.nio yet");
            }
            jvm.switched().forEach(type -> out.println(INDENT + "switched to java.nio: " + type));
            print(name, "accelerated connections as client", jvm.client());
            print(name, "accelerated connections accepted", jvm.accepted());
            print(name, "accelerated connections open", jvm.open());
            print(name, "accelerated connections direct", jvm.direct());
            print(name, "accelerated connections through the driver's device", jvm.device());
            print(name, "accelerated connections reset: peer broke the protocol", jvm.violated());
            print(name, "clients refused: other user", jvm.strangers());
            print(name, "descriptors of peers being closed", jvm.closing());
            print(name, "mappings of peers' memory", jvm.mapped());
            print(name, "rings of peers refused", jvm.ringsRefused());
            print(name, "bytes of own rings", jvm.ringBytes());
            print(name, "bytes of own rings: the most allowed", jvm.ringBudget());
            print(name, "growths of own rings refused: no memory left for rings", jvm.growthsRefused());
            print(name, "writes that found a ring full: cut short", jvm.writesCut());
            print(name, "writes that found a ring full: waited", jvm.writesWaited());
            print(name, "bytes sent on rings", jvm.bytesSent());
            print(name, "bytes received on rings", jvm.bytesReceived());
            jvm.onKernel().forEach((reason, number) -> print(name, "connections on the kernel: " + reason, number));
        }
        for (int pid : otherVersions) {
            out.println(pid + "  has another version of PipeDevice; its own pipedevice.jar prints its counters");
        }
        end();
    }

    /** Prints a counter, unless it is and was 0. */
    private void print(String owner, String label, long value) {
        if (value == 0 && !all && !before.containsKey(owner + label)) {
            return;
        }
        Long last = before.put(owner + label, value);
        String change = last == null ? "" : String.format(Locale.ROOT, "%,+20d/s", (value - last) / intervalSeconds);
        spec.commandLine().getOut().printf(Locale.ROOT, "%,20d%s  %s%n", value, change, label);
    }

    private void end() {
        if (watch) {
            spec.commandLine().getOut().println();
        }
        spec.commandLine().getOut().flush();
    }
}
