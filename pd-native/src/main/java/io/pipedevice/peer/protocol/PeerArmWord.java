// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

/**
 * The word in which a sleeper stores the bell that the peer has to ring when the source becomes ready.
 *
 * <pre>
 *  63         54 53          24 23          0
 *  +------------+--------------+-------------+
 *  | bell + 1   | generation   | cookie      |
 *  +------------+--------------+-------------+
 * </pre>
 *
 * <p>Zero is disarmed. The largest number stands for no bell: the sleeper waits for a change of a word in the peer's
 * slot, and the cookie tells whether it reads or writes. The generation differs from one arming to the next, so that
 * the peer rings once for each. The cookie comes back with the ring; only the bell's owner interprets it. The sleeper
 * stores the word, fences, checks the source again, and only then sleeps. The peer publishes, fences, and reads the
 * word.
 */
public final class PeerArmWord {
    /** No bell has to be rung. */
    public static final long DISARMED = 0;

    /** The most bells of a link. */
    public static final int MAX_BELLS = (1 << 10) - 2;

    /** In the place of a bell: the thread sleeps on a word of its slot, see {@link LinkMemoryDescriptor}. */
    private static final int IN_SLOT = MAX_BELLS;

    private static final int READER = 0;
    private static final int WRITER = 1;

    /** The dispatcher's bell, which every link has. */
    public static final int DISPATCHER = 0;

    static final int COOKIE_BITS = 24;
    /** The largest cookie. */
    public static final int MAX_COOKIE = (1 << COOKIE_BITS) - 1;

    private static final int GENERATION_BITS = 30;
    private static final long GENERATION_MASK = (1L << GENERATION_BITS) - 1;
    private static final int BELL_SHIFT = COOKIE_BITS + GENERATION_BITS;

    private PeerArmWord() {}

    /**
     * Builds a word.
     *
     * @param bell 0 to {@link #MAX_BELLS}, exclusive, or -1: the word names no bell, and makes the peer read its
     *     messages
     * @param generation differs from the word before; 30 bits are kept
     * @param cookie 0 to {@link #MAX_COOKIE}
     * @return the word
     */
    public static long of(int bell, long generation, int cookie) {
        return (long) (bell + 1) << BELL_SHIFT | (generation & GENERATION_MASK) << COOKIE_BITS | cookie;
    }

    /**
     * Builds the word of a thread that sleeps on a word of the peer's slot, and not on a bell.
     *
     * @param reader whether it waits for data; otherwise it waits for room
     * @param generation as for {@link #of}
     * @return the word
     */
    public static long inSlot(boolean reader, long generation) {
        return of(IN_SLOT, generation, reader ? READER : WRITER);
    }

    /**
     * Whether a word of the peer that is not 0 is that of a thread that sleeps on a word of this side's slot.
     *
     * @param word unchecked
     * @return false if it names a bell, or none
     */
    public static boolean isInSlot(long word) {
        return bell(word) == IN_SLOT;
    }

    /**
     * Which thread a word {@linkplain #isInSlot of such a thread} belongs to.
     *
     * @param word unchecked
     * @return true for the thread that waits for data, false for the one that waits for room
     */
    public static boolean isReader(long word) {
        return (word & 1) == READER;
    }

    /**
     * The bell of a word of the peer that is not 0. It may be -1 or a bell that does not exist.
     *
     * @param word unchecked
     * @return its number
     */
    public static int bell(long word) {
        return (int) (word >>> BELL_SHIFT) - 1;
    }

    /**
     * The cookie of a word.
     *
     * @param word unchecked
     * @return 0 to {@link #MAX_COOKIE}
     */
    public static int cookie(long word) {
        return (int) word & MAX_COOKIE;
    }
}
