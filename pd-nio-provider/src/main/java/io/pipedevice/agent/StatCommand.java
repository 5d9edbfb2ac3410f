// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import io.pipedevice.driver.DriverStat;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the counters of a running driver. */
@Command(name = "stat", description = "Print the counters of a driver.")
final class StatCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--dir", required = true, paramLabel = "DIR", description = "The driver's directory.")
    private Path directory;

    @Option(names = "--watch", description = "Print them again and again, with the change per second.")
    private boolean watch;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "Time between two looks, 1 to 3600 (default: ${DEFAULT-VALUE}).")
    private int intervalSeconds;

    @Option(names = "--count", paramLabel = "N", description = "With --watch: stop after so many looks.")
    private long count = Long.MAX_VALUE;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (intervalSeconds < 1 || intervalSeconds > 3600) {
            throw new IllegalArgumentException("--interval must be from 1 to 3600 seconds: " + intervalSeconds);
        }
        try (DriverStat stat = DriverStat.open(directory)) {
            Map<String, Long> before = new HashMap<>();
            print(stat.values(), before);
            for (long i = 1; watch && i < count; i++) {
                TimeUnit.SECONDS.sleep(intervalSeconds);
                print(stat.values(), before);
            }
        }
        return 0;
    }

    private void print(List<DriverStat.Value> values, Map<String, Long> before) {
        PrintWriter out = spec.commandLine().getOut();
        values.sort(Comparator.comparingInt(DriverStat.Value::container).thenComparingInt(DriverStat.Value::type));
        for (DriverStat.Value value : values) {
            Long last = before.put(value.label(), value.value());
            String change = last == null ? "" : String.format("%,+20d/s", (value.value() - last) / intervalSeconds);
            out.printf("%,20d%s  %s%n", value.value(), change, value.label());
        }
        if (watch) {
            out.println();
        }
        out.flush();
    }
}
