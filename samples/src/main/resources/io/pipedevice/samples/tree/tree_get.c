/* Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0 */

/* The message: the key, and behind it the value. Reads a node at a time. */
#include "tree.h"

PD_ACTIVE u64 tree_get(u8 *message, u64 length) {
    u64 node[WORDS];
    u64 key = ((u64 *) message)[0];
    u64 count = leaf_of(node, key);
    if (!count)
        return BROKEN;
    u64 index = last_not_above(node, count, key);
    if (node[KEYS + index] != key)
        return ABSENT;
    ((u64 *) message)[1] = node[VALUES + index];
    return FOUND;
}
