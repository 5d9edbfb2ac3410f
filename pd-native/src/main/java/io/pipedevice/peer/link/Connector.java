// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Processor;
import io.pipedevice.peer.protocol.AcceptEntry;
import io.pipedevice.peer.protocol.ChallengeWord;
import io.pipedevice.peer.protocol.IntentTable;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.protocol.SlotSetup;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.stream.PeerSlot;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.RingLink;
import io.pipedevice.wait.FairTimeout;
import io.pipedevice.wait.Pause;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** The client's part of a link, which connects. Guarded by the link's lock. */
public final class Connector {
    /** Sends the server the socket that holds an address. */
    interface Ports {
        /** False if the socket to the server has no room for the message now. */
        boolean show(int slot, Fd port) throws LinuxException;
    }

    /** A connect, even a non-blocking one, waits no longer for a server that does not read, although it can run. */
    private static final long PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(30);

    /** The longest wait by the clock, for a server that waits for a processor. */
    private static final long BUSY_PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(300);

    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(20);

    private final RingLink link;
    private final LinkMemory own;
    private final LinkMemory peer;
    private final LinkPages pages;
    private final LinkSockets sockets;
    private final RingLimits limits;
    private final ConnectionSlots slots;
    private final Ports ports;

    /** The addresses of the first slots, whose ports the server keeps. */
    private final InetSocketAddress[] shown;

    private long posted;

    /** Whether the server has stopped listening. It never starts again. */
    private boolean over;

    /** The arm word of the server that was rung last. */
    private long rung;

    Connector(RingLink link, LinkPages pages, LinkSockets sockets, RingLimits limits, Ports ports) {
        this.link = link;
        this.own = link.own();
        this.peer = link.peer();
        this.pages = pages;
        this.sockets = sockets;
        this.limits = limits;
        this.ports = ports;
        this.slots = new ConnectionSlots(sockets);
        long keeps = peer.getAcquire(LinkMemoryDescriptor.KEEPS_PORTS_OFFSET);
        this.shown = new InetSocketAddress[Math.clamp(keeps, 0, ClientPorts.MOST_KEPT)];
    }

    boolean isListening() {
        over |= peer.getAcquire(LinkMemoryDescriptor.LISTENING_OFFSET) == 0;
        return !over;
    }

    /** Takes back the slot of a closed socket. */
    void giveBack(int slot) {
        slots.giveBack(slot);
    }

    /**
     * Connects from the address that the server has kept for a free slot.
     *
     * @return null if it keeps none from that source
     */
    PeerSocket connectAgain(InetAddress source, InetSocketAddress to) throws PeerRefusal {
        int slot = takeSlot();
        InetSocketAddress from = slot < shown.length ? shown[slot] : null;
        if (from == null || !from.getAddress().equals(source)) {
            slots.giveBack(slot);
            return null;
        }
        return connect(slot, from, to);
    }

    /** Connects. If the port is not null, first shows it to the server as the socket that holds the address. */
    PeerSocket connect(InetSocketAddress from, Fd port, InetSocketAddress to) throws PeerRefusal {
        int slot = takeSlot();
        if (port != null) {
            show(slot, from, port);
        }
        return connect(slot, from, to);
    }

    /**
     * Announces a connection that the kernel is about to make.
     *
     * @return null if that is not possible now
     */
    Announcement announce(int port) throws PeerRefusal {
        int slot = takeSlot();
        boolean done = false;
        try {
            pages.connection(slot);
            int generation = slots.nextGeneration(slot);
            done = IntentTable.add(own, port, slot, generation);
            return done ? new Announcement(port, slot, generation) : null;
        } catch (IOException e) {
            throw new PeerRefusal(PeerRefusal.Reason.NO_MEMORY, e.getMessage());
        } finally {
            if (!done) {
                slots.giveBack(slot);
            }
        }
    }

    /** Takes an announcement back. False if the server has asked for the byte. */
    boolean revoke(Announcement announced) {
        IntentTable.remove(own, announced.port());
        // The server writes CHALLENGE, fences, and looks at the intent again: either it sees that the intent is gone,
        // or this thread sees CHALLENGE.
        VarHandle.fullFence();
        if (ChallengeWord.read(peer, announced.slot(), announced.generation()) != ChallengeWord.NONE) {
            return false;
        }
        slots.giveBack(announced.slot());
        return true;
    }

    /** Takes an announcement back, even if the server has asked for the byte. */
    void forget(Announcement announced) {
        IntentTable.remove(own, announced.port());
        slots.giveBack(announced.slot());
    }

