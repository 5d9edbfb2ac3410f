// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.metrics;

import io.pipedevice.driver.DriverStat;
import io.pipedevice.driver.account.AccountFile;
import io.pipedevice.driver.account.Statement;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a driver's counters whenever Prometheus asks. It asks the driver itself, so that a driver whose thread does not
 * answer shows as a failure, rather than by counters that do not change. Thread safe.
 */
final class DriverCollector implements MultiCollector {
    private static final String OF_DEVICE = " of device ";
    private static final Pattern OF_ATTACHMENT = Pattern.compile(".* of attachment (\\d+)(?: in .*)? pid (\\d+)");

    private final Path directory;

    /** @param directory the driver's */
    DriverCollector(Path directory) {
        this.directory = directory;
    }

    @Override
    public MetricSnapshots collect() {
        List<DriverStat.Value> values;
        try (DriverStat stat = DriverStat.open(directory)) {
            values = stat.values();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<MetricSnapshot> snapshots = new ArrayList<>();
        for (DriverMetric metric : DriverMetric.values()) {
            List<DriverStat.Value> own = values.stream()
                    .filter(value -> value.type() == metric.type().id())
                    .toList();
            snapshots.add(metric.kind().onlyRises() ? counter(metric, own) : gauge(metric, own));
        }
        snapshots.addAll(AccountMetrics.of(accounts()));
        return new MetricSnapshots(snapshots);
    }

    private List<Statement> accounts() {
        try {
            return AccountFile.read(directory.resolve(AccountFile.NAME)).statements();
        } catch (NoSuchFileException e) {
            // The driver has just started.
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MetricSnapshot counter(DriverMetric metric, List<DriverStat.Value> values) {
        CounterSnapshot.Builder snapshot =
                CounterSnapshot.builder().name(metric.metricName()).help(metric.help());
        for (DriverStat.Value value : values) {
            snapshot.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                    .labels(labels(value))
                    .value(metric.inUnit(value.value()))
                    .build());
        }
        return snapshot.build();
    }

    private static MetricSnapshot gauge(DriverMetric metric, List<DriverStat.Value> values) {
        GaugeSnapshot.Builder snapshot =
                GaugeSnapshot.builder().name(metric.metricName()).help(metric.help());
        for (DriverStat.Value value : values) {
            snapshot.dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                    .labels(labels(value))
                    .value(metric.inUnit(value.value()))
                    .build());
        }
        return snapshot.build();
    }

    /** The device or the attachment that a counter is of, from its label. */
    static Labels labels(DriverStat.Value value) {
        String label = value.label();
        int device = label.indexOf(OF_DEVICE);
        if (device >= 0) {
            return Labels.of("device", label.substring(device + OF_DEVICE.length()));
        }
        Matcher attachment = OF_ATTACHMENT.matcher(label);
        return attachment.matches()
                ? Labels.of("attachment", attachment.group(1), "pid", attachment.group(2))
                : Labels.EMPTY;
    }
}
