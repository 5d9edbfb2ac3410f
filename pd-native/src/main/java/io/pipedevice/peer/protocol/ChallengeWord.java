// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

/**
 * The CHALLENGE word of a slot: a server asks the client to send one byte through the kernel's connection, as urgent
 * data, which shows that the client has its other end. The server has sent one there too, and the word says which: so
 * the client knows that this server has the other end. See {@link LinkMemoryDescriptor}.
 *
 * <pre>{@literal
 *   CHALLENGED --> a client that has posted moves to rings, unless the server refuses
 *   REVOKED    --> a client posts no more; the server judges what was posted before
 *   LEFT       --> the server has returned the kernel's connection to its program
 * }</pre>
 */
public final class ChallengeWord {
    /** The server does not ask. */
    public static final int NONE = -1;

    private static final int CHALLENGED = 0x100;
    private static final int REVOKED = 0x200;
    private static final int LEFT = 0x400;
    private static final int STATE = CHALLENGED | REVOKED | LEFT;
    private static final int BYTE = 0xFF;
    private static final int SHOWN_SHIFT = 16;

    private ChallengeWord() {}

    /**
     * Asks for a byte.
     *
     * @param own memory of the server
     * @param slot of the connection
     * @param generation of the slot
     * @param value the byte, 0 to 255
     * @param shown the byte that the server sends, 0 to 255
     */
    public static void write(LinkMemory own, int slot, int generation, int value, int shown) {
        set(own, slot, generation, CHALLENGED | value | shown << SHOWN_SHIFT);
    }

    /**
     * Takes back what was asked. A client that posts, fences, and does not see this has posted before.
     *
     * @param own memory of the server
     * @param slot of the connection
     * @param generation of the slot
     */
    public static void revoke(LinkMemory own, int slot, int generation) {
        set(own, slot, generation, REVOKED);
    }

    /**
     * Says that the connection stays on the kernel.
     *
     * @param own memory of the server
     * @param slot of the connection
     * @param generation of the slot
     */
    public static void leave(LinkMemory own, int slot, int generation) {
        set(own, slot, generation, REVOKED | LEFT);
    }

    private static void set(LinkMemory own, int slot, int generation, int word) {
        own.setRelease(offset(slot), (long) generation << Integer.SIZE | word);
    }

    /**
     * The byte that the server asks for.
     *
     * @param peer memory of the server
     * @param slot of the connection
     * @param generation of the slot
     * @return 0 to 255; {@link #NONE} if it does not ask
     */
    public static int read(LinkMemory peer, int slot, int generation) {
        int word = word(peer, slot, generation);
        return (word & STATE) == CHALLENGED ? word & BYTE : NONE;
    }

    /**
     * The byte that the server has sent.
     *
     * @param peer memory of the server
     * @param slot of the connection
     * @param generation of the slot
     * @return 0 to 255; {@link #NONE} if it does not ask
     */
    public static int shown(LinkMemory peer, int slot, int generation) {
        int word = word(peer, slot, generation);
        return (word & STATE) == CHALLENGED ? word >>> SHOWN_SHIFT & BYTE : NONE;
    }

    /**
     * Whether the server has asked, perhaps not any more.
     *
     * @param memory of the server
     * @param slot of the connection
     * @param generation of the slot
     * @return whether the word is of that generation
     */
    public static boolean isAsked(LinkMemory memory, int slot, int generation) {
        return word(memory, slot, generation) != 0;
    }

    /**
     * Whether the server has taken back what it has asked.
     *
     * @param peer memory of the server
     * @param slot of the connection
     * @param generation of the slot
     * @return true also if it has left the connection to the kernel
     */
    public static boolean isRevoked(LinkMemory peer, int slot, int generation) {
        return (word(peer, slot, generation) & REVOKED) != 0;
    }

    /**
     * Whether the server has left the connection to the kernel.
     *
     * @param peer memory of the server
     * @param slot of the connection
     * @param generation of the slot
     * @return whether its program has the kernel's connection
     */
    public static boolean isLeft(LinkMemory peer, int slot, int generation) {
        return (word(peer, slot, generation) & LEFT) != 0;
    }

    /** The low half of the word; 0 if it is of another generation. */
    private static int word(LinkMemory memory, int slot, int generation) {
        long word = memory.getAcquire(offset(slot));
        return (int) (word >>> Integer.SIZE) == generation ? (int) word : 0;
    }

    private static int offset(int slot) {
        return LinkMemoryDescriptor.slot(slot) + LinkMemoryDescriptor.CHALLENGE_OFFSET;
    }
}
