// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

/**
 * How long one kind of wait looks for news before it sleeps: at most what a wake-up costs, half as long after each time
 * that it did not pay, and longer again when it does. Used by one thread at a time.
 */
final class SpinBudget {
    /** Something that can be looked at without a system call. */
    interface Look {
        boolean isReady() throws PdException;
    }

    private static final int LOOKS_PER_CLOCK = 8;
    private static final int FLOOR_SHIFT = 5;

    private final long mostNs;
    private long budgetNs;

    SpinBudget(int micros) {
        this.mostNs = micros * 1000L;
        this.budgetNs = mostNs;
    }

    /** Looks until there is news or the budget is used up. */
    @SuppressWarnings("ThreadPriorityCheck")
    boolean spin(Look look) throws PdException {
        if (mostNs == 0) {
            return look.isReady();
        }
        long start = System.nanoTime();
        do {
            for (int i = 0; i < LOOKS_PER_CLOCK; i++) {
                if (look.isReady()) {
                    budgetNs = Math.min(mostNs, budgetNs * 2);
                    return true;
                }
                Thread.onSpinWait();
            }
            // Who is waited for may be waiting for this very processor.
            Thread.yield();
        } while (System.nanoTime() - start < budgetNs);
        budgetNs = Math.max(mostNs >> FLOOR_SHIFT, budgetNs >> 1);
        return false;
    }
}
