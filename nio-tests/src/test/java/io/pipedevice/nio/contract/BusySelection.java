// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.Map;
import java.util.TreeMap;

/**
 * Selects again and again, as a program does whose channels are always ready, and remembers when the reports changed.
 * One thread runs it; any thread ends it.
 */
final class BusySelection {
    private final Selector selector;
    private volatile boolean ended;
    private Map<Integer, Integer> last = Map.of();
    private long lastStart = System.nanoTime();
    private long lastDifferent = lastStart;

    /**
     * Prepares to select; to be called before the write whose report is awaited.
     *
     * @param selector whose keys have integers as attachments
     */
    BusySelection(Selector selector) {
        this.selector = selector;
    }

    /** Selects until {@link #end()}, and then once more. */
    void run() throws IOException {
        boolean isLast = false;
        while (!isLast) {
            isLast = ended;
            Map<Integer, Integer> ready = new TreeMap<>();
            long start = System.nanoTime();
            selector.selectNow(key -> ready.put((Integer) key.attachment(), key.readyOps()));
            if (!ready.equals(last)) {
                lastDifferent = lastStart;
                last = ready;
            }
            lastStart = start;
        }
    }

    void end() {
        ended = true;
    }

    /** The ready operations of each key in the last selection, by attachment. */
    Map<Integer, Integer> last() {
        return last;
    }

    /** When the last selection began that reported anything else than {@link #last()}, as {@link System#nanoTime()}. */
    long lastDifferent() {
        return lastDifferent;
    }
}
