// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.peer.protocol.AcceptEntry;
import io.pipedevice.peer.protocol.ChallengeWord;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.peer.protocol.SlotSetup;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.RingLink;
import java.io.IOException;
import java.lang.invoke.VarHandle;

/** The server's part of a link: takes the connections that the client has posted. Guarded by the link's lock. */
final class AcceptRing {
    /** The result of a check of a client's address. */
    enum Claim {
        TRUE,
        FALSE,
        /** Further messages of the client have to be read first, in another turn. */
        UNKNOWN
    }

    /** Says which connections the listener takes. */
    interface Rule {
        ConnectionRule.Verdict judge(AcceptEntry entry);
    }

    /** Checks the addresses that clients claim. */
    interface Claims {
        /**
         * Whether a connection comes from the address that its entry names.
         *
         * @throws IOException if that cannot be found out now
         */
        Claim check(AcceptEntry entry) throws IOException;
    }

    /**
     * The most entries that one call refuses: each refusal may cost system calls, and other links wait for their turn.
     */
    static final int MOST_REFUSED = 64;

    private final RingLink link;
    private final LinkMemory own;
    private final LinkMemory peer;
    private final LinkPages pages;
    private final LinkSockets sockets;
    private final RingLimits limits;
    private final Rule rule;
    private final int backlog;
    private final Claims claims;

    /** The number of turns that have not found the proof of the next connection's address. */
    private int searches;

    private long accepted;

    AcceptRing(
            RingLink link,
            LinkPages pages,
            LinkSockets sockets,
            RingLimits limits,
            Rule rule,
            int backlog,
            Claims claims) {
        this.link = link;
        this.own = link.own();
        this.peer = link.peer();
        this.pages = pages;
        this.sockets = sockets;
        this.limits = limits;
        this.rule = rule;
        this.claims = claims;
        this.backlog = Math.clamp(backlog, 1, LinkMemoryDescriptor.MAX_CONNECTIONS);
        own.setRelease(LinkMemoryDescriptor.BACKLOG_OFFSET, this.backlog);
        own.setRelease(LinkMemoryDescriptor.LISTENING_OFFSET, 1);
    }

    /** Whether a connection waits, valid or not. Any thread. */
    boolean isWaiting() {
        // Read in this order, an entry that another thread takes in between still counts as waiting.
        long taken = own.getAcquire(LinkMemoryDescriptor.ACCEPTED_OFFSET);
        return peer.getAcquire(LinkMemoryDescriptor.POSTED_OFFSET) != taken;
    }

    /** Arms the accept ring. One thread at a time, which need not hold the lock. */
    void arm(long word) {
        own.setRelease(LinkMemoryDescriptor.ACCEPT_ARM_OFFSET, word);
    }

    /**
     * Takes the next valid connection. Refuses invalid ones before it, at most {@value #MOST_REFUSED}.
     *
     * @return null if none waits, or that many were refused
     * @throws IOException if there is no memory for it; it continues to wait
     */
    PeerSocket take() throws IOException {
        for (int left = Math.min(waiting(), MOST_REFUSED); left > 0; left--) {
            AcceptEntry entry = next();
            if (entry == null) {
                continue;
            }
            if (!mayOpen(entry)) {
                return null;
            }
            ConnectionRule.Verdict verdict = isAtPeer(entry) ? rule.judge(entry) : ConnectionRule.Verdict.BREACH;
            Claim claim = verdict == ConnectionRule.Verdict.TAKE ? claims.check(entry) : Claim.FALSE;
            if (claim == Claim.UNKNOWN && ++searches < LinkTalk.TURNS_OF_SEARCH) {
                return null;
            }
            if (claim == Claim.TRUE) {
                pages.accepted(entry.slot());
                SlotSetup.open(own, entry.slot(), entry.generation());
                taken();
                PeerSocket socket =
                        new PeerSocket(link, entry.slot(), entry.generation(), entry.server(), entry.client(), limits);
                socket.met();
                own.increment(LinkMemoryDescriptor.CONNECTIONS_OFFSET);
                sockets.add(socket.end());
                return socket;
            }
            if (verdict != ConnectionRule.Verdict.REFUSE) {
                link.reportViolation("an invalid connection: " + entry);
            }
            pages.refusal(entry.slot());
            SlotSetup.refuse(own, entry.slot(), entry.generation());
            taken();
        }
        return null;
    }

    /**
     * Asks for a byte on the kernel's connection of a slot. False if the client may not use the slot, or was asked
     * about another connection: it has announced one.
     */
    boolean challenge(int slot, int generation, int value, int shown) {
        if (slot >= LinkMemoryDescriptor.MAX_CONNECTIONS
                || generation == 0
                || sockets.isOpen(slot)
                || hasAsked(slot, generation)) {
            return false;
        }
        try {
            pages.refusal(slot);
        } catch (IOException e) {
            // There is no memory. The client stays on the kernel connection.
            return false;
        }
        ChallengeWord.write(own, slot, generation, value, shown);
        return true;
    }

