// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Things that wait, each for the same time, in the order in which they came. Belongs to the driver's thread.
 */
final class Ageing<T> {
    private final Map<T, Long> since = new LinkedHashMap<>();
    private final long mostNs;

    /**
     * @param mostNs how long each waits, in nanoseconds
     */
    Ageing(long mostNs) {
        this.mostNs = mostNs;
    }

    /** Adds one, or makes it wait again. */
    void add(T one, long now) {
        since.remove(one);
        since.put(one, now);
    }

    /** Whether it waited. */
    boolean remove(T one) {
        return since.remove(one) != null;
    }

    int size() {
        return since.size();
    }

    boolean isEmpty() {
        return since.isEmpty();
    }

    /** Returns one whose time is over, for the caller to remove; null if there is none. */
    T late(long now) {
        if (since.isEmpty()) {
            return null;
        }
        Map.Entry<T, Long> oldest = since.entrySet().iterator().next();
        return now - oldest.getValue() > mostNs ? oldest.getKey() : null;
    }
}
