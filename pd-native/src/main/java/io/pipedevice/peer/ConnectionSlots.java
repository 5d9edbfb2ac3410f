// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import org.agrona.collections.IntArrayList;

/** The slots of a link, which its client gives out. Guarded by the link's lock. */
final class ConnectionSlots {
    static final int NONE = -1;

    /** Closed sockets that are looked at for each that is opened, so that they become fewer. */
    private static final int LOOKS = 2;

    private final LinkSockets sockets;
    private final IntArrayList free = new IntArrayList();
    private final IntArrayList generations = new IntArrayList();

    ConnectionSlots(LinkSockets sockets) {
        this.sockets = sockets;
    }

    /** A slot that neither side uses; {@link #NONE} if there is none. */
    int take() {
        reclaim(LOOKS);
        if (free.isEmpty() && generations.size() < LinkMemoryDescriptor.MAX_CONNECTIONS) {
            generations.addInt(0);
            return generations.size() - 1;
        }
        if (free.isEmpty()) {
            reclaim(sockets.closingCount());
        }
        return free.isEmpty() ? NONE : free.popInt();
    }

    /** The generation of the slot's next connection; never 0, which no connection has. */
    int nextGeneration(int slot) {
        int next = generations.getInt(slot) + 1;
        if (next == 0) {
            next = 1;
        }
        generations.setInt(slot, next);
        return next;
    }

    void giveBack(int slot) {
        free.addInt(slot);
    }

    private void reclaim(int looks) {
        for (int i = 0; i < looks; i++) {
            PeerSocket over = sockets.reclaim();
            if (over != null) {
                giveBack(over.slot());
            }
        }
    }
}
