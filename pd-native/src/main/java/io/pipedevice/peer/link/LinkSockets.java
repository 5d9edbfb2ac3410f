// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.stream.RingLink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The sockets of one side of a link: those that the program uses, and those that it has closed and the peer has not.
 * Guarded by the link's lock.
 */
final class LinkSockets {
    private static final int FIRST_CAPACITY = 16;

    private final ArrayDeque<RingLink.End> closing = new ArrayDeque<>();
    private RingLink.End[] open = new RingLink.End[FIRST_CAPACITY];
    private int openCount;

    void add(RingLink.End end) {
        int slot = end.slot();
        if (slot >= open.length) {
            int capacity = Math.max(Integer.highestOneBit(slot) * 2, open.length);
            open = Arrays.copyOf(open, Math.min(capacity, LinkMemoryDescriptor.MAX_CONNECTIONS));
        }
        open[slot] = end;
        openCount++;
    }

    /** Whether the program has not closed the socket of a slot. */
    boolean isOpen(int slot) {
        return slot < open.length && open[slot] != null && open[slot].isOpen();
    }

    int openCount() {
        return openCount;
    }

    /** Records that the program has closed a socket. True if the peer has closed it too. */
    boolean closed(RingLink.End end) {
        openCount--;
        if (end.equals(open[end.slot()])) {
            open[end.slot()] = null;
        }
        if (end.release()) {
            return true;
        }
        closing.add(end);
        return false;
    }

    /**
     * Checks the closed socket that was checked least recently; returns it if the peer has closed it too, else null.
     */
    RingLink.End reclaim() {
        RingLink.End oldest = closing.poll();
        if (oldest == null || oldest.release()) {
            return oldest;
        }
        closing.add(oldest);
        return null;
    }

    /** How many closed sockets wait for the peer to close them. */
    int closingCount() {
        return closing.size();
    }

    /** The sockets that the program uses. */
    List<RingLink.End> all() {
        List<RingLink.End> all = new ArrayList<>(openCount);
        for (RingLink.End end : open) {
            if (end != null) {
                all.add(end);
            }
        }
        return all;
    }
}
