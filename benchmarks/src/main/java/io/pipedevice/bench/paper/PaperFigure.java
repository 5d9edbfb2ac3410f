// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.paper;

import io.pipedevice.bench.net.Line;
import io.pipedevice.bench.net.Metric;
import io.pipedevice.bench.net.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A figure or a table of a paper. Immutable: each method returns a figure with one thing more.
 *
 * @param id the paper, and its name there
 * @param what it shows, in one sentence
 * @param stated the paper's own numbers with their place, a line for each
 * @param notes where the comparison is not like for like, or the paper disagrees with itself
 * @param lines what is measured here
 * @param base the row whose figures are 1 in addition; empty if there is none
 * @param gains what the paper promises
 */
record PaperFigure(
        String id,
        String what,
        List<String> stated,
        List<String> notes,
        List<Line> lines,
        Optional<Row> base,
        List<Gain> gains) {

    /** A figure without content. */
    static PaperFigure of(String id, String what) {
        return new PaperFigure(id, what, List.of(), List.of(), List.of(), Optional.empty(), List.of());
    }

    PaperFigure states(String line) {
        return new PaperFigure(id, what, with(stated, line), notes, lines, base, gains);
    }

    PaperFigure note(String line) {
        return new PaperFigure(id, what, stated, with(notes, line), lines, base, gains);
    }

    PaperFigure line(String name, Row row, Metric metric) {
        return new PaperFigure(id, what, stated, notes, with(lines, new Line(name, row, metric)), base, gains);
    }

    PaperFigure inPartsOf(Row row) {
        return new PaperFigure(id, what, stated, notes, lines, Optional.of(row), gains);
    }

    PaperFigure gain(Gain gain) {
        return new PaperFigure(id, what, stated, notes, lines, base, with(gains, gain));
    }

    private static <T> List<T> with(List<T> list, T more) {
        List<T> all = new ArrayList<>(list);
        all.add(more);
        return List.copyOf(all);
    }
}
