// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

import java.lang.invoke.VarHandle;

/**
 * The intents in the memory of a client: the kernel connections that it is about to make, and that may move
 * to rings. See {@link LinkMemoryDescriptor}. The client writes under its link's lock; the server reads without one.
 */
public final class IntentTable {
    /** There is no intent. */
    public static final long NONE = 0;

    private static final int SLOT_SHIFT = 32;
    private static final int PORT_SHIFT = 48;
    private static final int SHORT = 0xFFFF;

    private IntentTable() {}

    /**
     * Announces a connection. The client announces before its SYN, so that a server that has accepted the connection
     * finds the intent.
     *
     * @param own memory of the client
     * @param port that the connection will come from
     * @param slot reserved for it
     * @param generation of the slot
     * @return false if there is no room, or another connection from that port is announced
     */
    public static boolean add(LinkMemory own, int port, int slot, int generation) {
        int free = -1;
        for (int i = 0; i < LinkMemoryDescriptor.INTENTS_OF_PORT; i++) {
            int offset = offset(port, i);
            long word = own.getAcquire(offset);
            if (word == NONE) {
                free = free < 0 ? offset : free;
            } else if (port(word) == port) {
                return false;
            }
        }
        if (free < 0) {
            return false;
        }
        own.setRelease(
                free, (long) port << PORT_SHIFT | (long) slot << SLOT_SHIFT | Integer.toUnsignedLong(generation));
        VarHandle.fullFence();
        return true;
    }

    /**
     * Takes an intent back, or has no effect if there is none.
     *
     * @param own memory of the client
     * @param port as in {@link #add}
     */
    public static void remove(LinkMemory own, int port) {
        for (int i = 0; i < LinkMemoryDescriptor.INTENTS_OF_PORT; i++) {
            int offset = offset(port, i);
            if (port(own.getAcquire(offset)) == port) {
                own.setRelease(offset, NONE);
            }
        }
    }

    /**
     * Finds the intent of a port.
     *
     * @param peer memory of the client
     * @param port that a kernel connection has come from
     * @return unchecked except for its port; {@link #NONE} if there is none
     */
    public static long find(LinkMemory peer, int port) {
        for (int i = 0; i < LinkMemoryDescriptor.INTENTS_OF_PORT; i++) {
            long word = peer.getAcquire(offset(port, i));
            if (port(word) == port) {
                return word;
            }
        }
        return NONE;
    }

    private static int offset(int port, int place) {
        int first = port * LinkMemoryDescriptor.INTENTS_OF_PORT & LinkMemoryDescriptor.INTENTS - 1;
        return LinkMemoryDescriptor.INTENTS_OFFSET + (first + place) * Long.BYTES;
    }

    private static int port(long intent) {
        return (int) (intent >>> PORT_SHIFT);
    }

    /**
     * The slot of an intent.
     *
     * @param intent as {@link #find} has returned it
     * @return unchecked: 0 to 65535
     */
    public static int slot(long intent) {
        return (int) (intent >>> SLOT_SHIFT) & SHORT;
    }

    /**
     * The generation of an intent's slot.
     *
     * @param intent as {@link #find} has returned it
     * @return unchecked
     */
    public static int generation(long intent) {
        return (int) intent;
    }
}
