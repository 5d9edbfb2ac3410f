// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.bench.net.RatioLine.Form;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RatioLineTest {
    private final Figures figures = new Figures();

    private static RatioLine line(Form form) {
        return new RatioLine("", Row.STREAM_64, Metric.MESSAGES, LocalTransport.PIPEDEVICE, form);
    }

    private static RatioLine line(Row row) {
        return RatioLine.all().stream()
                .filter(one -> one.row() == row)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void ratioIsToTcp() {
        RatioLine line = line(Form.MORE_THAN_TCP);
        figures.add(Row.STREAM_64, LocalTransport.PIPEDEVICE, Map.of(Metric.MESSAGES, 90.0));
        assertTrue(line.ratio(figures).isEmpty());
        figures.add(Row.STREAM_64, LocalTransport.TCP, Map.of(Metric.MESSAGES, 1.5));
        assertEquals(60, line.ratio(figures).orElseThrow());
    }

    @Test
    void ratioOfSocketsIsComparedWithThatOfChannels() {
        RatioLine line =
                new RatioLine("", Row.STREAM_64, Metric.MESSAGES, LocalTransport.SOCKET_PIPEDEVICE, Form.AS_CHANNELS);
        figures.add(Row.STREAM_64, LocalTransport.PIPEDEVICE, Map.of(Metric.MESSAGES, 90.0));
        figures.add(Row.STREAM_64, LocalTransport.TCP, Map.of(Metric.MESSAGES, 1.5));
        figures.add(Row.STREAM_64, LocalTransport.SOCKET_PIPEDEVICE, Map.of(Metric.MESSAGES, 45.0));
        assertTrue(line.ratio(figures).isEmpty());
        figures.add(Row.STREAM_64, LocalTransport.SOCKET_TCP, Map.of(Metric.MESSAGES, 1.0));
        assertEquals(0.75, line.ratio(figures).orElseThrow());
        assertEquals("75 %", line.format(0.75));
    }

    @Test
    void manyConnectionsAreComparedWithFew() {
        figures.add(Row.BUSY, LocalTransport.PIPEDEVICE, Map.of(Metric.ECHOES_FEW, 200.0, Metric.ECHOES_MANY, 190.0));
        assertEquals(0.95, line(Row.BUSY).ratio(figures).orElseThrow());
    }

    @Test
    void manyConnectionsInTurnAreComparedWithFewInTurn() {
        figures.add(Row.ROTATING_FEW, LocalTransport.PIPEDEVICE, Map.of(Metric.ECHOES, 200.0));
        figures.add(Row.ROTATING_MANY, LocalTransport.PIPEDEVICE, Map.of(Metric.ECHOES, 150.0));
        assertEquals(0.75, line(Row.ROTATING_MANY).ratio(figures).orElseThrow());
    }

    @Test
    void theWorstRunCountsBesideTheMedian() {
        for (double run : new double[] {1, 2, 4}) {
            figures.add(Row.STREAM_64, LocalTransport.TCP, Map.of(Metric.MESSAGES, run));
            figures.add(Row.STREAM_64, LocalTransport.PIPEDEVICE, Map.of(Metric.MESSAGES, 120.0));
        }
        assertEquals(30, line(Form.ALWAYS_MORE_THAN_TCP).ratio(figures).orElseThrow());
        assertEquals(60, line(Form.MORE_THAN_TCP).ratio(figures).orElseThrow());
        figures.fail(Row.STREAM_64, LocalTransport.TCP, "");
        assertTrue(line(Form.ALWAYS_MORE_THAN_TCP).ratio(figures).isEmpty());
    }

    @Test
    void smallRatiosAreFractions() {
        assertEquals("60 x", line(Form.MORE_THAN_TCP).format(60));
        assertEquals("2.35 x", line(Form.MORE_THAN_TCP).format(2.3456));
        assertEquals("1/35", line(Form.LESS_THAN_TCP).format(1.0 / 35));
        assertEquals("0.70", line(Form.LESS_THAN_TCP).format(0.7));
    }
}
