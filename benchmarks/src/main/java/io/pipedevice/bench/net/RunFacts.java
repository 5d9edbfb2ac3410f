// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import io.pipedevice.bench.Machine;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;

/** Facts for the head of a report, name and value. */
public final class RunFacts {
    private RunFacts() {}

    /**
     * What the machine is; call it before the measurement.
     *
     * @return facts, to which the caller may add
     */
    public static Map<String, String> machine() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        facts.put(
                "machine",
                Machine.processors() + ", " + Machine.memory() + ", load average before " + Machine.loadAverage());
        facts.put("kernel", Machine.kernel());
        facts.put("JVM", Machine.jvm());
        return facts;
    }

    /**
     * How long and how often something was measured.
     *
     * @param options of the benchmark
     * @param figures that were measured, now and before
     * @return facts
     */
    public static Map<String, String> measured(NetOptions options, Figures figures) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(
                "measured",
                options.measureMillis() + " ms after " + options.warmUpMillis() + " ms of warm-up, runs: "
                        + Math.max(options.runs(), figures.runs())
                        + ", each with new processes, transports in turn");
        if (!options.javaOptions().isEmpty()) {
            facts.put("JVM flags", String.join(" ", options.javaOptions()));
        }
        return facts;
    }
}
