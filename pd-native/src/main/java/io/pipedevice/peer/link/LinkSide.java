// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.peer.ring.PeerBudget;
import io.pipedevice.peer.stream.RingLender;
import io.pipedevice.peer.stream.RingLink;
import io.pipedevice.peer.stream.SendLimit;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.ReadyReader;
import io.pipedevice.peer.wait.ReadyWriter;
import io.pipedevice.peer.wait.WakeUpCost;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One side of a link. A link joins a client process with a listener of a server process, and carries all connections
 * between them. It has a memory of each side, and a Unix socket that announces bells and larger rings and whose end
 * signals the peer's death.
 *
 * <p>Thread safe; {@link LinkState} has the lock. A link ends by itself when no connection can use it any more; then
 * its memory is unmapped.
 */
public abstract class LinkSide implements RingLink, MeteredLink, Sweeper.Swept, LinkReclaimer.Owner {
    private static final int OWN_PID = ProcessFacts.self();

    /** The number of mappings of each link. */
    private static final int MEMORIES = 2;

    final LinkState state;
    final LinkPages pages;
    final LinkSockets sockets = new LinkSockets();
    final LinkTalk talk;
    final LinkDoorbells doorbells;
    final LinkReclaimer reclaimer;
    private final LinkOwner owner;
    private final LinkParts parts;
    private final LinkMemory own;
    private final LinkMemory peer;
    private final LinkReadySets readySets;
    private final LinkRings rings;
    private final WakeUpCost wakeUpCost = new WakeUpCost();
    private final SweepRequest sweepRequest;

    /** The resources that this process holds on account of the peer's process. */
    private final PeerBudget.Share share;

    /** Whether the memories of this link are counted in the share. */
    private final boolean affordable;

    /** The most connections that the peer has had at the same time. Guarded by the lock. */
    private int mostConnections;

    /** Runs when the link has ended; null if nothing does, or it was run. */
    private final AtomicReference<Runnable> afterEnd = new AtomicReference<>();

    /** Null until the link is watched. Guarded by the lock. */
    private FdWatch watch;

    /**
     * Creates a side of a link, which takes over the parts.
     *
     * @param shown the network namespace of the sockets that the peer, if it is another process, must show for its
     *     ports; empty if it must show none
     */
    LinkSide(LinkOwner owner, LinkParts parts, OptionalLong shown) {
        this.owner = owner;
        this.parts = parts;
        own = new LinkMemory(parts.own().memory());
        peer = new LinkMemory(parts.peer().memory());
        state = new LinkState(parts, own);
        pages = new LinkPages(parts.ownMemory(), parts.peer());
        share = PeerBudget.PROCESS.share(pid());
        affordable = share.map(MEMORIES);
        readySets = new LinkReadySets(this, state, pages);
        sweepRequest = new SweepRequest(owner.sweeper(), this);
        OptionalLong ports = isWithinProcess() ? OptionalLong.empty() : shown;
        talk = new LinkTalk(state, parts, readySets, sweepRequest, share, this::mostConnections, ports);
        own.setRelease(LinkMemoryDescriptor.KEEPS_PORTS_OFFSET, talk.keepsPorts());
        doorbells = new LinkDoorbells(state, talk, readySets, own);
        reclaimer = new LinkReclaimer(this, state, sockets, talk, doorbells, sweepRequest);
        rings = new LinkRings(state, talk, reclaimer);
    }

    /** The most connections that may wait to be accepted now. Under the lock. */
    abstract int waitingAtMost();

    /** Stops accepting connections for good. Under the lock. */
    abstract void serveNoMore();

    /**
     * The peer is gone, and the threads that waited for it have been woken. The calling thread does not hold the lock.
     */
    abstract void lost();

    /**
     * The process of the peer.
     *
     * @return its number, or 0 if it is in another PID namespace
     */
    public final int pid() {
        return peerCredentials().pid();
    }

    /**
     * The credentials of the process that connected, or listened.
     *
     * @return as the kernel says
     */
    public final UnixSocket.Credentials peerCredentials() {
        return parts.peerCredentials();
    }

