// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdSource;
import io.pipedevice.wait.Readiness;
import java.util.function.Consumer;

/** What threads and {@link PeerEpoll}s of this process wait for: a socket, or a listener. Thread safe. */
abstract class PeerSource implements PdSource, Readiness {
    /** Who waits for it in this process. */
    final Watchers watchers = new Watchers(this);

    private volatile boolean waitsEnded;

    /** Whether a writer that has found no room, and cannot wait, is given some, which it had not without need. Any thread. */
    boolean grantsRoom() {
        return false;
    }

    /**
     * Asks the peers to ring a bell at the next news. The caller fences and looks afterwards.
     *
     * @param direction {@link io.pipedevice.lib.PdEpoll#IN} or OUT
     * @param generation differs from the last one of this direction
     * @return false if a peer could not be told of the bell, so that the dispatcher's must be used
     */
    abstract boolean arm(int direction, Bell bell, long generation, int cookie);

    /** Asks for nothing any more. */
    abstract void disarm(int direction);

    /**
     * Whether whoever brings the news runs where the calling thread runs, and is kept from it by a thread that looks for
     * them. The peer is told where that is.
     *
     * @param processor the calling thread's
     */
    boolean sharesProcessor(int processor) {
        return false;
    }

    /** What it costs to be woken by its peer, in nanoseconds. */
    long wakeUpNanos() {
        return WakeUpCost.UNMEASURED_NS;
    }

    /** A thread that fell asleep and runs again has found news here: a wake-up is measured, if the peer says when it rang. */
    void woken(long asleepSince, long now) {}

    /** Whether a link's peer rings for it when it is armed. */
    abstract boolean isOf(RingLink link);

    /** Visits the links whose peers ring for it when it is armed. */
    abstract void forEachLink(Consumer<RingLink> visitor);

    /**
     * Ends all waits for it, now and for ever; it is armed no more, and takes no part in any {@link PeerEpoll}. The caller
     * holds no lock that {@link #arm} takes.
     */
    void endWaits() {
        waitsEnded = true;
        watchers.end();
    }

    @Override
    public boolean waitsEnded() {
        return waitsEnded;
    }
}
