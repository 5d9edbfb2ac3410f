// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.bench.net.HtmlPage;
import io.pipedevice.bench.net.Numbers;
import io.pipedevice.bench.net.Table;
import io.pipedevice.bench.net.TextPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The figures as text, and as a page with plots. */
final class FunctionReport {
    private static final String NONE = "-";
    private static final int PERCENT = 100;

    private final FunctionFigures figures;

    FunctionReport(FunctionFigures figures) {
        this.figures = figures;
    }

    String text(Map<String, String> facts) {
        return TextPage.text(facts, tables(), List.of());
    }

    String html(Map<String, String> facts) {
        return HtmlPage.html(
                "Active functions: client, device, host, and kernel TCP",
                facts,
                tables(),
                new FunctionPlots(figures).all(),
                List.of());
    }

    private List<Table> tables() {
        List<Table> tables = new ArrayList<>();
        for (Application application : Application.values()) {
            List<List<String>> rows = new ArrayList<>();
            for (FunctionPlace place : FunctionPlace.values()) {
                row(application, place).ifPresent(rows::add);
            }
            if (!rows.isEmpty()) {
                tables.add(new Table(application.title() + "; 1 outstanding call, and 32", head(), rows));
            }
        }
        List<List<String>> costs = costs();
        if (!costs.isEmpty()) {
            tables.add(new Table(
                    "What goes between the client and the others, for each call",
                    List.of("", "operations", "client: bytes", "device, host: bytes", "ratio"),
                    costs));
        }
        List<List<String>> tenants = tenants();
        if (!tenants.isEmpty()) {
            tables.add(new Table(
                    "Functions of 1 and of " + TenantPart.TENANTS + " tenants, 5,000 calls/s, us",
                    List.of("", "p50", "p99", "p99.9", "many: p50", "p99", "p99.9", "p99, many/one"),
                    tenants));
        }
        List<List<String>> shift = shift();
        if (!shift.isEmpty()) {
            tables.add(new Table(
                    "A hog on the processor of a place: before, with and after it, in windows of 10 ms",
                    List.of("", "p99 us", "as before after, ms", "client %", "device %", "host %"),
                    shift));
        }
        tables.add(naam());
        return tables;
    }

    private static List<String> head() {
        return List.of(
                "",
                "1: calls/s",
                "p50 us",
                "p99",
                "p99.9",
                "32: calls/s",
                "p50 us",
                "p99",
                "p99.9",
                "rate/TCP: 1",
                "32",
                "p99/TCP: 1",
                "32");
    }

    private Optional<List<String>> row(Application application, FunctionPlace place) {
        List<String> cells = new ArrayList<>(List.of(place.title()));
        boolean hasAny = false;
        for (int outstanding : LoadPart.OUTSTANDING) {
            OptionalDouble rate = load(application, place, outstanding, LoadPart.RATE);
            hasAny |= rate.isPresent();
            cells.add(cell(rate));
            for (double percentile : LoadPart.PERCENTILES) {
                cells.add(cell(load(application, place, outstanding, LoadPart.percentile(percentile))));
            }
        }
        for (String metric : List.of(LoadPart.RATE, LoadPart.percentile(99))) {
            for (int outstanding : LoadPart.OUTSTANDING) {
                cells.add(ratio(
                        load(application, place, outstanding, metric),
                        load(application, FunctionPlace.TCP, outstanding, metric)));
            }
        }
        return hasAny ? Optional.of(cells) : Optional.empty();
    }

    private OptionalDouble load(Application application, FunctionPlace place, int outstanding, String metric) {
        return figures.get(LoadPart.key(LoadPart.CLOSED, application, place, Integer.toString(outstanding), metric));
    }

