// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.queue;

/**
 * Layout of a queue entry: the 32-byte command of Figure 6, little-endian and packed in the paper's order.
 *
 * <pre>
 *   0      1                 9                17     19    21    23    24    26    28            32
 *  +------+-----------------+----------------+------+-----+-----+-----+-----+-----+-------------+
 *  | type | source address  | destination    | data | cid | conn|table|entry| data| tag         |
 *  |      |                 | address        | len  |     | id  | id  | seq | len |             |
 *  |      |                 |                | low  |     |     |     |     | high|             |
 *  +------+-----------------+----------------+------+-----+-----+-----+-----+-----+-------------+
 * </pre>
 *
 * <p>The paper's length field has two bytes, which cannot hold the 64 KB that its evaluation moves per command, and
 * leaves six bytes reserved. Here the first two reserved bytes hold the high half of the length: lengths are in bytes,
 * 0 to 2<sup>31</sup>-1, and never truncated. The other four are the tag: the lap stamp of an entry that crosses a
 * process boundary ({@link EntryRingProducer}), or the status of a completion ({@link CommandType}).
 *
 * <p>An entry is 32-byte aligned, so it is read and written as four aligned 64-bit words; the methods here convert
 * between those words and the fields.
 */
public final class CommandDescriptor {
    /** Length of an entry, in bytes. */
    public static final int ENTRY_LENGTH = 32;

    /** Offset of the request type, one byte. */
    public static final int TYPE_OFFSET = 0;

    /** Offset of the source address, eight bytes, unaligned. */
    public static final int SOURCE_OFFSET = 1;

    /** Offset of the destination address, eight bytes, unaligned. */
    public static final int DESTINATION_OFFSET = 9;

    /** Offset of the low two bytes of the data length. */
    public static final int LENGTH_LOW_OFFSET = 17;

    /** Offset of the container id, two bytes. */
    public static final int CONTAINER_ID_OFFSET = 19;

    /** Offset of the connection id, two bytes. */
    public static final int CONNECTION_ID_OFFSET = 21;

    /** Offset of the table id, one byte. */
    public static final int TABLE_ID_OFFSET = 23;

    /** Offset of the entry sequence, two bytes. */
    public static final int ENTRY_SEQUENCE_OFFSET = 24;

    /** Offset of the high two bytes of the data length. */
    public static final int LENGTH_HIGH_OFFSET = 26;

    /** Offset of the tag, four bytes. */
    public static final int TAG_OFFSET = 28;

    /** Largest value of the two-byte ids and of the entry sequence. */
    public static final int MAX_ID = 0xFFFF;

    private CommandDescriptor() {}

    static long word0(int type, long source) {
        return (type & 0xFFL) | source << 8;
    }

    static long word1(long source, long destination) {
        return source >>> 56 | destination << 8;
    }

    static long word2(long destination, int length, int containerId, int connectionId, int tableId) {
        return destination >>> 56
                | (length & 0xFFFFL) << 8
                | (containerId & 0xFFFFL) << 24
                | (connectionId & 0xFFFFL) << 40
                | (tableId & 0xFFL) << 56;
    }

    static long word3(int entrySequence, int length, int tag) {
        return (entrySequence & 0xFFFFL) | (length >>> 16 & 0xFFFFL) << 16 | (long) tag << 32;
    }

    static int type(long word0) {
        return (int) word0 & 0xFF;
    }

    static long source(long word0, long word1) {
        return word0 >>> 8 | word1 << 56;
    }

    static long destination(long word1, long word2) {
        return word1 >>> 8 | word2 << 56;
    }

    static int length(long word2, long word3) {
        return ((int) (word2 >>> 8) & 0xFFFF) | ((int) (word3 >>> 16) & 0xFFFF) << 16;
    }

    static int containerId(long word2) {
        return (int) (word2 >>> 24) & 0xFFFF;
    }

    static int connectionId(long word2) {
        return (int) (word2 >>> 40) & 0xFFFF;
    }

    static int tableId(long word2) {
        return (int) (word2 >>> 56);
    }

    static int entrySequence(long word3) {
        return (int) word3 & 0xFFFF;
    }

    static int tag(long word3) {
        return (int) (word3 >>> 32);
    }
}
