// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.tree;

/**
 * A node of a B+tree, 448 bytes, so that a function can read one onto its stack; {@code tree.h} has the same offsets.
 * The root is the first node of the region. Keys are ascending, as numbers without a sign.
 *
 * <pre>
 *   0            8         16               232              448
 *  +------------+---------+----------------+----------------+
 *  | keys in use| next    | key 1 ... 27   | value or child |
 *  | , level    | leaf    |                | 1 ... 27       |
 *  +------------+---------+----------------+----------------+
 *
 *  keys in use: 8 bits; the level above them, 0 for a leaf
 *  next leaf:   its offset in the region, 0: none
 *  key:         in an inner node, the least one below the child
 *  child:       its offset in the region
 * </pre>
 */
final class NodeLayout {
    static final int PAIRS = 27;
    static final int LEVEL_SHIFT = 8;
    static final int NEXT_OFFSET = 8;
    static final int KEYS_OFFSET = 16;
    static final int VALUES_OFFSET = KEYS_OFFSET + PAIRS * Long.BYTES;
    static final int SIZE = VALUES_OFFSET + PAIRS * Long.BYTES;

    /** The most levels that a function goes down. */
    static final int MAX_LEVELS = 8;

    private NodeLayout() {}
}
