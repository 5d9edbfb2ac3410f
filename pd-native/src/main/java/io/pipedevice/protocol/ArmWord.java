// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

/**
 * The word with which a thread announces that it is about to sleep until a socket is ready. It names the doorbell that
 * wakes the thread.
 *
 * <pre>
 *  63           32 31        16 15        0
 *  +--------------+------------+-----------+
 *  | generation   | doorbell   | interest  |
 *  +--------------+------------+-----------+
 * </pre>
 *
 * <p>Zero is disarmed. The generation differs from one arming to the next, so that the other side serves each arming
 * once. The sleeping thread stores the word, fences, checks the socket again, and only then blocks. The other side
 * publishes, fences, and reads the word. So either the thread sees the published state, or the other side sees the
 * word.
 */
public final class ArmWord {
    /** No thread sleeps. */
    public static final long DISARMED = 0;

    /** Interest: data, end-of-file, or a connection to accept. */
    public static final int IN = 1;

    /** Interest: sends completed. */
    public static final int OUT = 4;

    /**
     * In addition to the interest, in a reader's or writer's word: post an event that names the word that was served,
     * and then ring. For threads that share a doorbell. The word of epoll instances always requests events.
     */
    public static final int EVENT = 0x10;

    /** Largest doorbell number. */
    public static final int MAX_DOORBELL = 0xFFFF;

    private ArmWord() {}

    /**
     * Builds a word.
     *
     * @param generation different from the word before; only 32 bits are kept, and never all of them zero
     * @param doorbell number of the doorbell, 0 to {@link #MAX_DOORBELL}
     * @param interest {@link #IN}, {@link #OUT} or both, and {@link #EVENT}
     * @return never {@link #DISARMED}
     */
    public static long of(int generation, int doorbell, int interest) {
        return (long) generation << 32 | (doorbell & 0xFFFFL) << 16 | (interest & 0xFFFFL);
    }

    /**
     * The doorbell.
     *
     * @param word an arm word, from anywhere
     * @return 0 to {@link #MAX_DOORBELL}
     */
    public static int doorbell(long word) {
        return (int) (word >>> 16) & 0xFFFF;
    }

    /**
     * The interest.
     *
     * @param word an arm word, from anywhere
     * @return 0 to 65535
     */
    public static int interest(long word) {
        return (int) word & 0xFFFF;
    }
}
