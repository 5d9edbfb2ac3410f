/* Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0 */

/* The message: the key, and behind it the value. Reads the words of a node that the binary search needs, not the whole node. */
#include "tree.h"

PD_ACTIVE u64 tree_get_words(u8 *message, u64 length) {
    u64 key = ((u64 *) message)[0];
    u64 offset = 0;
    for (u64 depth = 0; depth < DEPTH; depth++) {
        u64 head = pd_get(TREE, offset);
        u64 count = head & COUNT, index = 0, equal = 0;
        for (u64 step = 16; step > 0; step >>= 1) {
            u64 next = index + step;
            if (next < count) {
                u64 there = pd_get(TREE, offset + 8 * (KEYS + next));
                if (there <= key) {
                    index = next;
                    equal = there == key;
                }
            }
        }
        if (!(head >> LEVEL_SHIFT) && !equal && (index || pd_get(TREE, offset + 8 * KEYS) != key))
            return ABSENT;
        u64 value = pd_get(TREE, offset + 8 * (VALUES + index));
        if (!(head >> LEVEL_SHIFT)) {
            ((u64 *) message)[1] = value;
            return FOUND;
        }
        offset = value;
    }
    return BROKEN;
}
