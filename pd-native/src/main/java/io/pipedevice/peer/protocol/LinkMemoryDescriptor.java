// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

import io.pipedevice.linux.Memory;

/**
 * Layout of the memory that one side of a link owns and the other maps read-only.
 *
 * <pre>
 *         0 +--------------------------------------------------------------+
 *           | magic 8 | version 4 | - 4                                    |
 *        64 | LISTENING 8 | BACKLOG 8 | KEEPS_PORTS 8 written by the server|
 *       128 | ACCEPTED 8: entries taken         written by the server      |
 *       192 | POSTED 8: entries written         written by the client      |
 *       256 | ACCEPT_ARM 8                      written by the server      |
 *       320 | OVERFLOW 8: bells that were full                             |
 *       384 | GIVEN_UP 8: not 0 if all connections are reset               |
 *           | USED_SLOTS 8 | CONNECTIONS 8                                 |
 *       448 | POSTED_FROM 8                     written by the client      |
 *      4096 | intents: 512 of 8                 written by the client      |
 *      8192 +--------------------------------------------------------------+
 *           | accept ring: 16384 entries of 64 bytes, the client's         |
 *  1 MB + 8 KB -------------------------------------------------------------+
 *           | slots: 16384 of 256 bytes                                    |
 *  5 MB + 8 KB -------------------------------------------------------------+
 *           | base rings: 16384 of 4 KB                                    |
 * 69 MB + 8 KB -------------------------------------------------------------+
 *           | ready sets: see {@link ReadySetDescriptor}                   |
 * 73.25 MB + 8 KB ----------------------------------------------------------+
 *
 * slot:    0      8      16       24     32       40            48       56  64     72                80 128
 *         +------+------+--------+------+--------+-------------+--------+---+------+-----------------+---+
 *         | TAIL | RING | SWITCH | RING | SWITCH | SENT_BEFORE | URGENT | - | HEAD | RECEIVED_BEFORE | - |
 *         +------+------+--------+------+--------+-------------+--------+---+------+-----------------+---+
 *          producer line                                                     consumer line
 *          128     136        144         152      160         168    176           184         192
 *         +-------+----------+-----------+--------+-----------+------+-------------+-------------+
 *         | STATE | READ_ARM | WRITE_ARM | WANTED | PROCESSOR | RANG | READER_RUNG | WRITER_RUNG |
 *         +-------+----------+-----------+--------+-----------+------+-------------+-------------+
 *          attention line
 *          192         200 256
 *         +-----------+---+
 *         | CHALLENGE | - |                             written by the server
 *         +-----------+---+
 *
 * intent, by bits, the lowest first; 0 for none:
 *          0                   32       48       64
 *         +-------------------+--------+--------+
 *         | generation        | slot   | port   |
 *         +-------------------+--------+--------+
 *
 * entry:   0      4            8        10       12       16       32       48  64
 *         +------+------------+--------+--------+--------+--------+--------+---+
 *         | slot | generation | client | server | family | client | server | - |
 *         |      |            | port   | port   | 4 or 6 | address| address|   |
 *         +------+------------+--------+--------+--------+--------+--------+---+
 * </pre>
 *
 * <p>TAIL and HEAD count bytes from the beginning of the connection. RING names the ring that holds the bytes from
 * position SWITCH on: its number is in the upper half, 0 for the slot's base ring; the logarithm of its size is in the
 * lower half. From bit 16 on, 16 bits count the switches of the connection; the first is 1. There are two pairs, used
 * in turn, so that the writer can announce the next switch before the reader has come to the last one. With the flag
 * BLOCKS the bytes do not follow each other in the ring: behind it lies an array of entries, used in turn, one for each
 * send, which say where its bytes lie. A writer whose ring is full stores in WANTED the HEAD at which it can continue.
 * PROCESSOR is a hint: the processor on which this side last began to wait, or rang; its number plus one, 0 if it is
 * unknown. RANG is a hint too: the System.nanoTime() at which this side last rang for the connection, from which the
 * other side estimates the cost of a wake-up by this process. POSTED_FROM is the processor on which the last connect
 * ran. STATE has the connection's generation, in the upper half, and flags; the other words of a slot are valid only
 * for that generation. The memory is sparse: pages exist for the slots that were used.
 *
 * <p>READER_RUNG and WRITER_RUNG count how often this side has rung for a thread of the other side that sleeps on the
 * count's lower half, until it changes: for its reader, and for its writer. They are never reset.
 *
 * <p>URGENT is the position behind the last byte of urgent data, 0 if there is none: a reader that does not want urgent
 * data in its stream skips that byte. It is written before the byte's TAIL, and again only when the reader's HEAD is
 * past it.
 *
 * <p>SENT_BEFORE and RECEIVED_BEFORE are the bytes of the slot's earlier connections, so that SENT_BEFORE + TAIL is
 * what this side has sent in the slot altogether, and RECEIVED_BEFORE + HEAD what it has received. A driver that has
 * introduced the two processes reads them ({@link LinkPositions}), and no peer does. USED_SLOTS is the number of slots
 * that this side has allocated, CONNECTIONS the number of connections that it has opened, for the same reader.
 */
