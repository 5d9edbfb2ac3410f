// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Measures rates of traffic. The variants of a row have turns that are short and follow each other, so that what the
 * machine does meanwhile affects all of them. While one has its turn, the others' processes wait. Used by one thread.
 */
final class TrafficRun {
    private static final List<Variant> FORWARDS = Arrays.asList(Variant.values());

    private final RegretOptions options;
    private final Ratios ratios;

    TrafficRun(RegretOptions options, Ratios ratios) {
        this.options = options;
        this.ratios = ratios;
    }

    /** Measures the rows of a stage. After a row that failed it continues with new processes. */
    void run(Stage stage) throws InterruptedException {
        Deque<Row> rows = new ArrayDeque<>(options.rows(stage));
        while (!rows.isEmpty()) {
            try (Pairs pairs = Pairs.start(stage)) {
                while (!rows.isEmpty()) {
                    measure(rows.peek(), pairs);
                    rows.remove();
                }
            } catch (IOException e) {
                ratios.fail(rows.remove(), e.getMessage());
            }
        }
    }

    private void measure(Row row, Pairs pairs) throws IOException, InterruptedException {
        for (Variant variant : FORWARDS) {
            Pair pair = pairs.of(variant);
            pair.open(row.work(), row.count(options));
            pair.run(options.warmUpMillis());
        }
        for (int turn = 0; turn < options.turns(); turn++) {
            Map<Variant, Double> rates = new EnumMap<>(Variant.class);
            for (Variant variant : turn % 2 == 0 ? FORWARDS : FORWARDS.reversed()) {
                rates.put(variant, pairs.of(variant).run(options.turnMillis()));
            }
            ratios.add(row, rates);
        }
        for (Variant variant : FORWARDS) {
            pairs.of(variant).finish(List.of(row), ratios);
        }
    }
}
