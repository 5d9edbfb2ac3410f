// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.stream.RingLink;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.IntArrayQueue;

/** The slots of a link, which its client gives out. Guarded by the link's lock. */
final class ConnectionSlots {
    static final int NONE = -1;

    /** How many closed sockets are checked for each one that is opened, so that their number falls. */
    private static final int LOOKS = 2;

    private final LinkSockets sockets;
    /**
     * The free ones of the first slots, whose ports the server keeps, in the order in which they were given back: two
     * connections from the same port are as far apart as possible.
     */
    private final IntArrayQueue kept = new IntArrayQueue(IntArrayQueue.DEFAULT_NULL_VALUE);

    /** The free ones of the other slots. The last one given back is reused first: its pages are in a cache. */
    private final IntArrayList free = new IntArrayList();

    private final IntArrayList generations = new IntArrayList();

    ConnectionSlots(LinkSockets sockets) {
        this.sockets = sockets;
    }

    /** A slot that neither side uses; {@link #NONE} if there is none. */
    int take() {
        reclaim(LOOKS);
        int made = generations.size();
        boolean hasFree = !kept.isEmpty() || !free.isEmpty();
        if (made < ClientPorts.MOST_KEPT || (!hasFree && made < LinkMemoryDescriptor.MAX_CONNECTIONS)) {
            generations.addInt(0);
            return made;
        }
        if (!hasFree) {
            reclaim(sockets.closingCount());
        }
        if (!kept.isEmpty()) {
            return kept.pollInt();
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
        if (slot < ClientPorts.MOST_KEPT) {
            kept.addInt(slot);
        } else {
            free.addInt(slot);
        }
    }

    private void reclaim(int looks) {
        for (int i = 0; i < looks; i++) {
            RingLink.End over = sockets.reclaim();
            if (over != null) {
                giveBack(over.slot());
            }
        }
    }
}
