// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import java.io.IOException;

/** The server's side of a link: takes the connections of one client for a listener. Thread safe. */
final class ServerLink extends LinkSide {
    /** Closed sockets that are looked at for each that is accepted, so that they become fewer. */
    private static final int LOOKS_AT_ACCEPT = 2;

    private final PeerNetwork network;
    private final PeerListener listener;
    private final AcceptRing acceptRing;

    /** Whether the listener still takes connections from here. Guarded by the lock. */
    private boolean listening = true;

    /** Takes the parts over. A client that is another process must show what ports it has; a process believes itself. */
    ServerLink(PeerNetwork network, LinkParts parts, PeerListener listener) {
        super(network, parts, network.checksClients());
        this.network = network;
        this.listener = listener;
        RingLimits limits = network.options().ringLimits();
        acceptRing = new AcceptRing(this, pages, sockets, limits, listener.address(), listener.backlog(), this::check);
    }

    private AcceptRing.Claim check(AcceptEntry entry) throws IOException {
        AcceptRing.Claim claim = talk.check(entry);
        if (claim == AcceptRing.Claim.FALSE) {
            network.forged();
        }
        return claim;
    }

    /** Whether this is a link of a listener's. */
    boolean isOf(PeerListener asked) {
        return listener == asked;
    }

    /**
     * Takes a connection for the listener.
     *
     * @param timeoutNanos how long to wait for the lock at most
     * @return null if none waits, or the lock is another thread's
     */
    PeerSocket accept(long timeoutNanos) throws IOException {
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

    /** Whether a connection waits to be accepted. Any thread; takes no lock. */
    boolean isWaiting() {
        try {
            return !state.isEnded() && state.whyGivenUp() == null && acceptRing.isWaiting();
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return false;
        }
    }

    /** Whether the client was on a processor when it last connected; a hint. Any thread; takes no lock. */
    boolean wasPostedFrom(int processor) {
        try {
            return !state.isEnded()
                    && peer().getAcquire(LinkMemoryDescriptor.POSTED_FROM_OFFSET) == PeerSlot.processorWord(processor);
        } catch (IllegalStateException e) {
            state.requireEnded(e);
            return false;
        }
    }

    /**
     * Arms the accept ring, without waiting for the lock. The caller sees to it that one thread arms or disarms at a time.
     *
     * @return false if the peer cannot be told of the bell now
     */
    boolean arm(Bell bell, long generation, int cookie) {
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
    void disarm() {
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

    /** The listener takes no connection from here any more: those that wait are reset. */
    void stopListening() {
        state.lock.lock();
        try {
            if (!state.isEnded()) {
                acceptRing.stop();
            }
        } catch (IOException e) {
            giveUp("no memory to refuse connections: " + e.getMessage());
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
        // Slots are the client's to use again.
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
