// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.metrics;

import io.pipedevice.driver.account.Statement;
import io.pipedevice.driver.account.Tally;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** The accounts of containers as metrics, with the container as a label. */
final class AccountMetrics {
    private static final String PREFIX = "pipedevice_container_";
    private static final double NANO = 1e-9;

    /** One tally under a metric's name. */
    private record Part(Tally tally, Labels labels) {}

    private AccountMetrics() {}

    /** The metrics of these accounts. */
    static List<MetricSnapshot> of(List<Statement> accounts) {
        Labels device = Labels.of("path", "device");
        Labels direct = Labels.of("path", "direct");
        List<MetricSnapshot> metrics = new ArrayList<>();
        metrics.add(
                gauge(accounts, "processes", "Processes of a container that use the driver.", Statement::processes));
        metrics.add(gauge(
                accounts, "open_connections", "Open connections of a container through the device.", Statement::open));
        metrics.add(counter(
                accounts,
                "sent_bytes",
                "Bytes that a container sent.",
                1,
                new Part(Tally.DEVICE_SENT, device),
                new Part(Tally.DIRECT_SENT, direct)));
        metrics.add(counter(
                accounts,
                "received_bytes",
                "Bytes that a container received.",
                1,
                new Part(Tally.DEVICE_RECEIVED, device),
                new Part(Tally.DIRECT_RECEIVED, direct)));
        metrics.add(counter(
                accounts,
                "connections",
                "Connections made, counted at both ends.",
                1,
                new Part(Tally.DEVICE_CONNECTIONS, device),
                new Part(Tally.DIRECT_CONNECTIONS, direct)));
        metrics.add(counter(
                accounts,
                "messages",
                "Messages that a container sent through the device.",
                1,
                new Part(Tally.DEVICE_MESSAGES, Labels.EMPTY)));
        metrics.add(counter(
                accounts,
                "engine_seconds",
                "Time of the engine and of the driver's thread that was charged to a container.",
                NANO,
                new Part(Tally.ENGINE_NS, Labels.EMPTY)));
        metrics.add(counter(
                accounts,
                "memory_byte_seconds",
                "Memory of a container, multiplied by the time for which it had it.",
                1,
                new Part(Tally.MEMORY, Labels.EMPTY)));
        metrics.add(counter(
                accounts,
                "introductions",
                "Connections of the kernel that were introduced, counted at both ends.",
                1,
                new Part(Tally.INTRODUCED, Labels.EMPTY)));
        metrics.add(counter(
                accounts,
                "direct_links_ended",
                "Direct links that the driver ended, counted at both ends.",
                1,
                new Part(Tally.LINKS_ENDED, Labels.EMPTY)));
        metrics.add(counter(
                accounts,
                "refusals",
                "Requests of a container that were refused.",
                1,
                new Part(Tally.REFUSED_BY_POLICY, Labels.of("kind", "policy")),
                new Part(Tally.REFUSED_BY_LIMIT, Labels.of("kind", "limit")),
                new Part(Tally.REFUSED_OTHERWISE, Labels.of("kind", "other"))));
        return metrics;
    }

    private static Labels labels(Statement account) {
        return account.pod().isEmpty()
                ? Labels.of("container", account.container())
                : Labels.of("container", account.container(), "pod", account.pod());
    }

    private static MetricSnapshot gauge(
            List<Statement> accounts, String name, String help, ToIntFunction<Statement> value) {
        GaugeSnapshot.Builder gauge =
                GaugeSnapshot.builder().name(PREFIX + name).help(help);
        for (Statement each : accounts) {
            gauge.dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                    .labels(labels(each))
                    .value(value.applyAsInt(each))
                    .build());
        }
        return gauge.build();
    }

    private static MetricSnapshot counter(
            List<Statement> accounts, String name, String help, double unit, Part... parts) {
        CounterSnapshot.Builder counter =
                CounterSnapshot.builder().name(PREFIX + name).help(help);
        for (Statement each : accounts) {
            for (Part part : parts) {
                counter.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                        .labels(labels(each).merge(part.labels()))
                        .value(each.total(part.tally()) * unit)
                        .build());
            }
        }
        return counter.build();
    }
}
