// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

/**
 * The word by which a sleeper says which bell the peer has to ring when the source becomes ready.
 *
 * <pre>
 *  63         54 53          24 23          0
 *  +------------+--------------+-------------+
 *  | bell + 1   | generation   | cookie      |
 *  +------------+--------------+-------------+
 * </pre>
 *
 * <p>Zero is disarmed. The generation differs from one arming to the next, so that the peer rings once for each. The cookie
 * comes back with the ring, and means something to the bell's owner only. The sleeper stores the word, fences, looks
 * again, and only then sleeps; the peer publishes, fences, and reads the word.
 */
public final class PeerArmWord {
    /** Nothing is to be rung. */
    public static final long DISARMED = 0;

    /** Most bells of a link. */
    public static final int MAX_BELLS = (1 << 10) - 1;

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
     * @param bell 0 to {@link #MAX_BELLS}, exclusive, or -1: the peer knows of no such bell, and
     *     reads what it was told
     * @param generation differs from the word before; 30 bits are kept
     * @param cookie 0 to {@link #MAX_COOKIE}
     * @return the word
     */
    public static long of(int bell, long generation, int cookie) {
        return (long) (bell + 1) << BELL_SHIFT | (generation & GENERATION_MASK) << COOKIE_BITS | cookie;
    }

    /**
     * The bell of a word that is not 0; from a stranger, so it may be -1 or one that there is not.
     *
     * @param word a stranger's
     * @return its number
     */
    public static int bell(long word) {
        return (int) (word >>> BELL_SHIFT) - 1;
    }

    /**
     * The cookie of a word.
     *
     * @param word a stranger's
     * @return 0 to {@link #MAX_COOKIE}
     */
    public static int cookie(long word) {
        return (int) word & MAX_COOKIE;
    }
}
