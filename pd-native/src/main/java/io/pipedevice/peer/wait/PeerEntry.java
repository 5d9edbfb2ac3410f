// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.wait.WaitEntry;
import java.lang.invoke.VarHandle;

/**
 * A source in a {@link PeerEpoll}, for which its peers ring while it is armed. For the waiting thread, except where
 * noted.
 */
final class PeerEntry extends WaitEntry implements Watcher {
    final PeerSource source;
    private final PeerEpoll epoll;

    /** The number of the entry in rings for the instance's bell. Set once, before any other thread knows the entry. */
    int cookie;

    PeerEntry(PeerSource source, PeerEpoll epoll, int interest, Object attachment) {
        super(epoll, source, interest, attachment);
        this.source = source;
        this.epoll = epoll;
    }

    @Override
    protected boolean isOver() {
        return isGone() || source.waitsEnded();
    }

    @Override
    protected int look() {
        try {
            return source.waitsEnded() ? 0 : source.readiness((int) wish());
        } catch (IllegalStateException e) {
            if (source.waitsEnded()) {
                return 0;
            }
            throw e;
        }
    }

    /** As {@link PeerSource#sharesProcessor}; false if the source has been closed meanwhile. */
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

    /** A ring for this entry has woken a thread that fell asleep at the given time. */
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
        return ((int) wish() & PdEpoll.OUT) != 0 && !isOver() && source.grantsRoom() ? PdEpoll.OUT : 0;
    }

    @Override
    protected int armAndLook() throws PdException {
        int wanted = (int) wish();
        boolean in = (wanted & (PdEpoll.IN | PdEpoll.RDHUP)) != 0;
        epoll.note(source);
        boolean armed = !in || source.watchers.arm(PdEpoll.IN, this);
        if (!in || (wanted & PdEpoll.OUT) != 0) {
            // An entry without an interest is rung for a reset too.
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

    @Override
    protected void withdraw() {
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
