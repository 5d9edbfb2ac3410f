// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.wait.WaitEntry;
import java.lang.invoke.VarHandle;

/**
 * A source in a {@link PeerEpoll}. Belongs to the thread that waits, except the fields that say otherwise. Its peers ring for
 * one that is armed.
 */
final class PeerEntry extends WaitEntry implements Watcher {
    final PeerSource source;
    final PeerEpoll epoll;
    final Object attachment;

    /** By which the instance's bell knows it; set once, before any other thread knows the entry. */
    int cookie;

    /** What the program asked for; any thread. */
    private volatile int interest;

    /** Any thread. */
    private volatile boolean removed;

    PeerEntry(PeerSource source, PeerEpoll epoll, int interest, Object attachment) {
        this.source = source;
        this.epoll = epoll;
        this.interest = interest;
        this.attachment = attachment;
    }

    void interest(int wanted) {
        interest = wanted;
    }

    @Override
    public boolean isGone() {
        return removed;
    }

    @Override
    protected boolean isOver() {
        return removed || source.waitsEnded();
    }

    @Override
    protected void leave() {
        epoll.forget(this);
    }

    @Override
    protected void report(PdEvents events, int ready) {
        events.add(source, attachment, ready);
    }

    @Override
    protected int look() {
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
    @Override
    protected boolean sharesProcessor(int processor) {
        try {
            return !source.waitsEnded() && source.sharesProcessor(processor);
        } catch (IllegalStateException e) {
            if (source.waitsEnded()) {
                return false;
            }
            throw e;
        }
    }

    @Override
    protected long wakeUpNanos() {
        return source.wakeUpNanos();
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

    @Override
    protected int insist() {
        return (interest & PdEpoll.OUT) != 0 && !isOver() && source.grantsRoom() ? PdEpoll.OUT : 0;
    }

    @Override
    protected int armAndLook() throws PdException {
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
        return ready == 0 && !armed ? UNHEARD : ready;
    }

    @Override
    protected void disarm() {
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
}
