// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.tree;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/** Loads a B+tree at once, from keys in their order: all nodes are full but the last one of each level. Immutable. */
public final class TreeLoader {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final long count;

    /** The number of nodes of each level, from the leaves to the root. */
    private final long[] nodes;

    /**
     * Plans a tree.
     *
     * @param count its keys, 1 or more
     */
    public TreeLoader(long count) {
        if (count < 1) {
            throw new IllegalArgumentException("a tree of " + count + " keys");
        }
        this.count = count;
        long[] all = new long[NodeLayout.MAX_LEVELS];
        int levels = 0;
        for (long below = count; levels == 0 || below > 1; levels++) {
            if (levels == NodeLayout.MAX_LEVELS) {
                throw new IllegalArgumentException(count + " keys are too many");
            }
            below = (below + NodeLayout.PAIRS - 1) / NodeLayout.PAIRS;
            all[levels] = below;
        }
        nodes = Arrays.copyOf(all, levels);
    }

    /**
     * The levels of the tree.
     *
     * @return 1 or more
     */
    public int levels() {
        return nodes.length;
    }

    /**
     * The bytes of its region.
     *
     * @return those of all nodes
     */
    public long size() {
        long all = 0;
        for (long each : nodes) {
            all += each;
        }
        return all * NodeLayout.SIZE;
    }

    /**
     * Writes the tree.
     *
     * @param region {@link #size} bytes
     * @param keys the key of each number, ascending
     * @param values the value of each number
     */
    public void load(MemorySegment region, LongUnaryOperator keys, LongUnaryOperator values) {
        // The root is the first node, and the leaves are the last ones.
        long offset = size();
        long below = count;
        long belowOffset = 0;
        long keysBelow = 1;
        for (int level = 0; level < nodes.length; level++) {
            offset -= nodes[level] * NodeLayout.SIZE;
            for (long number = 0; number < nodes[level]; number++) {
                MemorySegment node = region.asSlice(offset + number * NodeLayout.SIZE, NodeLayout.SIZE);
                long first = number * NodeLayout.PAIRS;
                int pairs = (int) Math.min(NodeLayout.PAIRS, below - first);
                boolean hasNext = level == 0 && number + 1 < nodes[0];
                node.set(WORD, 0, pairs | (long) level << NodeLayout.LEVEL_SHIFT);
                node.set(WORD, NodeLayout.NEXT_OFFSET, hasNext ? offset + (number + 1) * NodeLayout.SIZE : 0);
                for (int i = 0; i < pairs; i++) {
                    long place = (long) i * Long.BYTES;
                    long value =
                            level == 0 ? values.applyAsLong(first + i) : belowOffset + (first + i) * NodeLayout.SIZE;
                    node.set(WORD, NodeLayout.KEYS_OFFSET + place, keys.applyAsLong((first + i) * keysBelow));
                    node.set(WORD, NodeLayout.VALUES_OFFSET + place, value);
                }
            }
            below = nodes[level];
            belowOffset = offset;
            keysBelow *= NodeLayout.PAIRS;
        }
    }
}
