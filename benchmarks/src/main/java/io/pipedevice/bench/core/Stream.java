// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * One measurement of messages in one direction, over all connections together.
 *
 * @param gbPerSecond payload, in 10^9 bytes per second
 * @param messages per second
 * @param cpuPerGb CPU seconds per 10^9 bytes of payload, of each process
 * @param allocatedPerMessage bytes of heap that each process's data path allocated per message
 */
record Stream(double gbPerSecond, double messages, Map<Part, Double> cpuPerGb, Map<Part, Double> allocatedPerMessage) {
    /** A process of the measurement. */
    enum Part {
        CLIENT,
        SERVER,
        DRIVER
    }

    /** Each figure is the median of that figure over several measurements. */
    static Stream median(List<Stream> streams) {
        return new Stream(
                median(streams, Stream::gbPerSecond),
                median(streams, Stream::messages),
                medians(streams, Stream::cpuPerGb),
                medians(streams, Stream::allocatedPerMessage));
    }

    /** CPU seconds per 10^9 bytes in the two application processes together. */
    double applicationCpuPerGb() {
        return cpuPerGb.getOrDefault(Part.CLIENT, 0.0) + cpuPerGb.getOrDefault(Part.SERVER, 0.0);
    }

    /** CPU seconds per 10^9 bytes in all processes. */
    double totalCpuPerGb() {
        return cpuPerGb.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private static Map<Part, Double> medians(
            List<Stream> streams, java.util.function.Function<Stream, Map<Part, Double>> of) {
        Map<Part, Double> result = new EnumMap<>(Part.class);
        for (Part part : of.apply(streams.get(0)).keySet()) {
            result.put(part, median(streams, stream -> of.apply(stream).get(part)));
        }
        return result;
    }

    private static double median(List<Stream> streams, ToDoubleFunction<Stream> of) {
        double[] sorted = streams.stream().mapToDouble(of).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
