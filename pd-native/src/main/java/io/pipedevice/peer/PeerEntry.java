// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A source in a {@link PeerEpoll}. Belongs to the thread that waits, except the fields that say otherwise.
 *
 * <p>It is either hot, looked at in memory at each wait, or armed, and its peers ring when there is news.
 */
final class PeerEntry implements Watcher {
    final PeerSource source;
    final PeerEpoll epoll;
    final Object attachment;

    /** By which the instance's bell knows it; set once, before any other thread knows the entry. */
    int cookie;

    /** What the program asked for; any thread. */
    private volatile int interest;

    /** Any thread. */
    private volatile boolean removed;

    /** Whether the entry is in the queue of those that somebody wants to have looked at. */
    final AtomicBoolean queued = new AtomicBoolean();

    /** The queue's. */
    PeerEntry nextQueued;

    boolean hot;
    int looksInVain;

    /** After how many of these it is armed. */
    int patience = HotEntries.MOST_LOOKS_IN_VAIN;

    /** When it was armed last after them, counted in scans. */
    long leftAtScan = Long.MIN_VALUE / 2;

    /** When it was first not ready of {@link #looksInVain}. */
    long inVainSince;

    PeerEntry(PeerSource source, PeerEpoll epoll, int interest, Object attachment) {
        this.source = source;
        this.epoll = epoll;
        this.interest = interest;
        this.attachment = attachment;
    }

    void interest(int wanted) {
        interest = wanted;
    }

    /** Whether it is to be looked at no more. */
    boolean isOver() {
        return removed || source.waitsEnded();
    }

    /** What is to be reported now, 0 for nothing. */
    int look() {
        try {
            return source.waitsEnded() ? 0 : source.readiness(interest);
        } catch (IllegalStateException e) {
            if (source.waitsEnded()) {
                return 0;
            }
            throw e;
        }
    }

    /** As of its source, which may be closed meanwhile. */
    boolean sharesProcessor(int processor) {
        try {
            return !source.waitsEnded() && source.sharesProcessor(processor);
        } catch (IllegalStateException e) {
            if (source.waitsEnded()) {
                return false;
            }
            throw e;
        }
    }

    /** A thread that has slept since a moment was rung for this. */
    void woken(long asleepSince, long now) {
        try {
            if (!source.waitsEnded()) {
                source.woken(asleepSince, now);
            }
        } catch (IllegalStateException e) {
            if (!source.waitsEnded()) {
                throw e;
            }
        }
    }

    /** What is ready for who has looked in vain until now, and would have to wait. */
    int insist() {
        return (interest & PdEpoll.OUT) != 0 && !isOver() && source.grantsRoom() ? PdEpoll.OUT : 0;
    }

    /**
     * Asks to be told when there is news, and looks once more, because there may have been some meanwhile.
     *
     * @return what is ready, or {@link PeerEpoll#UNHEARD} if nobody can tell
     */
    int armAndLook() throws PdException {
        int wanted = interest;
        boolean in = (wanted & (PdEpoll.IN | PdEpoll.RDHUP)) != 0;
        epoll.note(source);
        boolean armed = !in || source.watchers.arm(PdEpoll.IN, this);
        if (!in || (wanted & PdEpoll.OUT) != 0) {
            // Also who asks for nothing is told of a reset.
            armed &= source.watchers.arm(PdEpoll.OUT, this);
        }
        VarHandle.fullFence();
        int ready = look();
        return ready == 0 && !armed ? PeerEpoll.UNHEARD : ready;
    }

    void disarm() {
        source.watchers.disarm(PdEpoll.IN, this);
        source.watchers.disarm(PdEpoll.OUT, this);
    }

    /** Leaves the source for ever. Any thread. */
    void remove() {
        // In this order: it cannot be armed again after it was disarmed.
        removed = true;
        disarm();
    }

    @Override
    public Bell bell() {
        return epoll.bell();
    }

    @Override
    public int cookie() {
        return cookie;
    }

    @Override
    public void wake() {
        epoll.enqueue(this);
    }

    @Override
    public boolean isGone() {
        return removed;
    }
}
