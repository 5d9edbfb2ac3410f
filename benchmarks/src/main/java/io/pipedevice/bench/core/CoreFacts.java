// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import io.pipedevice.bench.Machine;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The facts on which the results depend: the machine, the conditions, what was measured and checked. */
final class CoreFacts {
    private final CoreOptions options;
    private final CoreResults results;

    CoreFacts(CoreOptions options, CoreResults results) {
        this.options = options;
        this.results = results;
    }

    /**
     * The facts, name and value.
     *
     * @param load of the processors before the measurements
     * @param namespace whether TCP has a network namespace of its own
     */
    Map<String, String> lines(String load, boolean namespace) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        facts.put("machine", Machine.processors() + ", " + Machine.memory() + ", load average before " + load);
        facts.put("kernel", Machine.kernel());
        facts.put("JVM", Machine.jvm());
        facts.put(
                "TCP",
                "loopback " + (namespace ? "of a namespace of its own" : "of the caller's namespace")
                        + ", congestion control " + Machine.congestionControl()
                        + ", TCP_NODELAY, buffers tuned by the kernel");
        facts.put(
                "PipeDevice",
                "engine " + options.threading().name().toLowerCase(Locale.ROOT) + ", rings of "
                        + options.sizes().stream()
                                .map(size -> CoreReport.size(options.ringFor(size)))
                                .collect(Collectors.joining(", ")));
        facts.put(
                "measured",
                options.measureMillis() + " ms after " + options.warmUpMillis() + " ms of warm-up, " + options.runs()
                        + " runs with new processes, devices and TCP in turn");
        for (Subject subject : options.subjects()) {
            LegFacts of = results.facts(subject);
            if (of != null) {
                if (of.device() != null) {
                    facts.put("device " + subject.title(), of.device().text());
                }
                facts.put("checked, " + subject.title(), checked(of));
            }
        }
        return facts;
    }

    private static String checked(LegFacts facts) {
        return String.format(
                Locale.ROOT,
                "%.2f GB arrived as counted by both ends, %.2f GB of them with the sum of all their words",
                facts.counted() / 1e9,
                facts.summed() / 1e9);
    }
}
