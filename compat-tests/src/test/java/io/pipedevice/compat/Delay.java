// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.util.Locale;

/**
 * How long the slow operations of a program took, as it has measured.
 *
 * @param micros the time that one operation in a hundred exceeds, or the longest time if there were few
 * @param few the number of operations, if there were few; else 0
 */
record Delay(double micros, int few) {
    static Delay of(Program client) {
        return client.measured("p99")
                .map(micros -> new Delay(micros, 0))
                .orElseGet(() -> new Delay(
                        client.measured("longest").orElseThrow(),
                        client.measured("operations").orElseThrow().intValue()));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%,.0f µs", micros) + (few == 0 ? "" : " (most of " + few + ")");
    }
}
