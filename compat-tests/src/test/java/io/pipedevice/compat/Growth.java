// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Compares the resources of programs with those at the first check; they may grow only a little. One thread. */
final class Growth {
    private static final int MB = 1024;

    /** More heap for objects that libraries cache, or that are in flight. */
    private static final int MORE_HEAP_MB = 16;

    /**
     * More memory for the JVM besides the heap, such as code and buffer pools. The heap is allocated from the
     * beginning.
     */
    private static final int MORE_MB = 96;

    private final int more;
    private final Map<Program, Span> spans = new LinkedHashMap<>();

    /** Creates a check in which a program may have {@code more} more of anything that can be counted. */
    Growth(int more) {
        this.more = more;
    }

    private record Span(String name, ProcessUse first, long firstNanos, ProcessUse last, long lastNanos) {
        long nanos() {
            return lastNanos - firstNanos;
        }

        String both(ToLongFunction<ProcessUse> part) {
            return part.applyAsLong(first) + ", " + part.applyAsLong(last);
        }

        String row() {
            return String.join(
                    " | ",
                    "| " + name,
                    both(ProcessUse::descriptors),
                    both(ProcessUse::threads),
                    both(ProcessUse::rings),
                    both(use -> use.heapKb() / MB) + " MB",
                    both(use -> use.residentKb() / MB) + " MB |");
        }
    }

    /** Checks a program, under a name that its replacements after a kill have, too. */
    void look(String name, Program program) throws IOException, InterruptedException {
        ProcessUse use = ProcessUse.of(program.pid());
        long now = System.nanoTime();
        Span span = spans.merge(
                program,
                new Span(name, use, now, use, now),
                (old, once) -> new Span(name, old.first(), old.firstNanos(), use, now));
        check(program, span.first(), use);
    }

    boolean hasSeen(Program program) {
        return spans.containsKey(program);
    }

    private void check(Program program, ProcessUse before, ProcessUse after) {
        String change = program + " had " + before + ", and has " + after;
        assertTrue(after.descriptors() <= before.descriptors() + more, change);
        assertTrue(after.threads() <= before.threads() + more, change);
        assertTrue(after.rings() <= before.rings() + more, change);
        assertTrue(after.heapKb() <= before.heapKb() + MORE_HEAP_MB * MB, change);
        assertTrue(after.residentKb() <= before.residentKb() + MORE_MB * MB, change);
    }

    static String header() {
        return "| first, last | descriptors | threads | mappings of rings | objects | resident |\n|---|---|---|---|---|---|";
    }

    /** A table row for each name, about the program that was observed for the longest time. */
    List<String> rows() {
        Map<String, Span> longest = new LinkedHashMap<>();
        for (Span span : spans.values()) {
            longest.merge(span.name(), span, (one, other) -> one.nanos() >= other.nanos() ? one : other);
        }
        List<String> rows = new ArrayList<>();
        longest.values().forEach(span -> rows.add(span.row()));
        return rows;
    }
}
