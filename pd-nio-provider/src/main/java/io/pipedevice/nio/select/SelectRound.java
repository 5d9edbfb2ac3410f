// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import io.pipedevice.lib.PdEpoll;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The keys that one round of a select found ready: each key once, whether rings, the kernel, or both reported it.
 * Belongs to the selecting thread.
 */
final class SelectRound implements CompositePoller.Sink {
    private static final int FAILURE = PdEpoll.ERR | PdEpoll.HUP;

    private final IntFunction<PdSelectionKey> keyOf;
    private PdSelectionKey[] keys = new PdSelectionKey[64];
    private int count;
    private boolean vain;
    private boolean delivered;

    /** @param keyOf the key of a kernel descriptor, or null */
    SelectRound(IntFunction<PdSelectionKey> keyOf) {
        this.keyOf = keyOf;
    }

    @Override
    public void kernel(int descriptor, int events) {
        PdSelectionKey key = keyOf.apply(descriptor);
        if (key != null) {
            found(key, key.readyOps(events, 0), events);
        }
    }

    @Override
    public void ring(Object attachment, int events) {
        PdSelectionKey key = (PdSelectionKey) attachment;
        found(key, key.readyOps(0, events), events);
    }

    private void found(PdSelectionKey key, int ops, int events) {
        if (ops == 0) {
            // A key whose channel is closed is about to be cancelled, and is no reason to return.
            vain |= key.channel().isOpen();
            return;
        }
        if (key.found == 0) {
            if (count == keys.length) {
                keys = Arrays.copyOf(keys, count * 2);
            }
            keys[count++] = key;
        }
        key.found |= ops;
        key.failed |= (events & FAILURE) != 0;
    }

    boolean hasReady() {
        return count > 0;
    }

    /** Whether a channel was reported that has no ready operation in its key's interest set. */
    boolean wasVain() {
        return vain;
    }

    /** Whether a ready key was valid when it was delivered. */
    boolean delivered() {
        return delivered;
    }

    /**
     * Hands ready keys to the action, or to the selected keys.
     *
     * @param action may be null
     * @return the number of keys whose ready sets have changed, or that went to the action
     */
    int deliver(SelectedKeys selected, Consumer<SelectionKey> action, Selector selector) {
        int updated = 0;
        for (int i = 0; i < count; i++) {
            PdSelectionKey key = keys[i];
            if (key.isValid()) {
                delivered = true;
                updated += deliver(key, selected, action);
                if (action != null && !selector.isOpen()) {
                    throw new ClosedSelectorException();
                }
            }
        }
        return updated;
    }

    private static int deliver(PdSelectionKey key, SelectedKeys selected, Consumer<SelectionKey> action) {
        if (action != null) {
            // An action before this one may have changed the interest set.
            key.ready(key.found & key.wanted());
            if (key.ready() == 0) {
                return 0;
            }
            action.accept(key);
            return 1;
        }
        int ops = key.found;
        if (!selected.has(key)) {
            key.ready(ops);
            selected.select(key);
            return 1;
        }
        int before = key.ready();
        // As with the JDK, operations that were ready before stay ready until the connection fails.
        key.ready(key.failed ? ops : before | ops);
        return (ops & ~before) == 0 ? 0 : 1;
    }

    void clear() {
        while (count > 0) {
            PdSelectionKey key = keys[--count];
            keys[count] = null;
            key.found = 0;
            key.failed = false;
        }
        vain = false;
        delivered = false;
    }
}
