/* Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0 */

/* The message: the least key, the most pairs that are wanted, and behind them the pairs, which come in the order of their keys. */
#include "tree.h"

PD_ACTIVE u64 tree_scan(u8 *message, u64 length) {
    u64 node[WORDS];
    u64 from = ((u64 *) message)[0], wanted = ((u64 *) message)[1];
    u64 count = leaf_of(node, from), pairs = 0, at = 16;
    if (!count)
        return 0;
    u64 index = last_not_above(node, count, from);
    if (node[KEYS + index] < from)
        index++;
    while (pairs < wanted) {
        if (index >= count) {
            if (!node[1])
                break;
            pd_read(TREE, node[1], node, 8 * WORDS);
            count = node[0] & COUNT;
            if (!count)
                break;
            index = 0;
        }
        if (index >= PAIRS || at > length - 16)
            break;
        *(u64 *) (message + at) = node[KEYS + index];
        *(u64 *) (message + at + 8) = node[VALUES + index];
        index++;
        pairs++;
        at += 16;
    }
    return pairs;
}
