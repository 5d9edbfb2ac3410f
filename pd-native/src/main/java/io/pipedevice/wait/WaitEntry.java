// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A source in a wait for many. Belongs to the thread that waits, except what says otherwise.
 *
 * <p>It is either active, looked at in memory at each look of its wait, or armed, and the wait is told when there is
 * something to look at.
 */
public abstract class WaitEntry {
    /** What {@link #armAndLook} returns if nothing is ready, and nobody can tell when something is. */
    public static final int UNHEARD = -1;

    /** Whether it is in the {@link EntryQueue}. Any thread. */
    final AtomicBoolean queued = new AtomicBoolean();

    /** The queue's. */
    WaitEntry nextQueued;

    /** Whether it is among the {@link ActiveEntries}, of which all that follows is. */
    boolean active;

    /** How often it was not ready since it was. */
    int looksInVain;

    /** After how many of these it is armed. */
    int patience = ActiveEntries.MOST_LOOKS_IN_VAIN;

    /** When it was armed last after them, counted in scans. */
    long leftAtScan = Long.MIN_VALUE / 2;

    /** When it was first not ready of {@link #looksInVain}. */
    long inVainSince;

    /** Creates an entry that is nowhere yet. */
    protected WaitEntry() {}

    /**
     * Whether it was removed from its wait. Any thread.
     *
     * @return true from the removal on
     */
    public abstract boolean isGone();

    /**
     * Whether it is to be looked at no more.
     *
     * @return whether it was removed, or its source's waits have ended
     */
    protected abstract boolean isOver();

    /** Is told that it is looked at no more, as it {@linkplain #isOver is over}. */
    protected abstract void leave();

    /**
     * What is to be reported now.
     *
     * @return readiness, 0 for nothing
     */
    protected abstract int look();

    /**
     * Reports what the last look has found.
     *
     * @param events has room for it
     * @param ready what that was
     */
    protected abstract void report(PdEvents events, int ready);

    /**
     * Asks to be told when something becomes ready, and looks once more, because that may have happened meanwhile.
     *
     * @return what is ready, or {@link #UNHEARD}
     * @throws PdException if the source cannot be armed
     */
    protected abstract int armAndLook() throws PdException;

    /** Asks to be told no more. */
    protected abstract void disarm();

    /**
     * What is ready for a wait that has looked in vain until now, and would have to sleep.
     *
     * @return readiness, 0 for nothing
     */
    protected int insist() {
        return 0;
    }

    /**
     * Whether what makes it ready runs on a processor, and is kept from it by a thread that looks there.
     *
     * @param processor the calling thread's
     * @return false if that is unknown
     */
    protected boolean sharesProcessor(int processor) {
        return false;
    }

    /**
     * What it costs to be woken for it.
     *
     * @return nanoseconds, 0 if that is unknown
     */
    protected long wakeUpNanos() {
        return 0;
    }
}