    /** Posts a connection that was announced, and for which the server has asked. */
    PeerSocket connect(Announcement announced, InetSocketAddress from, InetSocketAddress to) throws PeerRefusal {
        boolean done = false;
        try {
            if (!isListening()) {
                throw new PeerRefusal(PeerRefusal.Reason.NO_RENDEZVOUS, "");
            }
            checkBacklog();
            pages.entryToWrite(posted);
            done = true;
        } catch (IOException e) {
            throw new PeerRefusal(PeerRefusal.Reason.NO_MEMORY, e.getMessage());
        } finally {
            if (!done) {
                forget(announced);
            }
        }
        try {
            return post(announced.slot(), announced.generation(), from, to);
        } finally {
            // Afterwards, so that the server finds one of both.
            IntentTable.remove(own, announced.port());
        }
    }

    private int takeSlot() throws PeerRefusal {
        if (!isListening()) {
            throw new PeerRefusal(PeerRefusal.Reason.NO_RENDEZVOUS, "");
        }
        checkBacklog();
        int slot = slots.take();
        if (slot == ConnectionSlots.NONE) {
            throw new PeerRefusal(PeerRefusal.Reason.NO_MEMORY, "the link has no free slot");
        }
        return slot;
    }

    private void show(int slot, InetSocketAddress from, Fd port) throws PeerRefusal {
        boolean done = false;
        try {
            done = showSoon(slot, port);
        } catch (LinuxException e) {
            throw new PeerRefusal(PeerRefusal.Reason.of(e), e.getMessage());
        } finally {
            if (!done) {
                slots.giveBack(slot);
            }
        }
        if (!done) {
            throw new PeerRefusal(PeerRefusal.Reason.NO_DESCRIPTORS, "the server does not read its messages");
        }
        if (slot < shown.length) {
            shown[slot] = from;
        }
    }

    /**
     * Shows a port, if the server takes earlier ones soon. It reads them when it accepts, so it is slower than clients.
     */
    private boolean showSoon(int slot, Fd port) throws LinuxException {
        if (ports.show(slot, port)) {
            return true;
        }
        FairTimeout timeout = new FairTimeout(System.nanoTime(), PATIENCE_NS, BUSY_PATIENCE_NS);
        do {
            Pause.park(this, PAUSE_NS);
            if (ports.show(slot, port)) {
                return true;
            }
        } while (!timeout.isOver());
        return false;
    }

    private PeerSocket connect(int slot, InetSocketAddress from, InetSocketAddress to) throws PeerRefusal {
        try {
            pages.connection(slot);
            pages.entryToWrite(posted);
        } catch (IOException e) {
            slots.giveBack(slot);
            throw new PeerRefusal(PeerRefusal.Reason.NO_MEMORY, e.getMessage());
        }
        return post(slot, slots.nextGeneration(slot), from, to);
    }

    private PeerSocket post(int slot, int generation, InetSocketAddress from, InetSocketAddress to) throws PeerRefusal {
        SlotSetup.open(own, slot, generation);
        new AcceptEntry(slot, generation, from, to).write(own, posted);
        posted++;
        own.setRelease(LinkMemoryDescriptor.POSTED_FROM_OFFSET, PeerSlot.processorWord(Processor.current()));
        own.setRelease(LinkMemoryDescriptor.POSTED_OFFSET, posted);
        // The server clears LISTENING, fences, and reads POSTED: either it sees this connection, or this thread sees
        // LISTENING cleared.
        VarHandle.fullFence();
        if (!isListening() && !isTaken(slot, generation)) {
            SlotSetup.refuse(own, slot, generation);
            throw new PeerRefusal(PeerRefusal.Reason.NO_RENDEZVOUS, "");
        }
        PeerSocket socket = new PeerSocket(link, slot, generation, from, to, limits);
        own.increment(LinkMemoryDescriptor.CONNECTIONS_OFFSET);
        sockets.add(socket.end());
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

    /** Whether the server took a connection before it stopped listening. */
    private boolean isTaken(int slot, int generation) {
        long state = peer.getAcquire(LinkMemoryDescriptor.slot(slot) + LinkMemoryDescriptor.STATE_OFFSET);
        return (LinkMemoryDescriptor.flags(state, generation) & LinkMemoryDescriptor.OPEN) != 0;
    }

    /** The arm word of the listener, if it has to be rung; else DISARMED. The caller has connected. */
    long armToRing() {
        long word = peer.getAcquire(LinkMemoryDescriptor.ACCEPT_ARM_OFFSET);
        if (word == rung) {
            return PeerArmWord.DISARMED;
        }
        rung = word;
        return word;
    }
}
