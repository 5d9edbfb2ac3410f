/* Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0 */

/* Gives a key of a hash table a value: see table.h. */
#include "table.h"

#define LOOKS 4             /* at the stacks of free items */
#define NOT_YET ~0ull       /* no item's number, and no sum of empty stacks */

/* The offset of a stack: the key's, and those behind it. Keys have stacks of their own, so that a slow place meets others seldom, and not always loses. */
INLINE u64 stack_of(u64 hash, u64 turn) {
    return 8 + (hash % STACKS + turn) % STACKS * 8;
}

/*
 * Takes a free item of the key's stack, or a new one, or one of another stack. 0 if there is none, NOT_YET if others were faster.
 * A stack's version grows with each change. So if all stacks are empty in two looks, and no version has grown, they were all
 * empty at one time.
 */
INLINE u64 take(u64 hash, u64 length) {
    u64 least = 8 + 8 * KEY_WORDS; /* which a PUT reads of an old item */
    u64 before = NOT_YET, asked = 0;
    for (u64 look = 0; look < LOOKS; look++) {
        u64 empty = 0, sum = 0;
        for (u64 i = 0; i < STACKS; i++) {
            u64 stack = stack_of(hash, i);
            u64 head = pd_get(ITEMS, stack);
            u64 item = head & LOW;
            if (item) {
                u64 next = pd_get(ITEMS, item_offset(item, length)) & LOW;
                if (pd_compare_and_swap(ITEMS, stack, head, ((head >> 32) + 1) << 32 | next) == head)
                    return item;
            } else {
                empty++;
                sum += head;
                if (i == 0 && !asked) {
                    asked = 1;
                    item = pd_fetch_and_add(ITEMS, TAKEN, 1) + 1;
                    u64 end = item_offset(item, length) + (length > least ? length : least);
                    if (item <= ITEM_MASK && end <= pd_size(ITEMS))
                        return item;
                }
            }
        }
        if (empty != STACKS)
            sum = NOT_YET;
        else if (sum == before)
            return 0;
        before = sum;
    }
    return NOT_YET;
}

/* Gives an item back: to the key's stack, or to the next one if another PUT is faster there. */
INLINE void give_back(u64 item, u64 hash, u64 length) {
    for (u64 tries = 0; tries < 16 * STACKS; tries++) {
        u64 stack = stack_of(hash, tries % STACKS);
        u64 head = pd_get(ITEMS, stack);
        pd_put(ITEMS, item_offset(item, length), head & LOW);
        if (pd_compare_and_swap(ITEMS, stack, head, ((head >> 32) + 1) << 32 | item) == head)
            break;
    }
}

PD_ACTIVE u64 table_put(u8 *message, u64 length) {
    u64 key[KEY_WORDS], bucket[LINE / 8], old[1 + KEY_WORDS];
    u64 lengths = word(message, 0);
    u64 words = key_words(lengths, length);
    if (!words || 8 + 8 * words + value_length(lengths) > length)
        return INVALID;
    copy_key(message, words, length, key);
    u64 hash = hash_of(key, words);
    u64 tag = tag_of(hash), region = BUCKETS, offset = bucket_of(hash), result = BUSY;
    u64 item = take(hash, length);
    if (item == NOT_YET)
        return BUSY;
    if (!item)
        return FULL;
    pd_write(ITEMS, item_offset(item, length), message, length);
    for (u64 depth = 0; depth < CHAIN; depth++) {
        pd_read(region, offset, bucket, LINE);
        u64 after = 0;
        for (u64 found = 0; found < ENTRIES; found++) {
            u64 index = 0, entry = 0;
#pragma clang loop unroll(full)
            for (u64 i = ENTRIES; i >= 1; i--) {
                if (i > after && (!bucket[i] || (bucket[i] ^ tag) >> TAG_SHIFT == 0)) {
                    index = i;
                    entry = bucket[i];
                }
            }
            if (!index)
                break;
            after = index;
            u64 at = offset + 8 * index;
            if (!entry) {
                /* empty entries are used in their order: two PUTs of one new key meet here */
                entry = pd_compare_and_swap(region, at, 0, tag | (ITEM_MASK + 1) | item);
                if (!entry)
                    return OK;
                if ((entry ^ tag) >> TAG_SHIFT)
                    continue;
            }
            u64 tries = 0;
            for (;;) {
                pd_read(ITEMS, entry_item(entry, length), old, sizeof(old));
                u64 differs = key_length(old[0]) ^ key_length(lengths);
#pragma clang loop unroll(full)
                for (u64 i = 0; i < KEY_WORDS; i++) {
                    if (i < words)
                        differs |= old[1 + i] ^ key[i];
                }
                u64 now;
                if (differs) {
                    now = pd_get(region, at);
                    if (now == entry)
                        break; /* it is the entry of another key */
                } else {
                    u64 version = (entry & VERSION_MASK) + ITEM_MASK + 1 & VERSION_MASK;
                    now = pd_compare_and_swap(region, at, entry, tag | version | item);
                    if (now == entry) {
                        item = entry & ITEM_MASK;
                        result = OK;
                        goto end;
                    }
                }
                entry = now;
                if (++tries == TRIES)
                    goto end;
            }
        }
        u64 next = bucket[0];
        if (!next) {
            u64 added = pd_fetch_and_add(OVERFLOW, 0, 1) + 1;
            if (added >= pd_size(OVERFLOW) / LINE) {
                result = FULL;
                break;
            }
            next = pd_compare_and_swap(region, offset, 0, added);
            if (!next)
                next = added;
        }
        region = OVERFLOW;
        offset = next * LINE;
    }
end:
    give_back(item, hash, length);
    return result;
}
