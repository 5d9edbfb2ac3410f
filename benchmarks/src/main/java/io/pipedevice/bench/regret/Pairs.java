// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/** A pair of processes for each variant of a stage. Used by one thread; {@link #close} ends them. */
final class Pairs implements AutoCloseable {
    private final Map<Variant, Pair> pairs = new EnumMap<>(Variant.class);

    private Pairs() {}

    static Pairs start(Stage stage) throws IOException, InterruptedException {
        Pairs all = new Pairs();
        try {
            for (Variant variant : Variant.values()) {
                all.pairs.put(variant, Pair.start(variant, stage));
            }
            return all;
        } catch (IOException | InterruptedException e) {
            all.close();
            throw e;
        }
    }

    Pair of(Variant variant) {
        return pairs.get(variant);
    }

    @Override
    public void close() {
        pairs.values().forEach(Pair::close);
    }
}
