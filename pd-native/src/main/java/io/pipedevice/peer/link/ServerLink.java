// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.peer.protocol.AcceptEntry;
import io.pipedevice.peer.protocol.IntentTable;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.stream.PeerSlot;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.wait.Bell;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** The server's side of a link, which takes the connections of one client for a listener. Thread safe. */
public final class ServerLink extends LinkSide implements Claimant {
    /** How many closed sockets are checked for each one that is accepted, so that their number falls. */
    private static final int LOOKS_AT_ACCEPT = 2;

    /** With fewer false claims the link stays: two honest clients may have the same port in two namespaces. */
    private static final int MOST_FALSE_CLAIMS = 8;

    private final LinkOwner owner;
    private final LinkListener listener;
    private final ConnectionRule rule;
    private final AcceptRing acceptRing;

    private final AtomicInteger falseClaims = new AtomicInteger();

    /** Whether the listener still takes connections from this link. Guarded by the lock. */
    private boolean listening = true;

    /**
     * Creates the link from its parts. A client in another process must show the sockets that hold its ports, if the
     * owner checks clients and the rule wants that; a client in this process is believed.
     *
     * @param owner the network that the link belongs to
     * @param parts taken over
     * @param listener gets the connections
     * @param rule which connections the listener takes from this client
     */
    public ServerLink(LinkOwner owner, LinkParts parts, LinkListener listener, ConnectionRule rule) {
        super(
                owner,
                parts,
                owner.checksClients() ? rule.portNamespace(parts.socket().fd()) : OptionalLong.empty());
        this.owner = owner;
        this.listener = listener;
        this.rule = rule;
        RingLimits limits = owner.ringLimits();
        acceptRing = new AcceptRing(this, pages, sockets, limits, this::judge, listener.backlog(), this::check);
    }

    private ConnectionRule.Verdict judge(AcceptEntry entry) {
        return rule.judge(this, entry);
    }

    /**
     * Asks the client for a byte on the kernel's connection that it has announced. Any thread.
     *
     * @param port that the connection has come from
     * @param shown the byte that this side sends on the connection, 0 to 255
     * @param bytes makes the byte of the client, 0 to 255, that no client can guess
     * @return null if the client has announced none from that port
     */
    public AskedByte challenge(int port, int shown, IntSupplier bytes) {
        try {
            boolean isTrusted = state.isUsable() && falseClaims.get() < MOST_FALSE_CLAIMS;
            long intent = isTrusted ? IntentTable.find(peer(), port) : IntentTable.NONE;
            if (intent == IntentTable.NONE) {
                return null;
            }
            state.lock.lock();
            try {
                int slot = IntentTable.slot(intent);
                int generation = IntentTable.generation(intent);
                int value = bytes.getAsInt();
                boolean is = state.isUsable() && listening && acceptRing.challenge(slot, generation, value, shown);
                return is ? new AskedByte(new Challenge(this, slot, generation), value) : null;
            } finally {
                state.lock.unlock();
            }
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return null;
        }
    }

    @Override
    public boolean awaits(int generation, int port) {
        try {
            long intent = state.isUsable() ? IntentTable.find(peer(), port) : IntentTable.NONE;
            return (intent != IntentTable.NONE && IntentTable.generation(intent) == generation) || isWaiting();
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return false;
        }
    }

    @Override
    public boolean isUsable() {
        return state.isUsable();
    }

    @Override
    public boolean hasAsked(int slot, int generation) {
        return acceptRing.hasAsked(slot, generation);
    }

