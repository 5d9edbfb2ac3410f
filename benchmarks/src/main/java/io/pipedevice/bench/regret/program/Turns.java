// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The turns of several connections, which go on at the same time. */
final class Turns {
    private Turns() {}

    /** Waits for all of them; the sum of their results. */
    static long sum(List<CompletableFuture<Long>> turns) throws Exception {
        long sum = 0;
        for (CompletableFuture<Long> turn : turns) {
            sum += turn.get();
        }
        return sum;
    }
}
