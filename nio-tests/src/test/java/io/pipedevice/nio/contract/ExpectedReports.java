// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What each selection of a selector must report, and nothing else. Keys have integers as attachments. A driver copies
 * after a write has returned: there several selections together report it within a deadline.
 */
final class ExpectedReports {
    private static final List<SelectForm> FORMS = List.of(SelectForm.values());
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    private final Pairing pairing;
    private final Selector selector;

    /** The ready operations, by attachment. */
    private final Map<Integer, Integer> expected = new TreeMap<>();

    ExpectedReports(Pairing pairing, Selector selector) {
        this.pairing = pairing;
        this.selector = selector;
    }

    static SelectForm form(Random random) {
        return FORMS.get(random.nextInt(FORMS.size()));
    }

    Selector selector() {
        return selector;
    }

    /** Registers a channel in non-blocking mode. */
    void register(SelectableChannel channel, int interest, int number) throws IOException {
        channel.configureBlocking(false);
        channel.register(selector, interest, number);
    }

    /** From now on a key has these ready operations, or none. */
    void expect(int number, int ops) {
        if (ops == 0) {
            expected.remove(number);
        } else {
            expected.put(number, ops);
        }
    }

    /** The ready operations that a key must have now. */
    int of(int number) {
        return expected.getOrDefault(number, 0);
    }

    /** From now on a key has these ready operations, once the kernel has delivered what was sent. */
    void expectArrival(SelectableChannel channel, int operation, int number) throws IOException {
        expect(number, of(number) | operation);
        arrive(channel, operation);
    }

    /** Waits, with another selector, until the kernel has delivered what was sent. On rings nothing is under way. */
    void arrive(SelectableChannel channel, int operation) throws IOException {
        if (!pairing.accelerated()) {
            Readiness.await(channel, operation);
        }
    }

    /** Selects again and again, so that channels that are always ready keep the selector busy. */
    void selectFor(SelectForm form, long nanos) throws IOException {
        long start = System.nanoTime();
        do {
            check(form);
        } while (System.nanoTime() - start < nanos);
    }

    /** Selects once. */
    void check(SelectForm form) throws IOException {
        check(form, () -> "in between");
    }

    /** Selects once. */
    void check(SelectForm form, Supplier<String> when) throws IOException {
        SelectForm safe = expected.isEmpty() ? SelectForm.NOW : form;
        Map<Integer, Integer> reported = select(safe);
        if (pairing == Pairing.PIPEDEVICE_DRIVER) {
            long start = System.nanoTime();
            while (!reported.equals(expected) && System.nanoTime() - start < PATIENCE_NS) {
                select(safe).forEach((key, ready) -> reported.merge(key, ready, (some, more) -> some | more));
            }
        }
        assertEquals(expected, reported, when);
    }

    /** As {@link #check}, but several selections may share what must be reported. */
    void checkTogether(SelectForm form, int selections) throws IOException {
        Map<Integer, Integer> reported = select(form);
        for (int i = 1; i < selections; i++) {
            reported.putAll(select(form));
        }
        assertEquals(expected, reported);
    }

    private Map<Integer, Integer> select(SelectForm form) throws IOException {
        List<SelectionKey> keys = new ArrayList<>();
        int count = form.call(selector, keys);
        Map<Integer, Integer> reported = new TreeMap<>();
        for (SelectionKey key : keys) {
            reported.put((Integer) key.attachment(), key.readyOps());
        }
        assertEquals(reported.size(), count);
        return reported;
    }
}
