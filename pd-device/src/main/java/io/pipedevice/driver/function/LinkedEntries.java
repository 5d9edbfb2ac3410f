// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

/**
 * Entries in their order, each of which is in one list at most, so that it is removed without a search. Unlike a linked
 * set of the JDK it allocates nothing. Belongs to one thread.
 *
 * @param <E> the type of the entries
 */
final class LinkedEntries<E extends LinkedEntries.Entry<E>> {
    /**
     * An entry of a list.
     *
     * @param <E> its type
     */
    abstract static class Entry<E extends Entry<E>> {
        // Not private: a type variable has no access to private members.
        LinkedEntries<E> list;

        /** The one behind it; null if it is the last one, or in no list. */
        E next;

        E previous;
    }

    private E first;
    private E last;

    boolean isEmpty() {
        return first == null;
    }

    void addLast(E entry) {
        assert entry.list == null : "in another list";
        entry.list = this;
        entry.previous = last;
        if (last == null) {
            first = entry;
        } else {
            last.next = entry;
        }
        last = entry;
    }

    void addFirst(E entry) {
        assert entry.list == null : "in another list";
        entry.list = this;
        entry.next = first;
        if (first == null) {
            last = entry;
        } else {
            first.previous = entry;
        }
        first = entry;
    }

    /** The first entry; null if the list is empty. */
    E first() {
        return first;
    }

    /** Removes the first entry; returns null if the list is empty. */
    E poll() {
        E entry = first;
        if (entry != null) {
            remove(entry);
        }
        return entry;
    }

    /** Removes an entry; returns false if it is not here. */
    boolean remove(E entry) {
        if (entry.list != this) {
            return false;
        }
        E before = entry.previous;
        E after = entry.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        entry.list = null;
        entry.next = null;
        entry.previous = null;
        return true;
    }
}
