// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * Maps small numbers to objects. The number of a removed object is reused, so that an old number may lead to another
 * object, or to none. Thread safe; a look-up takes no lock.
 */
final class CookieTable<T> {
    static final int FULL = -1;

    private static final int FIRST_CAPACITY = 16;

    private final int limit;

    /** Replaced, and its elements changed, under this object's monitor. */
    private volatile AtomicReferenceArray<T> objects = new AtomicReferenceArray<>(FIRST_CAPACITY);

    /** Used numbers that are free again. This and the next two fields are guarded by this object's monitor. */
    private int[] free = new int[FIRST_CAPACITY];

    private int freeCount;
    private int used;

    /** Creates a table for numbers below a limit. */
    CookieTable(int limit) {
        this.limit = limit;
    }

    /** Adds an object. Returns its number, or {@link #FULL}. */
    synchronized int add(T object) {
        if (freeCount == 0 && used == limit) {
            return FULL;
        }
        int number = freeCount > 0 ? free[--freeCount] : used++;
        if (number == objects.length()) {
            grow();
        }
        objects.set(number, object);
        return number;
    }

    private void grow() {
        AtomicReferenceArray<T> before = objects;
        AtomicReferenceArray<T> more = new AtomicReferenceArray<>(before.length() * 2);
        for (int i = 0; i < before.length(); i++) {
            more.setPlain(i, before.getPlain(i));
        }
        objects = more;
    }

    synchronized void remove(int number) {
        objects.set(number, null);
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = number;
    }

    /** The object with a number, which may come from a peer unchecked; null if there is none. */
    T get(int number) {
        AtomicReferenceArray<T> all = objects;
        return number >= 0 && number < all.length() ? all.get(number) : null;
    }

    /** Visits at least the objects that are in the table during the whole call. */
    void forEach(Consumer<? super T> visitor) {
        AtomicReferenceArray<T> all = objects;
        for (int i = 0; i < all.length(); i++) {
            T object = all.get(i);
            if (object != null) {
                visitor.accept(object);
            }
        }
    }
}
