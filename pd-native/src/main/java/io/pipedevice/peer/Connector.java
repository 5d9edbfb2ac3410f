// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.linux.Processor;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;

/** The client's part of a link: connects. Guarded by the link's lock. */
final class Connector {
    private final RingLink link;
    private final LinkMemory own;
    private final LinkMemory peer;
    private final LinkPages pages;
    private final LinkSockets sockets;
    private final ConnectionSlots slots;
    private long posted;

    /** Whether the server has ceased to listen, which it does for good. */
    private boolean over;

    /** The arm word of the server's that was rung last. */
    private long rung;

    Connector(RingLink link, LinkPages pages, LinkSockets sockets) {
        this.link = link;
        this.own = link.own();
        this.peer = link.peer();
        this.pages = pages;
        this.sockets = sockets;
        this.slots = new ConnectionSlots(sockets);
    }

    boolean isListening() {
        over |= peer.getAcquire(LinkMemoryDescriptor.LISTENING_OFFSET) == 0;
        return !over;
    }

    /** The slot of a closed socket is free. */
    void giveBack(int slot) {
        slots.giveBack(slot);
    }

    PeerSocket connect(InetSocketAddress from, InetSocketAddress to) throws PeerRefusal {
        if (!isListening()) {
            throw new PeerRefusal(PeerRefusal.Reason.NO_RENDEZVOUS, "");
        }
        checkBacklog();
        int slot = slots.take();
        if (slot == ConnectionSlots.NONE) {
            throw new PeerRefusal(PeerRefusal.Reason.NO_MEMORY, "the link has no free slot");
        }
        try {
            pages.connection(slot);
            pages.entryToWrite(posted);
        } catch (IOException e) {
            slots.giveBack(slot);
            throw new PeerRefusal(PeerRefusal.Reason.NO_MEMORY, e.getMessage());
        }
        int generation = slots.nextGeneration(slot);
        SlotSetup.open(own, slot, generation);
        new AcceptEntry(slot, generation, from, to).write(own, posted);
        posted++;
        own.setRelease(LinkMemoryDescriptor.POSTED_FROM_OFFSET, PeerSlot.processorWord(Processor.current()));
        own.setRelease(LinkMemoryDescriptor.POSTED_OFFSET, posted);
        // The server clears LISTENING, fences, and looks at what is posted: either it sees this, or we see that.
        VarHandle.fullFence();
        if (!isListening() && !isTaken(slot, generation)) {
            SlotSetup.refuse(own, slot, generation);
            throw new PeerRefusal(PeerRefusal.Reason.NO_RENDEZVOUS, "");
        }
        PeerSocket socket = new PeerSocket(link, slot, generation, from, to);
        sockets.add(socket);
        return socket;
    }

    private void checkBacklog() throws PeerRefusal {
        long backlog = peer.getAcquire(LinkMemoryDescriptor.BACKLOG_OFFSET);
        long waiting = posted - peer.getAcquire(LinkMemoryDescriptor.ACCEPTED_OFFSET);
        if (backlog < 1 || backlog > LinkMemoryDescriptor.MAX_CONNECTIONS || waiting < 0 || waiting > backlog) {
            link.giveUp("a backlog of " + backlog + " with " + waiting + " in it");
            throw new PeerRefusal(PeerRefusal.Reason.HANDSHAKE_FAILED, "");
        }
        if (waiting == backlog) {
            throw new PeerRefusal(PeerRefusal.Reason.BACKLOG_FULL, "");
        }
    }

    /** Whether the server took a connection before it ceased to listen. */
    private boolean isTaken(int slot, int generation) {
        long state = peer.getAcquire(LinkMemoryDescriptor.slot(slot) + LinkMemoryDescriptor.STATE_OFFSET);
        return (LinkMemoryDescriptor.flags(state, generation) & LinkMemoryDescriptor.OPEN) != 0;
    }

    /** The arm word of the listener, if it is to be rung. The caller has connected. */
    long armToRing() {
        long word = peer.getAcquire(LinkMemoryDescriptor.ACCEPT_ARM_OFFSET);
        if (word == rung) {
            return PeerArmWord.DISARMED;
        }
        rung = word;
        return word;
    }
}