    @Override
    public long revoke(int slot, int generation) {
        state.lock.lock();
        try {
            return state.isUsable() ? acceptRing.revoke(slot, generation) : 0;
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public boolean hasJudged(long posted) {
        try {
            if (state.isUsable() && !acceptRing.hasJudged(posted) && acceptRing.hasUnposted(posted)) {
                giveUp("connections that were posted are not any more");
            }
            return !state.isUsable() || acceptRing.hasJudged(posted);
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return true;
        }
    }

    @Override
    public void leave(int slot, int generation) {
        state.lock.lock();
        try {
            if (state.isUsable()) {
                acceptRing.leave(slot, generation);
            }
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public void claimedRightly() {
        falseClaims.set(0);
    }

    @Override
    public void claimedFalsely(boolean isOther) {
        if (isOther) {
            owner.forged();
        }
        if (falseClaims.incrementAndGet() >= MOST_FALSE_CLAIMS && isOther) {
            giveUp("it claims connections of which it does not have the other ends");
        }
    }

    private AcceptRing.Claim check(AcceptEntry entry) throws IOException {
        AcceptRing.Claim claim = talk.check(entry);
        if (claim == AcceptRing.Claim.FALSE) {
            owner.forged();
        }
        return claim;
    }

    /**
     * Whether this is a link of a listener.
     *
     * @param asked a listener
     * @return whether connections of this link go to that listener
     */
    public boolean isOf(LinkListener asked) {
        return listener.equals(asked);
    }

    /**
     * Takes a connection for the listener.
     *
     * @param timeoutNanos the longest wait for the lock
     * @return null if none waits, or another thread holds the lock
     * @throws IOException if memory for the connection is exhausted, or the client broke the protocol
     */
    public PeerSocket accept(long timeoutNanos) throws IOException {
        if (!state.tryLock(timeoutNanos)) {
            return null;
        }
        try {
            if (state.isEnded() || state.whyGivenUp() != null || !listening) {
                return null;
            }
            reclaimer.reclaim(LOOKS_AT_ACCEPT);
            return acceptRing.take();
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public boolean isWaiting() {
        try {
            return !state.isEnded() && state.whyGivenUp() == null && acceptRing.isWaiting();
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return false;
        }
    }

    /**
     * Whether the client ran on a processor when it last connected; a hint. Any thread; takes no lock.
     *
     * @param processor that of the calling thread
     * @return false if that is not known
     */
    public boolean wasPostedFrom(int processor) {
        try {
            return !state.isEnded()
                    && peer().getAcquire(LinkMemoryDescriptor.POSTED_FROM_OFFSET) == PeerSlot.processorWord(processor);
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return false;
        }
    }

    /**
     * Arms the accept ring, without waiting for the lock. The caller ensures that only one thread at a time arms or
     * disarms.
     *
     * @param bell rung when a connection comes
     * @param generation differs from the last one
     * @param cookie returned with the ring
     * @return false if the bell cannot be announced to the peer now
     */
    public boolean arm(Bell bell, long generation, int cookie) {
        int number = doorbells.knownNumber(bell);
        if (number == NO_BELL) {
            if (!state.lock.tryLock()) {
                return false;
            }
            try {
                number = doorbells.numberOf(bell);
            } finally {
                state.lock.unlock();
            }
        }
        return !armWith(PeerArmWord.of(number, generation, cookie)) || number != NO_BELL;
    }

    /** Disarms the accept ring, as {@link #arm}. */
    public void disarm() {
        armWith(PeerArmWord.DISARMED);
    }

    /** False if the link has ended. */
    private boolean armWith(long word) {
        try {
            if (!state.isEnded()) {
                acceptRing.arm(word);
            }
            return !state.isEnded();
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return false;
        }
    }

    /** Resets the connections that wait, and refuses others. */
    public void refuseConnections() {
        state.lock.lock();
        try {
            if (!state.isEnded()) {
                acceptRing.stop();
            }
        } catch (IOException e) {
            giveUp("no memory to refuse connections: " + e.getMessage());
        } finally {
            state.lock.unlock();
        }
    }

    /** Stops listening on this link, which ends with its last connection. */
    public void stopListening() {
        state.lock.lock();
        try {
            refuseConnections();
        } finally {
            listening = false;
            try {
                reclaimer.endIfUnused();
            } finally {
                state.lock.unlock();
            }
        }
    }

    @Override
    void serveNoMore() {
        listening = false;
    }

    @Override
    int waitingAtMost() {
        return acceptRing.waitingAtMost();
    }

    @Override
    void lost() {
        listener.lost(this);
    }

    @Override
    public void giveBack(int slot) {
        // The client reuses the slots.
    }

    @Override
    public boolean isOver() {
        return !listening;
    }

    @Override
    public boolean endsFirst() {
        return false;
    }
}
