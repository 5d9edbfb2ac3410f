// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import io.pipedevice.bench.regret.program.Work;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Measures calls or round trips of new processes in their first seconds, and after that. Used by one thread. */
final class CallsRun {
    /** Turns of the warm calls, in one interval. */
    private static final int WARM_TURNS = 5;

    private final RegretOptions options;
    private final Ratios ratios;

    CallsRun(RegretOptions options, Ratios ratios) {
        this.options = options;
        this.ratios = ratios;
    }

    /**
     * Measures the two rows of some work.
     *
     * @param stage of both
     * @param work with a server that all calls go to
     * @param count of its connections
     * @param coldRow of the first seconds
     * @param warmRow of the time after them
     */
    void run(Stage stage, Work work, int count, Row coldRow, Row warmRow) throws InterruptedException {
        Map<Variant, Double> cold = new EnumMap<>(Variant.class);
        Map<Variant, Double> warm = new EnumMap<>(Variant.class);
        try {
            for (Variant variant : Variant.values()) {
                try (Pair pair = Pair.start(variant, stage)) {
                    pair.open(work, count);
                    cold.put(variant, pair.run(options.coldMillis()));
                    warm.put(variant, pair.run(options.turnMillis() * WARM_TURNS));
                    pair.finish(List.of(coldRow, warmRow), ratios);
                }
            }
        } catch (IOException e) {
            ratios.fail(coldRow, e.getMessage());
            ratios.fail(warmRow, e.getMessage());
            return;
        }
        ratios.add(coldRow, cold);
        ratios.add(warmRow, warm);
    }
}
