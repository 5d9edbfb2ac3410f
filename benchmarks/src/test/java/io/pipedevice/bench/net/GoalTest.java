// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.bench.net.Goal.Form;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GoalTest {
    private final Figures figures = new Figures();

    private static Goal goal(Form form, double atLeast, double aim) {
        return new Goal("", Row.STREAM_64, Metric.MESSAGES, form, atLeast, aim);
    }

    @Test
    void ratioIsToTcp() {
        Goal goal = goal(Form.MORE_THAN_TCP, 60, 150);
        figures.add(Row.STREAM_64, LocalTransport.PIPEDEVICE, Map.of(Metric.MESSAGES, 90.0));
        assertTrue(goal.reached(figures).isEmpty());
        figures.add(Row.STREAM_64, LocalTransport.TCP, Map.of(Metric.MESSAGES, 1.5));
        assertEquals(60, goal.reached(figures).orElseThrow());
    }

    @Test
    void ratioOfSocketsIsComparedWithThatOfChannels() {
        Goal goal = new Goal(
                "", Row.STREAM_64, Metric.MESSAGES, LocalTransport.SOCKET_PIPEDEVICE, Form.AS_CHANNELS, 0.8, 1);
        figures.add(Row.STREAM_64, LocalTransport.PIPEDEVICE, Map.of(Metric.MESSAGES, 90.0));
        figures.add(Row.STREAM_64, LocalTransport.TCP, Map.of(Metric.MESSAGES, 1.5));
        figures.add(Row.STREAM_64, LocalTransport.SOCKET_PIPEDEVICE, Map.of(Metric.MESSAGES, 45.0));
        assertTrue(goal.reached(figures).isEmpty());
        figures.add(Row.STREAM_64, LocalTransport.SOCKET_TCP, Map.of(Metric.MESSAGES, 1.0));
        assertEquals(0.75, goal.reached(figures).orElseThrow());
        assertEquals("BELOW", goal.verdict(0.75));
        assertEquals("75 %", goal.format(0.75));
    }

    @Test
    void manyConnectionsAreComparedWithFew() {
        figures.add(Row.BUSY, LocalTransport.PIPEDEVICE, Map.of(Metric.ECHOES_FEW, 200.0, Metric.ECHOES_MANY, 190.0));
        Goal goal = Goal.all().stream()
                .filter(one -> one.row() == Row.BUSY)
                .findFirst()
                .orElseThrow();
        assertEquals(0.95, goal.reached(figures).orElseThrow());
        assertEquals("at least", goal.verdict(0.95));
    }

    @Test
    void manyConnectionsInTurnAreComparedWithFewInTurn() {
        figures.add(Row.ROTATING_FEW, LocalTransport.PIPEDEVICE, Map.of(Metric.ECHOES, 200.0));
        figures.add(Row.ROTATING_MANY, LocalTransport.PIPEDEVICE, Map.of(Metric.ECHOES, 150.0));
        Goal goal = Goal.all().stream()
                .filter(one -> one.row() == Row.ROTATING_MANY)
                .findFirst()
                .orElseThrow();
        assertEquals(0.75, goal.reached(figures).orElseThrow());
        assertEquals("BELOW", goal.verdict(0.75));
    }

    @Test
    void theWorstRunCountsBesideTheMedian() {
        for (double run : new double[] {1, 2, 4}) {
            figures.add(Row.STREAM_64, LocalTransport.TCP, Map.of(Metric.MESSAGES, run));
            figures.add(Row.STREAM_64, LocalTransport.PIPEDEVICE, Map.of(Metric.MESSAGES, 120.0));
        }
        assertEquals(
                30, goal(Form.ALWAYS_MORE_THAN_TCP, 80, 150).reached(figures).orElseThrow());
        assertEquals(60, goal(Form.MORE_THAN_TCP, 80, 150).reached(figures).orElseThrow());
        figures.fail(Row.STREAM_64, LocalTransport.TCP, "");
        assertTrue(goal(Form.ALWAYS_MORE_THAN_TCP, 80, 150).reached(figures).isEmpty());
    }

    @Test
    void moreIsBetterOrLessIs() {
        Goal more = goal(Form.MORE_THAN_TCP, 60, 150);
        assertEquals("aim", more.verdict(150));
        assertEquals("at least", more.verdict(60));
        assertEquals("BELOW", more.verdict(59));
        Goal less = goal(Form.LESS_THAN_TCP, 1.0 / 3, 1.0 / 4);
        assertEquals("aim", less.verdict(0.1));
        assertEquals("at least", less.verdict(0.33));
        assertEquals("BELOW", less.verdict(0.35));
        Goal bytes = goal(Form.BYTES, 64 << 10, 16 << 10);
        assertEquals("aim", bytes.verdict(10_000));
        assertEquals("BELOW", bytes.verdict(100_000));
        Goal share = goal(Form.SHARE, 0.001, 0);
        assertEquals("aim", share.verdict(0.00004));
        assertEquals("at least", share.verdict(0.001));
        assertEquals("BELOW", share.verdict(0.0011));
        Goal seconds = goal(Form.SECONDS, 0.3, 0.25);
        assertEquals("aim", seconds.verdict(0.25));
        assertEquals("at least", seconds.verdict(0.29));
        assertEquals("BELOW", seconds.verdict(0.31));
    }

    @Test
    void valuesAreWrittenAsTheBoundsAre() {
        assertEquals("60 x", goal(Form.MORE_THAN_TCP, 0, 0).format(60));
        assertEquals("2.35 x", goal(Form.MORE_THAN_TCP, 0, 0).format(2.3456));
        assertEquals("1/35", goal(Form.LESS_THAN_TCP, 0, 0).format(1.0 / 35));
        assertEquals("0.70", goal(Form.LESS_THAN_TCP, 0, 0).format(0.7));
        assertEquals("16.0 KB", goal(Form.BYTES, 0, 0).format(16 << 10));
        assertEquals("251 ms", goal(Form.SECONDS, 0, 0).format(0.2512));
        assertEquals("0.10 %", goal(Form.SHARE, 0, 0).format(0.001));
    }
}
