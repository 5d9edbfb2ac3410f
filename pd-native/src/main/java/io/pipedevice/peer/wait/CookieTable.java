// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * Small numbers for objects, to be found by them again. A number is given out again when its object is removed, so that a
 * number that was kept may lead to another object, or none. Thread safe; looking up takes no lock.
 */
final class CookieTable<T> {
    static final int FULL = -1;

    private static final int FIRST_CAPACITY = 16;

    private final int limit;

    /** Replaced, and its elements changed, under this object's monitor. */
    private volatile AtomicReferenceArray<T> objects = new AtomicReferenceArray<>(FIRST_CAPACITY);

    /** Numbers that were given out and are free again; under this object's monitor, as the next. */
    private int[] free = new int[FIRST_CAPACITY];

    private int freeCount;
    private int used;

    /** A table for numbers below a limit. */
    CookieTable(int limit) {
        this.limit = limit;
    }

    /** Gives an object a number, or {@link #FULL}. */
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

    /** What has a number, which may be a stranger's; null if nothing has. */
    T get(int number) {
        AtomicReferenceArray<T> all = objects;
        return number >= 0 && number < all.length() ? all.get(number) : null;
    }

    /** Visits all that are in the table from the beginning to the end of the call. */
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
