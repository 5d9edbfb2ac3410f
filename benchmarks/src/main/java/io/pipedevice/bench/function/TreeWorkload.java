// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.samples.tree.Tree;
import io.pipedevice.samples.tree.TreeFunction;
import io.pipedevice.samples.tree.TreeMessage;
import java.lang.foreign.MemorySegment;

/** Lookups or scans of a B+tree, of keys in turn. */
final class TreeWorkload implements Workload {
    private final long[] keys;
    private final long count;
    private final TreeFunction function;
    private long calls;

    /** Asks for keys, which are numbers below the count of the tree's keys. */
    TreeWorkload(long[] keys, long count, TreeFunction function) {
        this.keys = keys;
        this.count = count;
        this.function = function;
    }

    static long key(long number) {
        return number * 3 + 1;
    }

    @Override
    public int next() {
        calls++;
        return 0;
    }

    @Override
    public void write(MemorySegment message) {
        long key = key(keys[(int) (calls % keys.length)]);
        if (function == TreeFunction.SCAN) {
            TreeMessage.scan(message, key, Tree.MOST_PAIRS);
        } else {
            TreeMessage.get(message, key);
        }
    }

    @Override
    public void check(MemorySegment message, long result) {
        long key = TreeMessage.asked(message);
        if (function == TreeFunction.SCAN) {
            long number = (key - 1) / 3;
            long pairs = Math.min(Tree.MOST_PAIRS, count - number);
            for (int i = 0; i < pairs; i++) {
                check(key(number + i) == TreeMessage.key(message, i), key, result);
                check(Mix.mix(number + i) == TreeMessage.value(message, i), key, result);
            }
            check(result == pairs, key, result);
        } else {
            check(result == TreeFunction.FOUND && TreeMessage.value(message) == Mix.mix((key - 1) / 3), key, result);
        }
    }

    private static void check(boolean isRight, long key, long result) {
        if (!isRight) {
            throw new IllegalStateException("a wrong answer for key " + key + ", result " + result);
        }
    }
}