    private List<List<String>> costs() {
        List<List<String>> rows = new ArrayList<>();
        for (Application application : Application.values()) {
            OptionalDouble operations = figures.get(CostPart.key(application, CostPart.OPERATIONS));
            if (operations.isPresent()) {
                OptionalDouble bytes = figures.get(CostPart.key(application, CostPart.BYTES));
                OptionalDouble messages = figures.get(CostPart.key(application, CostPart.MESSAGES));
                rows.add(List.of(
                        application.title(), cell(operations), cell(bytes), cell(messages), ratio(bytes, messages)));
            }
        }
        return rows;
    }

    private List<List<String>> tenants() {
        List<List<String>> rows = new ArrayList<>();
        for (FunctionPlace place : FunctionPlace.values()) {
            String p99 = LoadPart.percentile(99);
            OptionalDouble one = figures.get(TenantPart.key(place, 1, p99));
            if (one.isPresent()) {
                List<String> cells = new ArrayList<>(List.of(place.title()));
                for (int tenants : new int[] {1, TenantPart.TENANTS}) {
                    for (double percentile : LoadPart.PERCENTILES) {
                        cells.add(cell(figures.get(TenantPart.key(place, tenants, LoadPart.percentile(percentile)))));
                    }
                }
                cells.add(ratio(figures.get(TenantPart.key(place, TenantPart.TENANTS, p99)), one));
                rows.add(cells);
            }
        }
        return rows;
    }

    private List<List<String>> shift() {
        List<List<String>> rows = new ArrayList<>();
        for (FunctionPlace slowed : ShiftPart.SLOWED) {
            for (FunctionPlace place : List.of(slowed, FunctionPlace.AUTO)) {
                ShiftWindows windows = new ShiftWindows(figures, slowed, place);
                figures.get(windows.recoveryKey())
                        .ifPresent(after -> rows.add(List.of(
                                slowed.title() + ": calls " + (place == slowed ? "stay there" : "are steered"),
                                phases(windows, ShiftPart.P99, 1),
                                after < 0 ? "not" : Numbers.significant(after),
                                phases(windows, ShiftPart.SHARE + FunctionPlace.CLIENT, PERCENT),
                                phases(windows, ShiftPart.SHARE + FunctionPlace.DEVICE, PERCENT),
                                phases(windows, ShiftPart.SHARE + FunctionPlace.HOST, PERCENT))));
            }
        }
        return rows;
    }

    /** The figures before, with and after the hog: the mean of shares, and the median of times. */
    private static String phases(ShiftWindows windows, String metric, int factor) {
        return IntStream.range(0, ShiftWindows.PHASES)
                .mapToDouble(
                        phase -> factor * (factor == 1 ? windows.middle(metric, phase) : windows.mean(metric, phase)))
                .mapToObj(figure -> String.format(Locale.ROOT, "%.0f", figure))
                .collect(Collectors.joining(", "));
    }

    private static Table naam() {
        return new Table(
                "NAAM, for comparison: two machines, 100 Gbit/s, BlueField-2",
                List.of("", ""),
                List.of(
                        List.of("MICA at the client, operations for each message", "3.01"),
                        List.of("MICA, tail latency: client/host", "2.6 to 4.0"),
                        List.of("MICA, tail latency: client/SmartNIC and host", "up to 1.3"),
                        List.of("Cell at the host, 10 M keys, batches of 32", "1.75 M/s, p99 48 us"),
                        List.of("Cell at the SmartNIC", "0.75 M/s, p99 286 us"),
                        List.of("Cell at the client by RDMA", "1.3 M/s, p99 263 us"),
                        List.of("Cell, bytes: client/host", "4.3"),
                        List.of("p99, 128 functions/1 function", "1.47"),
                        List.of("interference at the host, time until it has moved", "below 500 ms")));
    }

    private static String cell(OptionalDouble value) {
        return value.isPresent() ? Numbers.significant(value.getAsDouble()) : NONE;
    }

    private static String ratio(OptionalDouble value, OptionalDouble other) {
        return value.isPresent() && other.isPresent() && other.getAsDouble() > 0
                ? Numbers.significant(value.getAsDouble() / other.getAsDouble())
                : NONE;
    }
}