public final class LinkMemoryDescriptor {
    /** The first word, which identifies the memory of a link. */
    public static final long MAGIC = 0x5245_4550_4450_4950L;
    /** The version of this layout. */
    public static final int VERSION = 9;
    /** {@link #MAGIC}. */
    public static final int MAGIC_OFFSET = 0;
    /** {@link #VERSION}. */
    public static final int VERSION_OFFSET = 8;
    /** Server: whether it still accepts. */
    public static final int LISTENING_OFFSET = 64;
    /** Server: how many connections may wait. */
    public static final int BACKLOG_OFFSET = 72;

    /** Server: for how many slots it keeps the ports that it was shown; written before it welcomes the client. */
    public static final int KEEPS_PORTS_OFFSET = 80;

    /** Server: how many entries it has taken. */
    public static final int ACCEPTED_OFFSET = 128;
    /** Client: how many entries it has written. */
    public static final int POSTED_OFFSET = 192;
    /** Server: the arm word of the accept ring. */
    public static final int ACCEPT_ARM_OFFSET = 256;
    /** How often a doorbell of the peer was full. */
    public static final int OVERFLOW_OFFSET = 320;
    /** Whether this side has given up the link. */
    public static final int GIVEN_UP_OFFSET = 384;
    /** How many slots, from the first one on, this side has allocated. */
    public static final int USED_SLOTS_OFFSET = 392;
    /** How many connections this side has opened. */
    public static final int CONNECTIONS_OFFSET = 400;
    /** Client: the processor on which it connected last. */
    public static final int POSTED_FROM_OFFSET = 448;

    /** Client: what it is about to connect. */
    static final int INTENTS_OFFSET = 4096;

    /** The most intents at the same time; a power of two. */
    static final int INTENTS = 512;

    /** In how many places the intent of a port may lie. */
    static final int INTENTS_OF_PORT = 8;

    /** The length of the header. */
    public static final int HEADER_LENGTH = INTENTS_OFFSET + INTENTS * Long.BYTES;

    /** The most connections of a link at the same time. */
    public static final int MAX_CONNECTIONS = 16384;

    static final int ENTRIES_OFFSET = HEADER_LENGTH;
    /** The length of an entry of the accept ring. */
    public static final int ENTRY_LENGTH = 64;
    /** In an entry: slot and generation. */
    public static final int ENTRY_SLOT_OFFSET = 0;

    static final int ENTRY_GENERATION_OFFSET = 4;
    /** In an entry: the client's port. */
    public static final int ENTRY_CLIENT_PORT_OFFSET = 8;

    static final int ENTRY_SERVER_PORT_OFFSET = 10;
    /** In an entry: the family of both addresses, 4 or 6. */
    public static final int ENTRY_FAMILY_OFFSET = 12;
    /** In an entry: the client's address. */
    public static final int ENTRY_CLIENT_ADDRESS_OFFSET = 16;
    /** In an entry: the address that it connects to. */
    public static final int ENTRY_SERVER_ADDRESS_OFFSET = 32;

    static final int SLOTS_OFFSET = ENTRIES_OFFSET + MAX_CONNECTIONS * ENTRY_LENGTH;
    static final int SLOT_LENGTH = 256;
    /** In a slot: how many bytes this side has written. */
    public static final int TAIL_OFFSET = 0;
    /** In a slot: the RING word of the first place for a switch. */
    public static final int RING_OFFSET = 8;
    /** In a slot: the SWITCH word of the first place for a switch. */
    public static final int SWITCH_OFFSET = 16;

