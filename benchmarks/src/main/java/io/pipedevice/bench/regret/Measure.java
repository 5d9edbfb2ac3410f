// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

/** What a figure counts, and so which ratio of two figures is without regret from 1 on. */
enum Measure {
    /** By second: more is better. */
    RATE("rate"),

    /** Less is better. */
    TIME("time"),

    /** Less is better. */
    AMOUNT("amount");

    private final String title;

    Measure(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** The ratio of a figure with the flag to one without, the other way round where less is better. */
    double ratio(double with, double without) {
        return this == RATE ? with / without : without / with;
    }
}