    /**
     * Whether both sides are in this process.
     *
     * @return false if the peer is another process, or one of another PID namespace
     */
    public final boolean isWithinProcess() {
        return pid() == OWN_PID;
    }

    /**
     * Whether the budget has room for this link.
     *
     * @return false if the link must not be used
     */
    public final boolean isAffordable() {
        return affordable;
    }

    /** The most connections, accepted or waiting, that the peer has had at the same time so far. */
    private int mostConnections() {
        assert state.isLocked();
        mostConnections = Math.max(mostConnections, sockets.openCount() + sockets.closingCount() + waitingAtMost());
        return mostConnections;
    }

    /**
     * Starts watching the peer.
     *
     * @throws LinuxException if descriptors are exhausted
     */
    public final void watch() throws LinuxException {
        state.lock.lock();
        try {
            watch = FdWatch.open(parts.socket().fd(), Epoll.IN | Epoll.RDHUP | Epoll.ET, this::heard);
        } finally {
            state.lock.unlock();
        }
    }

    /**
     * Handles an event of the socket. A thread that needs a message reads it itself; messages that no thread waits for,
     * such as the end of a ring, are left to the sweep.
     */
    private void heard(int events) {
        if (events == Epoll.IN) {
            sweepSoon();
        } else {
            peerIsGone();
        }
    }

    private void peerIsGone() {
        state.peerIsGone();
        reclaimer.wakeAll();
        lost();
        state.lock.lock();
        try {
            reclaimer.endIfUnused();
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public final boolean sweep() {
        return reclaimer.sweep();
    }

    @Override
    public final boolean receiveMessages() {
        return reclaimer.receiveMessages();
    }

    @Override
    public final boolean sweepSoon() {
        return sweepRequest.make();
    }

    /** Takes the link out of use; the watching thread wakes the threads that wait for it. Any thread. */
    public final void abandon() {
        state.abandon();
    }

    /** Takes the link out of use, as the end of this process would. */
    public final void close() {
        abandon();
        state.lock.lock();
        try {
            serveNoMore();
            reclaimer.endIfUnused();
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public final void end() {
        state.end();
        if (watch != null) {
            watch.close();
        }
        talk.close();
        parts.close();
        if (affordable) {
            share.unmap(MEMORIES);
        }
        share.close();
        owner.ended(this);
        runAfterEnd();
    }

    @Override
    public final Fd memory() {
        return parts.own().fd();
    }

    @Override
    public final long peerMemory() {
        return parts.peerInode();
    }

    @Override
    public final void whenEnded(Runnable then) {
        afterEnd.set(then);
        if (state.isEnded()) {
            runAfterEnd();
        }
    }

    private void runAfterEnd() {
        Runnable then = afterEnd.getAndSet(null);
        if (then != null) {
            then.run();
        }
    }

    @Override
    public final LinkMemory own() {
        return own;
    }

    @Override
    public final LinkMemory peer() {
        return peer;
    }

    @Override
    public final SendLimit sendLimit() {
        return owner.sendLimit();
    }

    @Override
    public final WakeUpCost wakeUpCost() {
        return wakeUpCost;
    }

    @Override
    public final boolean isBroken() {
        return state.isBroken();
    }

    @Override
    public final String whyGivenUp() {
        return state.whyGivenUp();
    }

    @Override
    public final void giveUp(String why) {
        state.giveUp(why);
    }

    @Override
    public final void reportViolation(String how) {
        state.reportViolation(how);
    }

    @Override
    public final int numberOf(Bell bell) {
        return doorbells.numberOf(bell);
    }

    @Override
    public final ReadyWriter.Announcement announce(long armWord) {
        return readySets.announce(armWord);
    }

    @Override
    public final void ring(long armWord, ReadyWriter.Announcement announcement) {
        doorbells.ring(armWord, announcement);
    }

    @Override
    public final ReadyReader readyReader(Bell bell) {
        return doorbells.readyReader(bell);
    }

    @Override
    public final RingLender rings() {
        return rings;
    }

    @Override
    public final void closed(End end) {
        reclaimer.closed(end);
    }
}
