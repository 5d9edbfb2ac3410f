// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class FiguresTest {
    private final Figures figures = new Figures();

    private void add(double... values) {
        for (double value : values) {
            figures.add(Row.STREAM_64, LocalTransport.TCP, Map.of(Metric.MESSAGES, value));
        }
    }

    private OptionalDouble median() {
        return figures.median(Row.STREAM_64, LocalTransport.TCP, Metric.MESSAGES);
    }

    @Test
    void medianIsTheMiddleOfTheRuns() {
        assertTrue(median().isEmpty());
        add(5, 1, 100);
        assertEquals(5, median().orElseThrow());
        add(7);
        assertEquals(6, median().orElseThrow());
    }

    @Test
    void spreadIsTheRangeInPartsOfTheMedian() {
        add(8, 10, 12);
        assertEquals(0.4, figures.spread(Row.STREAM_64, LocalTransport.TCP, Metric.MESSAGES), 1e-9);
        assertEquals(0, figures.spread(Row.STREAM_1K, LocalTransport.TCP, Metric.MESSAGES));
    }

    @Test
    void rowThatFailedOnceHasNoFigures() {
        add(8, 10);
        figures.fail(Row.STREAM_64, LocalTransport.TCP, "not accelerated");
        assertTrue(median().isEmpty());
        assertTrue(figures.hasFailures());
        assertEquals(List.of("java.nio, kernel TCP, stream-64: FAILED: not accelerated"), figures.gaps());
    }

    @Test
    void transportThatDoesNotRunHereIsNoFailure() {
        figures.unavailable(LocalTransport.NETTY_IO_URING, "disabled");
        assertFalse(figures.isAvailable(LocalTransport.NETTY_IO_URING));
        assertFalse(figures.hasFailures());
        assertEquals(List.of("Netty io_uring, kernel TCP: disabled"), figures.gaps());
    }

    @Test
    void rowWhoseProgramsAreNotThereIsNoFailure() {
        figures.unavailable(Row.SPARK_SHUFFLE, "not available: no libraries");
        assertFalse(figures.isAvailable(Row.SPARK_SHUFFLE));
        assertTrue(figures.isAvailable(Row.SPARK_SHUFFLE_2K));
        assertFalse(figures.hasFailures());
        assertEquals(List.of("spark-shuffle: not available: no libraries"), figures.gaps());
    }
}
