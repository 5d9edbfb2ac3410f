// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.DriverStat;
import io.pipedevice.driver.share.CounterType;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DriverMetricTest {
    @Test
    void eachCounterIsOneMetric() {
        Set<CounterType> types = EnumSet.noneOf(CounterType.class);
        Arrays.stream(DriverMetric.values()).forEach(metric -> assertTrue(types.add(metric.type()), metric::name));
        assertEquals(EnumSet.allOf(CounterType.class), types);
    }

    @Test
    void namesDifferAndHaveNeitherSuffixNorUnitOfTheirOwn() {
        Set<String> names = new HashSet<>();
        for (DriverMetric metric : DriverMetric.values()) {
            assertTrue(names.add(metric.metricName()), metric::name);
            assertTrue(metric.metricName().matches("pipedevice_[a-z_]+"), metric::metricName);
            assertTrue(
                    !metric.metricName().endsWith("_total")
                            && !metric.metricName().endsWith("_ns"),
                    metric::metricName);
            assertTrue(metric.help().endsWith("."), metric::help);
        }
    }

    @Test
    void nanosecondsBecomeSeconds() {
        assertEquals(1.5, DriverMetric.ENGINE_TIME.inUnit(1_500_000_000));
        assertEquals(7, DriverMetric.BYTES.inUnit(7));
    }

    private static Labels labels(String label) {
        return DriverCollector.labels(new DriverStat.Value(1, 0, label, 0));
    }

    @Test
    void labelsNameTheAttachmentOrTheDevice() {
        assertEquals(Labels.EMPTY, labels("bytes copied"));
        assertEquals(
                Labels.of("attachment", "3", "pid", "881"),
                labels("bytes sent of attachment 3 in 4f1c2d3e4f5a pid 881"));
        assertEquals(Labels.of("device", "emulator (4 lanes)"), labels("bytes copied of device emulator (4 lanes)"));
    }
}
