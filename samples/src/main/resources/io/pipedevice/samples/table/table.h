/* Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A hash table in three regions, in the manner of MICA (Lim et al., NSDI '14): what GET and PUT have in common. TableLayout
 * has the pictures.
 *
 * No operation takes a lock, so one whose caller dies on the way blocks no other. An entry belongs to one key for ever. A PUT
 * writes a new item, and then swaps the item's number and the next version into the entry. A GET copies the item, and then looks
 * whether the entry is still the same word: the item was the key's all the time, and nobody has changed it.
 *
 * The message is an item: lengths, key, value. A GET fills in the value.
 */
#ifndef TABLE_H
#define TABLE_H

#include "pd_active.h"

enum { BUCKETS, OVERFLOW, ITEMS }; /* the regions */

enum { OK, ABSENT, FULL, BUSY, INVALID }; /* the results */

#define LINE 64            /* bytes of a bucket, and of what comes before the first overflow bucket */
#define ENTRIES 7          /* of a bucket, behind the number of the next bucket */
#define KEY_WORDS 8        /* of the longest key */
#define CHAIN 64           /* most buckets that an operation looks at */
#define TRIES 64           /* how often others may be faster */
#define TAKEN 0            /* offset of the number of items that were ever taken */
#define STACKS 63          /* stacks of free items, behind it, each a word: version, number of the first item */
#define FIRST_ITEM 512     /* offset of item 1 */
#define LOW 0xffffffffull  /* the number in a stack of free items */
#define TAG_SHIFT 48       /* an entry: tag, version, number of the item */
#define ITEM_BITS 28
#define ITEM_MASK ((1ull << ITEM_BITS) - 1)
#define VERSION_MASK ((1ull << TAG_SHIFT) - 1 - ITEM_MASK)
#define INLINE static inline __attribute__((always_inline))

INLINE u64 word(const u8 *message, u64 index) {
    return ((const u64 *) message)[index];
}

INLINE u64 key_length(u64 lengths) {
    return lengths & LOW;
}

INLINE u64 value_length(u64 lengths) {
    return lengths >> 32;
}

/* The number of words of the key, 1 to 8; 0 if it is no key that the message can hold. */
INLINE u64 key_words(u64 lengths, u64 length) {
    u64 bytes = key_length(lengths);
    if (bytes - 1 >= 8 * KEY_WORDS)
        return 0;
    u64 words = (bytes + 7) >> 3;
    return words <= (length >> 3) - 1 ? words : 0;
}

/* Whether a key has a word. The length shows the verifier that the message has it, too. */
INLINE int has_word(u64 index, u64 words, u64 length) {
    return index < words && 8 * (index + 2) <= length;
}

/* Copies the key, and clears the words behind it. */
INLINE void copy_key(const u8 *message, u64 words, u64 length, u64 *key) {
#pragma clang loop unroll(full)
    for (u64 i = 0; i < KEY_WORDS; i++)
        key[i] = has_word(i, words, length) ? word(message, 1 + i) : 0;
}

INLINE u64 hash_of(const u64 *key, u64 words) {
    u64 hash = words;
#pragma clang loop unroll(full)
    for (u64 i = 0; i < KEY_WORDS; i++) {
        if (i < words) {
            hash = (hash ^ key[i]) * 0x9e3779b97f4a7c15ull;
            hash ^= hash >> 32;
        }
    }
    hash *= 0xd6e8feb86659fd93ull;
    return hash ^ hash >> 32;
}

/* Where the bucket of a hash is. */
INLINE u64 bucket_of(u64 hash) {
    u64 buckets = pd_size(BUCKETS) / LINE;
    return ((hash & LOW) * buckets >> 32) * LINE;
}

/* The tag of a hash, in its place in an entry; never 0, so that no entry of a key is 0. */
INLINE u64 tag_of(u64 hash) {
    return (hash >> TAG_SHIFT | 1) << TAG_SHIFT;
}

INLINE u64 item_offset(u64 item, u64 length) {
    return FIRST_ITEM + (item - 1) * length;
}

INLINE u64 entry_item(u64 entry, u64 length) {
    return item_offset(entry & ITEM_MASK, length);
}

#endif
