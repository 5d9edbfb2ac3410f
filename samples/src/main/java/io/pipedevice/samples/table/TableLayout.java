// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.table;

import java.util.List;

/**
 * The three regions of a hash table, which is empty when they are zero. {@code table.h} has the same offsets. The
 * number of buckets is what the size of the region says; the size of an item is the length of a message.
 *
 * <pre>
 *  buckets:    bucket | bucket | ...            the first one of each chain, found by the hash of the key
 *  overflow:   number of buckets given, 64 bytes | bucket 1 | bucket 2 | ...
 *  items:      items taken, 63 stacks of free items, 512 bytes | item 1 | item 2 | ...
 *
 *  bucket, 64 bytes:
 *   0            8         16                  56        64
 *  +------------+---------+---- - - - - - - --+---------+
 *  | next bucket| entry 1 |                   | entry 7 |     next: the number of an overflow bucket, 0: none
 *  +------------+---------+---- - - - - - - --+---------+
 *
 *  entry, 8 bytes, 0 if it is not in use:
 *   63        48 47            28 27             0
 *  +------------+----------------+----------------+
 *  | tag        | version        | item           |           tag: 16 bits of the hash, the lowest is 1
 *  +------------+----------------+----------------+           version: grows with each PUT
 *
 *  item, and message:
 *   0        4         8                           slot
 *  +--------+---------+------------+--------- - - --+
 *  | key    | value   | key, whole | value          |
 *  | length | length  | words      |                |
 *  +--------+---------+------------+--------- - - --+
 *
 *  stack:       version (32 bits), number of the first item (32 bits); the first word of a free item is the number of the next
 * </pre>
 *
 * @param buckets of the first region
 * @param overflow buckets of the second region
 * @param items that the table can hold, beside one for each PUT that is under way
 * @param slot the bytes of an item, and of a message: a multiple of 8
 */
public record TableLayout(long buckets, long overflow, long items, int slot) {
    /** Bytes of a bucket. */
    static final int LINE = 64;

    /** The longest key, in bytes. */
    public static final int MAX_KEY = 64;

    /** The longest item, and so the longest message. */
    public static final int MAX_SLOT = TableLayout.ITEM_KEY + MAX_KEY + 1024;

    /** Where the key of an item begins. */
    static final int ITEM_KEY = 8;

    /** Where the first item begins. */
    private static final int ITEMS_OFFSET = 512;

    /** Most items, because an entry has 28 bits for their number. */
    private static final long MAX_ITEMS = (1 << 28) - 1;

    /** How many entries of a bucket are in use, on the average, when all items are: chains are short then. */
    private static final int ENTRIES_IN_USE = 3;

    /** A PUT reads as much of an item as the longest key has, also of a shorter last one. */
    private static final int LEAST_READ = ITEM_KEY + MAX_KEY;

    /** Checks the sizes. */
    public TableLayout {
        if (buckets < 1 || buckets > 1L << 32 || overflow < 0 || overflow > 1L << 32) {
            throw new IllegalArgumentException(buckets + " buckets and " + overflow + " overflow buckets");
        }
        if (items < 1 || items > MAX_ITEMS) {
            throw new IllegalArgumentException(items + " items, there can be 1 to " + MAX_ITEMS);
        }
        if (slot < ITEM_KEY + Long.BYTES || slot > MAX_SLOT || slot % Long.BYTES != 0) {
            throw new IllegalArgumentException("an item cannot have " + slot + " bytes");
        }
    }

    /**
     * A table for a number of keys.
     *
     * @param keys that it shall hold
     * @param puts how many PUTs may be under way at a time
     * @param keyLength the longest key, 1 to {@link #MAX_KEY}
     * @param valueLength the longest value together with such a key, up to 1,024
     * @return its layout
     */
    public static TableLayout of(long keys, int puts, int keyLength, int valueLength) {
        long buckets = Math.max(1, keys / ENTRIES_IN_USE);
        return new TableLayout(buckets, buckets / 4 + 16, keys + puts, slot(keyLength, valueLength));
    }

    /** The bytes of an item. */
    static int slot(int keyLength, int valueLength) {
        if (keyLength < 1 || keyLength > MAX_KEY || valueLength < 0) {
            throw new IllegalArgumentException("a key of " + keyLength + " and a value of " + valueLength + " bytes");
        }
        return ITEM_KEY + words(keyLength) + words(valueLength);
    }

    /** A length in whole words, in bytes. */
    static int words(int length) {
        return length + Long.BYTES - 1 & -Long.BYTES;
    }

    /**
     * The sizes of the regions.
     *
     * @return in the order in which the functions number them
     */
    public List<Long> sizes() {
        return List.of(
                LINE * buckets, LINE * (1 + overflow), ITEMS_OFFSET + items * slot + Math.max(0, LEAST_READ - slot));
    }
}
