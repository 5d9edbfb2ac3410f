// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import io.pipedevice.bench.core.Stream.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The results of the measurements. Used by one thread. */
final class CoreResults {
    private record Key(Subject subject, Phase phase, int size) {}

    private final Map<Key, List<Stream>> streams = new HashMap<>();
    private final Map<Key, Histogram> latencies = new HashMap<>();
    private final Map<Key, Map<Part, Map<String, Double>>> systemCalls = new HashMap<>();
    private final Map<Subject, LegFacts> facts = new HashMap<>();
    private final Map<Subject, String> failures = new LinkedHashMap<>();

    void add(Subject subject, Phase phase, int size, Stream stream) {
        streams.computeIfAbsent(new Key(subject, phase, size), key -> new ArrayList<>())
                .add(stream);
    }

    void add(Subject subject, int size, Histogram histogram) {
        latencies.merge(new Key(subject, Phase.PING_PONG, size), histogram, (sum, one) -> {
            sum.add(one);
            return sum;
        });
    }

    void add(Subject subject, Phase phase, int size, Map<Part, Map<String, Double>> calls) {
        systemCalls.put(new Key(subject, phase, size), calls);
    }

    /** Adds the facts of one run. */
    void add(Subject subject, LegFacts one) {
        facts.merge(subject, one, LegFacts::plus);
    }

    /** Records why a subject's measurements ended. */
    void fail(Subject subject, String reason) {
        failures.put(subject, reason);
    }

    /** Medians over all runs, or null if there was none. */
    Stream stream(Subject subject, Phase phase, int size) {
        List<Stream> all = streams.get(new Key(subject, phase, size));
        return all == null ? null : Stream.median(all);
    }

    /** The round trips of all runs together, in nanoseconds, or null if there were none. */
    Histogram latency(Subject subject, int size) {
        return latencies.get(new Key(subject, Phase.PING_PONG, size));
    }

    /** System calls per message, by name, or null if they were not counted. */
    Map<Part, Map<String, Double>> systemCalls(Subject subject, Phase phase, int size) {
        return systemCalls.get(new Key(subject, phase, size));
    }

    /** The facts of all runs together, or null if there was none. */
    LegFacts facts(Subject subject) {
        return facts.get(subject);
    }

    /** The reasons of the subjects that failed. */
    Map<Subject, String> failures() {
        return failures;
    }
}
