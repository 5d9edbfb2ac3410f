/* Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A hash table in three regions, in the manner of MICA (Lim et al., NSDI '14): GET and PUT as active functions. TableLayout
 * has the pictures.
 *
 * No operation takes a lock, so one whose caller dies on the way blocks no other. An entry belongs to one key for ever. A PUT
 * writes a new item, and then swaps the item's number and the next version into the entry. A GET copies the item, and then looks
 * whether the entry is still the same word: the item was the key's all the time, and nobody has changed it.
 *
 * The message is an item: lengths, key, value. A GET fills in the value.
 */
#include "pd_active.h"

enum { BUCKETS, OVERFLOW, ITEMS }; /* the regions */

enum { OK, ABSENT, FULL, BUSY, INVALID }; /* the results */

#define LINE 64            /* bytes of a bucket, and of what comes before the first item and the first overflow bucket */
#define ENTRIES 7          /* of a bucket, behind the number of the next bucket */
#define KEY_WORDS 8        /* of the longest key */
#define CHAIN 64           /* most buckets that an operation looks at */
#define TRIES 64           /* how often others may be faster */
#define FREE 0             /* offset of the stack of free items: version, number of the first item */
#define TAKEN 8            /* offset of the number of items that were ever taken */
#define LOW 0xffffffffull  /* the number in the stack of free items */
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
    return LINE + (item - 1) * length;
}

INLINE u64 entry_item(u64 entry, u64 length) {
    return item_offset(entry & ITEM_MASK, length);
}

PD_ACTIVE u64 table_get(u8 *message, u64 length) {
    u64 key[KEY_WORDS], bucket[LINE / 8];
    u64 lengths = word(message, 0);
    u64 words = key_words(lengths, length);
    if (!words)
        return INVALID;
    copy_key(message, words, length, key);
    u64 hash = hash_of(key, words);
    u64 tag = tag_of(hash), region = BUCKETS, offset = bucket_of(hash);
    for (u64 depth = 0; depth < CHAIN; depth++) {
        pd_read(region, offset, bucket, LINE);
        u64 after = 0;
        for (u64 found = 0; found < ENTRIES; found++) {
            u64 index = 0, entry = 0;
#pragma clang loop unroll(full)
            for (u64 i = ENTRIES; i >= 1; i--) {
                if (i > after && (bucket[i] ^ tag) >> TAG_SHIFT == 0) {
                    index = i;
                    entry = bucket[i];
                }
            }
            if (!index)
                break;
            after = index;
            u64 tries = 0;
            for (;;) {
                pd_read(ITEMS, entry_item(entry, length), message, length);
                u64 now = pd_get(region, offset + 8 * index);
                if (now == entry)
                    break;
                entry = now;
                if (++tries == TRIES)
                    return BUSY;
            }
            u64 differs = key_length(word(message, 0)) ^ key_length(lengths);
#pragma clang loop unroll(full)
            for (u64 i = 0; i < KEY_WORDS; i++) {
                if (has_word(i, words, length))
                    differs |= word(message, 1 + i) ^ key[i];
            }
            if (!differs)
                return OK;
        }
        if (!bucket[0])
            break;
        region = OVERFLOW;
        offset = bucket[0] * LINE;
    }
    /* the message may have the item of another key */
    ((u64 *) message)[0] = key_length(lengths);
#pragma clang loop unroll(full)
    for (u64 i = 0; i < KEY_WORDS; i++) {
        if (has_word(i, words, length))
            ((u64 *) message)[1 + i] = key[i];
    }
    return ABSENT;
}

/* Takes a free item. 0 if there is none. */
INLINE u64 take(u64 length) {
    u64 item, head = pd_get(ITEMS, FREE);
    for (u64 tries = 0; tries < TRIES; tries++) {
        item = head & LOW;
        if (!item)
            break;
        u64 next = pd_get(ITEMS, item_offset(item, length)) & LOW;
        u64 was = pd_compare_and_swap(ITEMS, FREE, head, ((head >> 32) + 1) << 32 | next);
        if (was == head)
            return item;
        head = was;
    }
    item = pd_fetch_and_add(ITEMS, TAKEN, 1) + 1;
    u64 least = 8 + 8 * KEY_WORDS; /* which a PUT reads of an old item */
    u64 end = item_offset(item, length) + (length > least ? length : least);
    return item <= ITEM_MASK && end <= pd_size(ITEMS) ? item : 0;
}

/* Gives an item back. If others are always faster, the item is lost to the table. */
INLINE void give_back(u64 item, u64 length) {
    u64 head = pd_get(ITEMS, FREE);
    for (u64 tries = 0; tries < TRIES; tries++) {
        pd_put(ITEMS, item_offset(item, length), head & LOW);
        u64 was = pd_compare_and_swap(ITEMS, FREE, head, ((head >> 32) + 1) << 32 | item);
        if (was == head)
            break;
        head = was;
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
    u64 item = take(length);
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
    give_back(item, length);
    return result;
}
