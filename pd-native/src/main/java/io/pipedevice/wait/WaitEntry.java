// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A source in a {@link WaitSet}. Belongs to the thread that waits, except what says otherwise.
 *
 * <p>It is either active, looked at in memory at each look, or armed, and the waiting thread is told when there is something
 * to look at.
 */
public abstract class WaitEntry {
    /** What {@link #armAndLook} returns if nothing is ready, and nobody can tell when something is. */
    public static final int UNHEARD = -1;

    final SourceSet set;
    final PdSource source;

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

    private final Object attachment;

    /**
     * What the program asked for, in the low half; the high half grows whenever it asks, so that what is ready is an edge
     * again. One word, so that no look sees the one without the other. Written under this entry's monitor, read by any
     * thread.
     */
    private volatile long wish;

    /** Any thread. */
    private volatile boolean removed;

    /**
     * Creates an entry that is nowhere yet.
     *
     * @param set where it is going to be
     * @param source what is watched
     * @param interest for what
     * @param attachment comes with its events, may be null
     */
    protected WaitEntry(SourceSet set, PdSource source, int interest, Object attachment) {
        this.set = set;
        this.source = source;
        this.attachment = attachment;
        interest(interest);
    }

    /**
     * What the program asks for from now on. Any thread.
     *
     * @param wanted {@link io.pipedevice.lib.PdEpoll} bits
     */
    public final synchronized void interest(int wanted) {
        long times = wish >>> Integer.SIZE;
        wish = ((times + 1) << Integer.SIZE) | Integer.toUnsignedLong(wanted);
    }

    /**
     * What the program asks for, and how often it has asked, in the high half. Any thread.
     *
     * @return a value that differs from those before
     */
    protected final long wish() {
        return wish;
    }

    /**
     * Whether it was removed. Any thread.
     *
     * @return true from the removal on
     */
    public final boolean isGone() {
        return removed;
    }

    /** Leaves the source for ever. Any thread. */
    public final void remove() {
        // In this order: it cannot be armed again after it was withdrawn.
        removed = true;
        withdraw();
    }

    /** Asks the source for nothing any more. Any thread; the entry {@linkplain #isGone is gone}. */
    protected abstract void withdraw();

    /**
     * Whether it is to be looked at no more.
     *
     * @return whether it was removed, or its source's waits have ended
     */
    protected boolean isOver() {
        return removed;
    }

    /**
     * What is to be reported now.
     *
     * @return readiness, 0 for nothing
     */
    protected abstract int look();

    /** What the last look has found is reported. */
    protected void reported() {}

    /** Reports what the last look has found; there is room for it. */
    final void report(PdEvents events, int ready) {
        reported();
        events.add(source, attachment, ready);
    }

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