    private static final int SWITCH_PAIR_LENGTH = 16;
    /** In a slot: how many bytes this side has written in earlier connections. */
    public static final int SENT_BEFORE_OFFSET = 40;
    /** In a slot: the position behind the last byte of urgent data. */
    public static final int URGENT_OFFSET = 48;
    /** In a slot: how many bytes this side has read. */
    public static final int HEAD_OFFSET = 64;
    /** In a slot: how many bytes this side has read in earlier connections. */
    public static final int RECEIVED_BEFORE_OFFSET = 72;
    /** In a slot: generation and flags. */
    public static final int STATE_OFFSET = 128;
    /** In a slot: the arm word of the reader. */
    public static final int READ_ARM_OFFSET = 136;
    /** In a slot: the arm word of the writer. */
    public static final int WRITE_ARM_OFFSET = 144;

    /** In a slot: the HEAD from which on a ring helps a writer of blocks. */
    public static final int WANTED_OFFSET = 152;

    /** In a slot: the processor on which this side began to wait, or rang. */
    public static final int PROCESSOR_OFFSET = 160;
    /** In a slot: when this side last rang. */
    public static final int RANG_OFFSET = 168;

    /** In a slot: how often this side has rung for the other side's reader. */
    public static final int READER_RUNG_OFFSET = 176;
    /** In a slot: how often this side has rung for the other side's writer. */
    public static final int WRITER_RUNG_OFFSET = 184;

    /** In a slot: what the server wants to see on the kernel's connection. */
    static final int CHALLENGE_OFFSET = 192;

    static final int RINGS_OFFSET = SLOTS_OFFSET + MAX_CONNECTIONS * SLOT_LENGTH;
    /** The length of a base ring. */
    public static final int BASE_RING_LENGTH = 4096;

    /** The RING word of a stream that has not left its base ring. */
    public static final long BASE_RING = 12;

    private static final int RING_BITS_MASK = 0xFF;

    /** The low bits of a RING word, without the count of its switch. */
    private static final int RING_KIND_MASK = 0xFFFF;

    private static final int SWITCH_COUNT_SHIFT = 16;

    private static final int LARGEST_RING_BITS = 22;

    /** Where the ready sets begin. */
    static final int READY_SET_OFFSET = RINGS_OFFSET + MAX_CONNECTIONS * BASE_RING_LENGTH;

    /** The length of one side's memory. */
    public static final int LENGTH = READY_SET_OFFSET + ReadySetDescriptor.LENGTH;

    /** Flag of RING, beside the logarithm: the ring is a ring of blocks. */
    public static final int BLOCKS = 1 << 8;

    /** The most unconsumed entries of a ring of blocks; the entries lie behind the blocks. */
    public static final int BLOCK_ENTRIES = 1024;

    private static final int BLOCK_ENTRY_LENGTH = 8;

    /** Flag of STATE: this side has opened the connection. */
    public static final int OPEN = 1;

    /** Flag of STATE: no bytes follow TAIL. */
    public static final int FIN = 2;

    /** Flag of STATE: the connection is reset. */
    public static final int RESET = 4;

    /**
     * Flag of STATE: this side neither reads nor writes any more. The client can reuse a slot that both sides have
     * closed.
     */
    public static final int CLOSED = 8;

    /** Flag of STATE: this side reads no more. Together with FIN, the peer's further writes fail as after a close. */
    public static final int DEAF = 16;

    /**
     * Flag of STATE: this side wants urgent data in its stream. Else the peer says in URGENT where they are, and writes
     * one byte of them at a time.
     */
    public static final int INLINE = 32;

    private LinkMemoryDescriptor() {}

    /**
     * Offset of a connection's slot.
     *
     * @param connection number of the slot
     * @return in bytes
     */
    public static int slot(int connection) {
        return SLOTS_OFFSET + connection * SLOT_LENGTH;
    }

    /**
     * Offset of a connection's base ring.
     *
     * @param connection number of the slot
     * @return in bytes
     */
    public static int baseRing(int connection) {
        return RINGS_OFFSET + connection * BASE_RING_LENGTH;
    }

    /**
     * Offset of an entry of the accept ring.
     *
     * @param position of the entry; reduced modulo the length of the ring
     * @return in bytes
     */
    public static int entry(long position) {
        return ENTRIES_OFFSET + (int) (position & MAX_CONNECTIONS - 1) * ENTRY_LENGTH;
    }

