// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

/**
 * Layout of the part of a link's memory by which one side names ready sockets to the other side's pollers. It begins at
 * {@link LinkMemoryDescriptor#READY_SET_OFFSET}. A poller and its ready ring have the number of the poller's bell.
 *
 * <pre>
 *        0 +--------------------------------------------------------------------------------------+
 *          | pollers: 1024 of 128 bytes, of this side's bells           written by the poller     |
 *   128 KB +--------------------------------------------------------------------------------------+
 *          | ringers: 1024 of 128 bytes, of the other side's bells      written by the ringers    |
 *   256 KB +--------------------------------------------------------------------------------------+
 *          | ready rings: 1024 of 512 entries of 8 bytes, of the other side's bells               |
 *  4.25 MB +--------------------------------------------------------------------------------------+
 *
 * poller:  0         64        128       ringer:  0      8      64     128      entry:  63           24 23        0
 *          +---------+---------+                  +------+------+------+                +--------------+----------+
 *          | STATE 8 | HEARD 8 |                  | TAIL | LOST | OPEN |                | position + 1 | cookie   |
 *          +---------+---------+                  +------+------+------+                +--------------+----------+
 * </pre>
 *
 * <p>STATE has one of three states, in two bits, and the number of the poller's sleep above them: one ring ends a
 * sleep. Positions count the entries of a ring from its beginning. An entry is valid if it contains the 40 lower bits
 * of its own position plus one. TAIL is the position behind the last entry that a thread has claimed; the thread writes
 * the entry afterwards. HEARD is at most the position up to which the poller has read. LOST counts the entries for
 * which there was no room. OPEN is 1 once the pages of the ring are allocated. The memory is sparse: only the pages of
 * bells that belong to pollers exist.
 */
public final class ReadySetDescriptor {
    /** STATE: the poller does not read its ready ring; a thread with an entry for it rings its bell. */
    public static final long UNREAD = 0;

    /** STATE: the poller will read the ready ring before it sleeps. */
    public static final long AWAKE = 1;

    /** STATE: the poller sleeps or is about to; a thread that has written an entry also rings its bell. */
    public static final long ASLEEP = 2;

    private static final int STATE_BITS = 2;

    /** Entries of a ready ring. */
    public static final int ENTRIES = 512;

    /** In a poller: its state, and how often it has slept. */
    public static final int STATE_OFFSET = 0;
    /** In a poller: how many entries it has read. */
    public static final int HEARD_OFFSET = 64;

    static final int POLLER_LENGTH = 128;

    /** In a ringer: how many entries it has written. */
    public static final int TAIL_OFFSET = 0;
    /** In a ringer: how many entries were lost because the ring was full. */
    public static final int LOST_OFFSET = 8;
    /** In a ringer: whether the ring is used. */
    public static final int OPEN_OFFSET = 64;

    static final int RINGER_LENGTH = 128;

    private static final int ENTRY_LENGTH = 8;
    static final int RING_LENGTH = ENTRIES * ENTRY_LENGTH;

    private static final int BELLS = 1 << 10;
    private static final int RINGERS_OFFSET = BELLS * POLLER_LENGTH;
    private static final int RINGS_OFFSET = RINGERS_OFFSET + BELLS * RINGER_LENGTH;
    static final int LENGTH = RINGS_OFFSET + BELLS * RING_LENGTH;

    private static final long POSITION_MASK = -1L >>> PeerArmWord.COOKIE_BITS;

    private ReadySetDescriptor() {}

    /**
     * Offset, in the link's memory, of the poller of a bell.
     *
     * @param bell its number
     * @return in bytes
     */
    public static int poller(int bell) {
        return LinkMemoryDescriptor.READY_SET_OFFSET + bell * POLLER_LENGTH;
    }

    /**
     * Offset, in the link's memory, of the ringer of a bell.
     *
     * @param bell its number
     * @return in bytes
     */
    public static int ringer(int bell) {
        return LinkMemoryDescriptor.READY_SET_OFFSET + RINGERS_OFFSET + bell * RINGER_LENGTH;
    }

    /** Offset, in the link's memory, of the ready ring of a bell. */
    static int ring(int bell) {
        return LinkMemoryDescriptor.READY_SET_OFFSET + RINGS_OFFSET + bell * RING_LENGTH;
    }

    /**
     * Offset, in the link's memory, of an entry.
     *
     * @param bell its number
     * @param position of the entry; reduced modulo the length of the ring
     * @return in bytes
     */
    public static int entry(int bell, long position) {
        return ring(bell) + ((int) position & ENTRIES - 1) * ENTRY_LENGTH;
    }

    /**
     * Builds a STATE word.
     *
     * @param state one of the three
     * @param sleep number of the sleep
     * @return the word
     */
    public static long state(long state, long sleep) {
        return sleep << STATE_BITS | state;
    }

    /**
     * The state in a STATE word of the peer; may be none of the three.
     *
     * @param word unchecked
     * @return the state
     */
    public static long stateOf(long word) {
        return word & (1 << STATE_BITS) - 1;
    }

    /**
     * The number of the sleep in a STATE word.
     *
     * @param word a STATE word
     * @return 0 or more
     */
    public static long sleep(long word) {
        return word >>> STATE_BITS;
    }

    /**
     * Builds an entry at a position.
     *
     * @param position of the entry
     * @param cookie of the source
     * @return the word
     */
    public static long entryWord(long position, int cookie) {
        return ((position + 1) << PeerArmWord.COOKIE_BITS) | cookie;
    }

    /**
     * Whether a word of the peer is an entry at a position.
     *
     * @param word unchecked
     * @param position of the entry
     * @return whether the entry was written in this lap
     */
    public static boolean isEntry(long word, long position) {
        return word >>> PeerArmWord.COOKIE_BITS == (position + 1 & POSITION_MASK);
    }
}
