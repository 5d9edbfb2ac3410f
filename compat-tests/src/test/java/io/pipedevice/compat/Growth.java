// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** What programs had when they were looked at first, and have now, which may be only a little more. One thread. */
final class Growth {
    private static final int MB = 1024;

    /** Of objects: what libraries keep for the next time, and what is on its way. */
    private static final int MORE_HEAP_MB = 16;

    /** What the JVM itself may take besides the heap, which is there from the beginning: code, pools of buffers. */
    private static final int MORE_MB = 96;

    private final int more;
    private final Map<Program, Span> spans = new LinkedHashMap<>();

    /** Of whatever can be counted, a program may have so many more. */
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

    /** Looks at one, under a name that those which take its place when it is killed have, too. */
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

    /** A row of a table for each name, of the one that was seen for the longest time. */
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
