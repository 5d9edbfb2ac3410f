// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import java.nio.channels.SelectionKey;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * A selector's selected keys: the program may remove keys, and only the selector adds them. Each key knows its place,
 * so that nothing is hashed and nothing allocated. Like any selected-key set, it is not thread safe: guarded by its own
 * monitor.
 */
final class SelectedKeys extends AbstractSet<SelectionKey> {
    private PdSelectionKey[] keys = new PdSelectionKey[16];
    private int count;
    private int changes;

    /** Adds a key that is not there. */
    void select(PdSelectionKey key) {
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, count * 2);
        }
        key.selectedAt = count;
        keys[count++] = key;
        changes++;
    }

    boolean has(PdSelectionKey key) {
        int at = key.selectedAt;
        return at >= 0 && at < count && keys[at] == key;
    }

    boolean deselect(PdSelectionKey key) {
        if (!has(key)) {
            return false;
        }
        PdSelectionKey last = keys[--count];
        keys[count] = null;
        last.selectedAt = key.selectedAt;
        if (last != key) {
            keys[key.selectedAt] = last;
        }
        key.selectedAt = PdSelectionKey.NOT_SELECTED;
        changes++;
        return true;
    }

    @Override
    public int size() {
        return count;
    }

    @Override
    public boolean contains(Object object) {
        return object instanceof PdSelectionKey key && has(key);
    }

    @Override
    public boolean remove(Object object) {
        return object instanceof PdSelectionKey key && deselect(key);
    }

    @Override
    public void clear() {
        while (count > 0) {
            deselect(keys[count - 1]);
        }
    }

    @Override
    public Iterator<SelectionKey> iterator() {
        return new Walk();
    }

    /**
     * Iterates from the last key to the first, so that the key that fills the place of a removed one has been visited
     * already.
     */
    private final class Walk implements Iterator<SelectionKey> {
        private int next = count - 1;
        private PdSelectionKey current;
        private int expected = changes;

        @Override
        public boolean hasNext() {
            return next >= 0;
        }

        @Override
        public SelectionKey next() {
            check();
            if (next < 0) {
                throw new NoSuchElementException();
            }
            current = keys[next--];
            return current;
        }

        @Override
        public void remove() {
            if (current == null) {
                throw new IllegalStateException();
            }
            check();
            deselect(current);
            current = null;
            expected = changes;
        }

        private void check() {
            if (expected != changes) {
                throw new ConcurrentModificationException();
            }
        }
    }
}