    /**
     * Length of a ring of blocks, with its entries.
     *
     * @param size of the blocks, in bytes
     * @return in bytes
     */
    public static int blockRing(int size) {
        int page = (int) Memory.pageSize();
        return size + BLOCK_ENTRIES * BLOCK_ENTRY_LENGTH + page - 1 & -page;
    }

    /**
     * Whether a RING word of the peer names a ring.
     *
     * @param word unchecked
     * @return whether number and size can be right
     */
    public static boolean isRing(long word) {
        int number = ringNumber(word);
        int kind = (int) word & RING_KIND_MASK;
        int bits = kind & ~BLOCKS;
        return number == 0 ? kind == BASE_RING : number > 0 && bits >= BASE_RING && bits <= LARGEST_RING_BITS;
    }

    /**
     * Builds the RING word of a switch.
     *
     * @param number of the ring
     * @param kind the logarithm of its size, with {@link #BLOCKS} for a ring of blocks
     * @param count of the switch
     * @return the word
     */
    public static long ringWord(int number, int kind, int count) {
        long which = Integer.toUnsignedLong(count << SWITCH_COUNT_SHIFT);
        return (long) number << 32 | which | kind;
    }

    /**
     * Whether a RING word of the peer belongs to the connection's switch of this count.
     *
     * @param word unchecked
     * @param count of the switch
     * @return whether the counts match
     */
    public static boolean isSwitch(long word, int count) {
        return (short) (word >> SWITCH_COUNT_SHIFT) == (short) count;
    }

    /**
     * Offset of the RING word of a switch in its slot; SWITCH follows it.
     *
     * @param count of the switch
     * @return in bytes
     */
    public static int ringOffset(int count) {
        return (count & 1) == 1 ? RING_OFFSET : RING_OFFSET + SWITCH_PAIR_LENGTH;
    }

    /**
     * Offset of the SWITCH word of a switch in its slot.
     *
     * @param count of the switch
     * @return in bytes
     */
    public static int switchOffset(int count) {
        return ringOffset(count) + SWITCH_OFFSET - RING_OFFSET;
    }

    /**
     * The RING word of the later switch, of the two in a slot of the peer.
     *
     * @param one unchecked
     * @param other unchecked
     * @return one of the two
     */
    public static long later(long one, long other) {
        return (short) ((short) (one >> SWITCH_COUNT_SHIFT) - (short) (other >> SWITCH_COUNT_SHIFT)) >= 0 ? one : other;
    }

    /**
     * The number of a ring.
     *
     * @param word a RING word
     * @return 0 or more
     */
    public static int ringNumber(long word) {
        return (int) (word >>> 32);
    }

    /**
     * The size of a ring: how many bytes of data it holds.
     *
     * @param word a RING word
     * @return in bytes
     */
    public static int ringLength(long word) {
        return 1 << ((int) word & RING_BITS_MASK);
    }

    /**
     * Whether a ring is a ring of blocks.
     *
     * @param word a RING word
     * @return false if it is the ring of a stream
     */
    public static boolean isOfBlocks(long word) {
        return (word & BLOCKS) != 0;
    }

    /**
     * The length of a ring's memory.
     *
     * @param word a RING word
     * @return in bytes, with entries
     */
    public static int ringMemory(long word) {
        return isOfBlocks(word) ? blockRing(ringLength(word)) : ringLength(word);
    }

    /**
     * The most bytes of a ring that can be unread. In a ring of blocks each block can be sent many times.
     *
     * @param word a RING word
     * @return in bytes
     */
    public static long mostUnread(long word) {
        return isOfBlocks(word) ? (long) BLOCK_ENTRIES * ringLength(word) : ringLength(word);
    }

    /**
     * Offset of an entry in a ring of blocks. The upper half of an entry is the offset of a block, the lower half its
     * length.
     *
     * @param size of the blocks, in bytes
     * @param number of the entry
     * @return in bytes
     */
    public static int blockEntry(int size, long number) {
        return size + ((int) number & BLOCK_ENTRIES - 1) * BLOCK_ENTRY_LENGTH;
    }

    /**
     * Builds a STATE word.
     *
     * @param generation of the slot
     * @param flags or-ed
     * @return the word
     */
    public static long state(int generation, int flags) {
        return (long) generation << 32 | flags;
    }

    /**
     * Flags of a STATE word of the peer; 0 if it belongs to another connection.
     *
     * @param state unchecked
     * @param generation of the slot
     * @return the flags
     */
    public static int flags(long state, int generation) {
        return (int) (state >>> 32) == generation ? (int) state : 0;
    }
}
