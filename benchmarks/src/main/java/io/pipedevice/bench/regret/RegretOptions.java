// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import java.util.List;

/**
 * The subject and the duration of the measurements.
 *
 * @param rows to measure
 * @param runs each with new processes
 * @param warmUpMillis before the turns of a row
 * @param turns of each variant of a row in a run
 * @param turnMillis of each of them
 * @param coldMillis of the calls of new processes
 * @param connections of the selector with many
 */
record RegretOptions(
        List<Row> rows, int runs, long warmUpMillis, int turns, long turnMillis, long coldMillis, int connections) {

    /** The rows of a stage. */
    List<Row> rows(Stage stage) {
        return rows.stream().filter(row -> row.stage() == stage).toList();
    }
}
