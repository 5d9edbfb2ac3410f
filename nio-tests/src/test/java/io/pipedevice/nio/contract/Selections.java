// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.TreeMap;

/** The selector of one end of a game. */
final class Selections {
    private static final int FORMS = 5;
    private static final int CONSUMERS = 3;

    private final Selector selector;
    private final SelectionKey[] keys = new SelectionKey[Step.LINES];
    private volatile BusySelection busy;

    Selections(Selector selector) {
        this.selector = selector;
    }

    Outcome register(SocketChannel channel, int line, int ops) throws IOException {
        channel.configureBlocking(false);
        keys[line] = channel.register(selector, ops, line);
        return Outcome.of("registered");
    }

    Outcome interest(int line, int ops) {
        if (keys[line] == null) {
            return Outcome.of("no key");
        }
        keys[line].interestOps(ops);
        return Outcome.of("interested");
    }

    Outcome cancel(int line) {
        if (keys[line] == null) {
            return Outcome.of("no key");
        }
        keys[line].cancel();
        return Outcome.of("cancelled " + keys[line].isValid());
    }

    /** Selects without waiting for long; waits without a limit only for keys that are ready. */
    Outcome select(int form) throws IOException {
        Map<Integer, Integer> ready = new TreeMap<>();
        if (form % 2 == 0) {
            selector.selectedKeys().clear();
        }
        int count = select(form, ready);
        return new Outcome(selected(form % FORMS >= CONSUMERS ? ready.size() : count, ready), count);
    }

    private int select(int form, Map<Integer, Integer> ready) throws IOException {
        return switch (form % FORMS) {
            case 1 -> selector.select(1);
            case 2 -> {
                int now = selector.selectNow();
                selector.selectedKeys().clear();
                yield now == 0 ? 0 : selector.select();
            }
            case 3 -> selector.selectNow(key -> ready.put((Integer) key.attachment(), key.readyOps()));
            case 4 -> selector.select(key -> ready.put((Integer) key.attachment(), key.readyOps()), 1);
            default -> selector.selectNow();
        };
    }

    Outcome block() throws IOException {
        selector.selectedKeys().clear();
        int count = selector.select();
        return Outcome.of(selected(count, new TreeMap<>()));
    }

    /** Returns the report of the last selection, and the time when the last selection with another report began. */
    Outcome selectBusily() throws IOException {
        BusySelection selection = busy;
        selection.run();
        return new Outcome("" + selection.last(), selection.lastDifferent());
    }

    /** From now on the next {@link #selectBusily()} can be ended. */
    void prepareBusy() {
        busy = new BusySelection(selector);
    }

    Outcome endBusy() {
        busy.end();
        return Outcome.of("");
    }

    private String selected(int count, Map<Integer, Integer> ready) {
        for (SelectionKey key : selector.selectedKeys()) {
            ready.put((Integer) key.attachment(), key.readyOps());
        }
        return "selected " + count + " " + ready + " of " + selector.keys().size();
    }

    Outcome wakeUp() {
        selector.wakeup();
        return Outcome.of("");
    }

    void close() throws IOException {
        selector.close();
    }
}
