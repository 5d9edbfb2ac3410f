/* Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Lookups in a B+tree in one region, in the manner of Cell (Mitchell et al., ATC '16), as active functions: what they have in common. NodeLayout has the
 * pictures. The root is the first node of the region.
 */
#ifndef TREE_H
#define TREE_H

#include "pd_active.h"

enum { TREE }; /* the region */

enum { FOUND, ABSENT, BROKEN }; /* the results of a GET; that of a scan is the number of pairs */

#define PAIRS 27   /* the most keys of a node, each with a value or a child */
#define KEYS 2     /* the word where the keys begin; the count and level, and the next leaf, are before them */
#define VALUES (KEYS + PAIRS)
#define WORDS (VALUES + PAIRS)
#define DEPTH 8    /* the most levels: 27 to the power of 8 keys */
#define COUNT 0xff /* the low bits of a node's first word; the level is above them, 0 for a leaf */
#define LEVEL_SHIFT 8
#define INLINE static inline __attribute__((always_inline))

/* The last of the count keys that is not above a key; 0 if all are. */
INLINE u64 last_not_above(const u64 *node, u64 count, u64 key) {
    u64 index = 0;
#pragma clang loop unroll(full)
    for (u64 step = 16; step > 0; step >>= 1) {
        u64 next = index + step;
        if (next < count && node[KEYS + next] <= key)
            index = next;
    }
    return index;
}

/* Reads the nodes on the way to the leaf of a key. The keys of the leaf; 0 if it is no tree. */
INLINE u64 leaf_of(u64 *node, u64 key) {
    u64 offset = 0;
    for (u64 depth = 0; depth < DEPTH; depth++) {
        pd_read(TREE, offset, node, 8 * WORDS);
        u64 count = node[0] & COUNT;
        if (count > PAIRS)
            return 0;
        if (!(node[0] >> LEVEL_SHIFT))
            return count;
        offset = node[VALUES + last_not_above(node, count, key)];
    }
    return 0;
}

#endif
