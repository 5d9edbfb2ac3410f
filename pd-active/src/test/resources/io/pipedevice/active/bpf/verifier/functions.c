// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
// Functions as users would write them. CompiledCodeTest verifies each of them, with memory of any length.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

#define FUNCTION __attribute__((section("active"), used))
#define ROLLED _Pragma("clang loop unroll(disable)")

static u64 *(*find)(u64 key) = (void *) 4;

FUNCTION u64 sum_by_index(u8 *data, u64 length) {
    u64 sum = 0;
    for (u64 i = 0; i < length; i++) {
        sum += data[i];
    }
    return sum;
}

FUNCTION u64 sum_by_index_of_32_bits(u8 *data, u32 length) {
    u64 sum = 0;
    for (u32 i = 0; i < length; i++) {
        sum += data[i];
    }
    return sum;
}

FUNCTION u64 sum_by_signed_index(u8 *data, int length) {
    u64 sum = 0;
    for (int i = 0; i < length; i++) {
        sum += data[i];
    }
    return sum;
}

FUNCTION u64 sum_of_words(u8 *data, u64 length) {
    u64 sum = 0;
    u8 *end = data + length;
    for (u64 *at = (u64 *) data; (u8 *) (at + 1) <= end; at++) {
        sum += *at;
    }
    return sum;
}

FUNCTION u64 sum_backwards(u8 *data, u64 length) {
    u64 sum = 0;
    while (length > 0) {
        length--;
        sum = sum * 3 + data[length];
    }
    return sum;
}

FUNCTION u64 loop_with_a_constant_bound(u8 *data, u64 length) {
    if (length < 64) {
        return 0;
    }
    u64 hash = 0;
    ROLLED for (int i = 0; i < 64; i++) {
        hash = hash * 31 + data[i];
    }
    return hash;
}

FUNCTION u64 nested_loops(u8 *data, u64 length) {
    if (length < 256) {
        return 0;
    }
    u64 sum = 0;
    ROLLED for (int i = 0; i < 16; i++) {
        ROLLED for (int j = 0; j < 16; j++) {
            sum += data[i * 16 + j] * (i + j);
        }
    }
    return sum;
}

struct entry {
    u32 key;
    u32 value;
};

struct table {
    u32 key;
    u32 start;
    struct entry entries[];
};

FUNCTION u64 hash_lookup(struct table *table, u64 length) {
    if (length < sizeof(struct table) + 16 * sizeof(struct entry)) {
        return -1;
    }
    u32 hash = (table->key * 2654435761u) >> 28;
    ROLLED for (u32 i = 0; i < 16; i++) {
        struct entry *entry = &table->entries[(hash + i) & 15];
        if (entry->key == table->key) {
            return entry->value;
        }
        if (entry->key == 0) {
            break;
        }
    }
    return 0;
}

FUNCTION u64 lookup_of_a_checked_entry(u8 *data, u64 length) {
    struct table *table = (struct table *) data;
    u8 *end = data + length;
    if (data + sizeof(struct table) > end) {
        return -1;
    }
    struct entry *entry = &table->entries[table->start & 0xffff];
    if ((u8 *) (entry + 1) > end) {
        return 0;
    }
    return entry->key + entry->value;
}

FUNCTION u64 compare(u8 *data, u64 length) {
    if (length < 32) {
        return 2;
    }
    ROLLED for (int i = 0; i < 16; i++) {
        if (data[i] != data[16 + i]) {
            return data[i] < data[16 + i] ? -1 : 1;
        }
    }
    return 0;
}

FUNCTION u64 switch_of_constants(u8 *data, u64 length) {
    if (length < 1) {
        return 0;
    }
    switch (data[0]) {
        case 0: return 5;
        case 1: return 17;
        case 2: return 3;
        case 3: return 91;
        case 4: return 11;
        case 5: return 6;
        default: return 1;
    }
}

FUNCTION u64 switch_of_loads(u8 *data, u64 length) {
    if (length < 16) {
        return 0;
    }
    switch (data[0]) {
        case 10: return data[1];
        case 20: return *(u16 *) (data + 4);
        case 100: return data[2] * 3;
        case 200: return *(u32 *) (data + 8);
        default: return 0;
    }
}

FUNCTION u64 histogram(u8 *data, u64 length) {
    u32 counts[16] = {0};
    for (u64 i = 0; i < length; i++) {
        counts[data[i] & 15]++;
    }
    u32 most = 0;
    for (int i = 0; i < 16; i++) {
        if (counts[i] > most) {
            most = counts[i];
        }
    }
    return most;
}

FUNCTION u64 reverse(u8 *data, u64 length) {
    if (length == 0) {
        return 0;
    }
    for (u64 i = 0, j = length - 1; i < j; i++, j--) {
        u8 swapped = data[i];
        data[i] = data[j];
        data[j] = swapped;
    }
    return 1;
}

FUNCTION u64 checksum(u8 *data, u64 length) {
    u32 sum = ~0u;
    for (u64 i = 0; i < length; i++) {
        sum ^= data[i];
        ROLLED for (int k = 0; k < 8; k++) {
            sum = (sum >> 1) ^ (0xedb88320 & -(sum & 1));
        }
    }
    return ~sum;
}

FUNCTION u64 length_of_text(u8 *data, u64 length) {
    u64 i = 0;
    while (i < length && data[i]) {
        i++;
    }
    return i;
}

static __attribute__((noinline)) u64 byte_at(u8 *data, u64 length, u64 index) {
    return index < length ? data[index] : 0;
}

FUNCTION u64 local_call(u8 *data, u64 length) {
    u64 sum = 0;
    for (u64 i = 0; i < length; i += 2) {
        sum += byte_at(data, length, i);
    }
    return sum;
}

FUNCTION u64 result_of_a_helper(u8 *data, u64 length) {
    if (length < 8) {
        return 0;
    }
    u64 *value = find(*(u64 *) data);
    if (!value) {
        return 0;
    }
    value[1]++;
    return value[0];
}

FUNCTION u64 atomic_addition(u64 *data, u64 length) {
    return length < 16 ? 0 : __sync_fetch_and_add(&data[1], 3);
}
