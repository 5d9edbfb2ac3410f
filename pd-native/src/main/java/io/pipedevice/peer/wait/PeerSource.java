// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdSource;
import io.pipedevice.wait.Readiness;
import java.util.function.Consumer;

/** A socket or a listener, for which threads and {@link PeerEpoll}s of this process wait. Thread safe. */
public abstract class PeerSource implements PdSource, Readiness {
    /** The threads and pollers of this process that wait for this source. */
    final Watchers watchers;

    private volatile boolean waitsEnded;

    /** Creates a source for which no thread waits. */
    @SuppressWarnings("this-escape") // which Watchers only keeps
    protected PeerSource() {
        watchers = new Watchers(this);
    }

    /**
     * Lets a writer that has found no room, and cannot wait, use a larger ring that it did not take before, because it
     * was not needed. Any thread.
     *
     * @return whether there is room now
     */
    protected boolean grantsRoom() {
        return false;
    }

    /**
     * Asks the peers to ring a bell at the next change of readiness. Afterwards the caller fences and checks the
     * source.
     *
     * @param direction {@link io.pipedevice.lib.PdEpoll#IN} or OUT
     * @param bell that of the waiting thread, or the dispatcher's
     * @param generation differs from the last one of this direction
     * @param cookie returned with the ring
     * @return false if the bell could not be announced to a peer, so that the dispatcher's must be used
     */
    protected abstract boolean arm(int direction, Bell bell, long generation, int cookie);

    /**
     * A bell for a thread that waits for one direction, in the memory of the only peer that makes this source ready.
     *
     * @param direction as for {@link #arm}
     * @return null if there is no such peer, or if it has not joined yet
     */
    protected SlotBell slotBell(int direction) {
        return null;
    }

    /**
     * Asks the peer to ring the {@link #slotBell} at the next change of readiness.
     *
     * @param direction as for {@link #arm}
     * @param generation as for {@link #arm}
     */
    protected void armInSlot(int direction, long generation) {
        throw new IllegalStateException("no slot");
    }

    /**
     * Asks for no rings any more.
     *
     * @param direction as for {@link #arm}
     */
    protected abstract void disarm(int direction);

    /**
     * Whether the thread that makes this source ready runs on the processor of the calling thread, whose spinning would
     * keep it from running. Also announces that processor to the peer.
     *
     * @param processor that of the calling thread
     * @return false if that is not known
     */
    protected boolean sharesProcessor(int processor) {
        return false;
    }

    /**
     * The cost of a wake-up by the peer.
     *
     * @return in nanoseconds
     */
    protected long wakeUpNanos() {
        return WakeUpCost.UNMEASURED_NS;
    }

    /**
     * A thread that slept for this source runs again, and the source is ready. Measures the wake-up if the peer has
     * stored when it rang.
     *
     * @param asleepSince when the thread fell asleep, by System.nanoTime()
     * @param now the time
     */
    protected void woken(long asleepSince, long now) {}

    /**
     * Whether a link's peer rings for this source while it is armed.
     *
     * @param link of any peer
     * @return whether the source is one of its ends, or its listener
     */
    protected abstract boolean isOf(BellLink link);

    /**
     * Visits the links whose peers ring for this source while it is armed.
     *
     * @param visitor called for each
     */
    protected abstract void forEachLink(Consumer<BellLink> visitor);

    /**
     * Ends all waits for this source, for good. It is not armed again, and is not part of any {@link PeerEpoll} any
     * more. The caller holds no lock that {@link #arm} takes.
     */
    public void endWaits() {
        waitsEnded = true;
        watchers.end();
    }

    /** Makes every thread and {@link PeerEpoll} that waits for this source check it again. Takes no lock. */
    public final void wakeWatchers() {
        watchers.wake();
    }

    @Override
    public boolean waitsEnded() {
        return waitsEnded;
    }
}
