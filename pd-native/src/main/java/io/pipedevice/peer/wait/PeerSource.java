// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdSource;
import io.pipedevice.wait.Readiness;
import java.util.function.Consumer;

/** What threads and {@link PeerEpoll}s of this process wait for: a socket, or a listener. Thread safe. */
public abstract class PeerSource implements PdSource, Readiness {
    /** The threads and pollers of this process that wait for it. */
    final Watchers watchers;

    private volatile boolean waitsEnded;

    /** Creates a source that is waited for by no thread. */
    @SuppressWarnings("this-escape") // which Watchers only keeps
    protected PeerSource() {
        watchers = new Watchers(this);
    }

    /**
     * Gives room to a writer that has found none and cannot wait, if the writer had it not without need. Any thread.
     *
     * @return whether there is room now
     */
    protected boolean grantsRoom() {
        return false;
    }

    /**
     * Asks the peers to ring a bell at the next change of readiness. The caller fences and looks afterwards.
     *
     * @param direction {@link io.pipedevice.lib.PdEpoll#IN} or OUT
     * @param bell owned by the thread that waits, or the dispatcher's
     * @param generation differs from the last one of this direction
     * @param cookie comes back with the ring
     * @return false if a peer could not be told of the bell, so that the dispatcher's must be used
     */
    protected abstract boolean arm(int direction, Bell bell, long generation, int cookie);

    /**
     * Asks for nothing any more.
     *
     * @param direction as for {@link #arm}
     */
    protected abstract void disarm(int direction);

    /**
     * Whether the thread that makes this source ready runs on the processor of the calling thread, and is kept from it by a
     * thread that spins there. The peer is told where that is.
     *
     * @param processor the calling thread's
     * @return false if that is not known
     */
    protected boolean sharesProcessor(int processor) {
        return false;
    }

    /**
     * What a wake-up by its peer costs.
     *
     * @return in nanoseconds
     */
    protected long wakeUpNanos() {
        return WakeUpCost.UNMEASURED_NS;
    }

    /**
     * A thread that slept for this source runs again, and the source is ready. A wake-up is measured, if the peer says when
     * it rang.
     *
     * @param asleepSince when it fell asleep, by System.nanoTime()
     * @param now the time
     */
    protected void woken(long asleepSince, long now) {}

    /**
     * Whether a link's peer rings for it when it is armed.
     *
     * @param link of any peer
     * @return whether the source is one of its ends, or its listener
     */
    protected abstract boolean isOf(BellLink link);

    /**
     * Visits the links whose peers ring for it when it is armed.
     *
     * @param visitor called for each
     */
    protected abstract void forEachLink(Consumer<BellLink> visitor);

    /**
     * Ends all waits for it, now and for ever; it is armed no more, and takes no part in any {@link PeerEpoll}. The caller
     * holds no lock that {@link #arm} takes.
     */
    public void endWaits() {
        waitsEnded = true;
        watchers.end();
    }

    /** Makes every thread and {@link PeerEpoll} that waits for it look again. Takes no lock. */
    public final void wakeWatchers() {
        watchers.wake();
    }

    @Override
    public boolean waitsEnded() {
        return waitsEnded;
    }
}
