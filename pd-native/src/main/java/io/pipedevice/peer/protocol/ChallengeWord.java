// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

/**
 * The CHALLENGE word of a slot: a server asks the client to send one byte through the kernel's connection, as urgent
 * data, which shows that the client has its other end. See {@link LinkMemoryDescriptor}.
 */
public final class ChallengeWord {
    /** The server has not asked. */
    public static final int NONE = -1;

    private static final int CHALLENGED = 0x100;
    private static final int BYTE = 0xFF;

    private ChallengeWord() {}

    /**
     * Asks for a byte.
     *
     * @param own memory of the server
     * @param slot of the connection
     * @param generation of the slot
     * @param value the byte, 0 to 255
     */
    public static void write(LinkMemory own, int slot, int generation, int value) {
        own.setRelease(offset(slot), (long) generation << Integer.SIZE | CHALLENGED | value);
    }

    /**
     * The byte that the server asks for.
     *
     * @param peer memory of the server
     * @param slot of the connection
     * @param generation of the slot
     * @return 0 to 255; {@link #NONE} if it has not asked
     */
    public static int read(LinkMemory peer, int slot, int generation) {
        long word = peer.getAcquire(offset(slot));
        boolean is = (int) (word >>> Integer.SIZE) == generation && ((int) word & ~BYTE) == CHALLENGED;
        return is ? (int) word & BYTE : NONE;
    }

    private static int offset(int slot) {
        return LinkMemoryDescriptor.slot(slot) + LinkMemoryDescriptor.CHALLENGE_OFFSET;
    }
}
