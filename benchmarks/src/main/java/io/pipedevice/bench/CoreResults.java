// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench;

import io.pipedevice.bench.Stream.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The results of the measurements. Used by one thread. */
final class CoreResults {
    private record Key(Transport transport, Phase phase, int size) {}

    private final Map<Key, List<Stream>> streams = new HashMap<>();
    private final Map<Key, Histogram> latencies = new HashMap<>();
    private final Map<Key, Map<Part, Map<String, Double>>> systemCalls = new HashMap<>();

    void add(Transport transport, Phase phase, int size, Stream stream) {
        streams.computeIfAbsent(new Key(transport, phase, size), key -> new ArrayList<>())
                .add(stream);
    }

    void add(Transport transport, int size, Histogram histogram) {
        latencies.merge(new Key(transport, Phase.PING_PONG, size), histogram, (sum, one) -> {
            sum.add(one);
            return sum;
        });
    }

    void add(Transport transport, Phase phase, int size, Map<Part, Map<String, Double>> calls) {
        systemCalls.put(new Key(transport, phase, size), calls);
    }

    /** Medians over all runs, or null if there was none. */
    Stream stream(Transport transport, Phase phase, int size) {
        List<Stream> all = streams.get(new Key(transport, phase, size));
        return all == null ? null : Stream.median(all);
    }

    /** The round trips of all runs together, in nanoseconds, or null if there were none. */
    Histogram latency(Transport transport, int size) {
        return latencies.get(new Key(transport, Phase.PING_PONG, size));
    }

    /** System calls per message, by name, or null if they were not counted. */
    Map<Part, Map<String, Double>> systemCalls(Transport transport, Phase phase, int size) {
        return systemCalls.get(new Key(transport, phase, size));
    }
}
