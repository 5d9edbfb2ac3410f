// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** How many mutations a fuzzer has made, and how often it has reached which part of its victim. Thread safe. */
final class AttackCounts {
    private final LongAdder mutations = new LongAdder();
    private final ConcurrentSkipListMap<String, LongAdder> reached = new ConcurrentSkipListMap<>();

    void mutated() {
        mutations.increment();
    }

    void reached(String what) {
        reached.computeIfAbsent(what, name -> new LongAdder()).increment();
    }

    @Override
    public String toString() {
        return mutations + " mutations; reached " + reached;
    }
}