    /** Whether this side has asked for a byte. The slot was allocated, if not by the challenge, by the connection. */
    boolean hasAsked(int slot, int generation) {
        return pages.isOwn(slot) && ChallengeWord.isAsked(own, slot, generation);
    }

    /** Takes back what was asked about a slot; how many connections the client has posted until now. */
    long revoke(int slot, int generation) {
        if (hasAsked(slot, generation)) {
            ChallengeWord.revoke(own, slot, generation);
        }
        // The client posts, fences, and reads CHALLENGE: either this thread sees the connection, or the client sees
        // this store.
        VarHandle.fullFence();
        return accepted + waiting();
    }

    /** Says that the kernel's connection is the one of a slot that was asked about. */
    void leave(int slot, int generation) {
        if (hasAsked(slot, generation)) {
            ChallengeWord.leave(own, slot, generation);
        }
    }

    /** Whether so many of the connections that the client has posted were judged. */
    boolean hasJudged(long posted) {
        return own.getAcquire(LinkMemoryDescriptor.ACCEPTED_OFFSET) - posted >= 0;
    }

    /** Whether the client takes back that it has posted so many connections. */
    boolean hasUnposted(long posted) {
        return peer.getAcquire(LinkMemoryDescriptor.POSTED_OFFSET) - posted < 0;
    }

    /** How many connections wait. If the peer's word is invalid, gives the link up and returns 0. */
    private int waiting() {
        long waiting = peer.getAcquire(LinkMemoryDescriptor.POSTED_OFFSET) - accepted;
        if (waiting < 0 || waiting > backlog) {
            link.giveUp(waiting + " connections in a backlog of " + backlog);
            return 0;
        }
        return (int) waiting;
    }

    /** How many connections wait, limited to the backlog if the peer's word exceeds it. */
    int waitingAtMost() {
        return Math.clamp(peer.getAcquire(LinkMemoryDescriptor.POSTED_OFFSET) - accepted, 0, backlog);
    }

    /** The next entry; null if it was invalid and has been skipped. */
    private AcceptEntry next() throws IOException {
        AcceptEntry entry = pages.entryToRead(accepted) ? AcceptEntry.read(peer, accepted) : null;
        if (entry == null) {
            link.reportViolation("an invalid entry in the accept ring");
            taken();
        }
        return entry;
    }

    private void taken() {
        searches = 0;
        accepted++;
        own.setRelease(LinkMemoryDescriptor.ACCEPTED_OFFSET, accepted);
    }

    /** Whether the client may use the slot of a connection. If not, gives the link up: nothing on it can be trusted. */
    private boolean mayOpen(AcceptEntry entry) {
        if (sockets.isOpen(entry.slot()) || entry.generation() == 0) {
            link.giveUp("slot " + entry.slot() + " is used twice");
            return false;
        }
        return true;
    }

    /**
     * Whether the client has opened the slot. It may have closed the connection already; its data is still delivered.
     */
    private boolean isAtPeer(AcceptEntry entry) throws IOException {
        if (!pages.isPeers(entry.slot())) {
            return false;
        }
        long state = peer.getAcquire(LinkMemoryDescriptor.slot(entry.slot()) + LinkMemoryDescriptor.STATE_OFFSET);
        return LinkMemoryDescriptor.flags(state, entry.generation()) != 0;
    }

    /** Stops listening, and resets the connections that wait. */
    void stop() throws IOException {
        own.setRelease(LinkMemoryDescriptor.LISTENING_OFFSET, 0);
        // The client posts, fences, and reads LISTENING: either this thread sees its connection, or the client sees
        // this store.
        VarHandle.fullFence();
        for (int left = waiting(); left > 0; left--) {
            AcceptEntry entry = next();
            if (entry != null) {
                if (!mayOpen(entry)) {
                    return;
                }
                pages.refusal(entry.slot());
                SlotSetup.refuse(own, entry.slot(), entry.generation());
                VarHandle.fullFence();
                if (pages.isPeers(entry.slot())) {
                    wake(entry.slot(), LinkMemoryDescriptor.READ_ARM_OFFSET);
                    wake(entry.slot(), LinkMemoryDescriptor.WRITE_ARM_OFFSET);
                }
                taken();
            }
        }
    }

    private void wake(int slot, int arm) {
        link.wake(peer.getAcquire(LinkMemoryDescriptor.slot(slot) + arm));
    }
}
