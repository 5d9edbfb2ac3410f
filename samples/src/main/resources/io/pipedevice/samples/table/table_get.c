/* Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0 */

/* Looks a key up in a hash table: see table.h. */
#include "table.h"

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
