// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A source in a {@link WaitSet}. Belongs to the waiting thread, except where a comment says otherwise.
 *
 * <p>An entry is active or armed. The waiting thread polls an active entry in memory; it is notified when to look at an
 * armed one.
 */
public abstract class WaitEntry {
    /** The result of {@link #armAndLook} if nothing is ready, and nothing can announce when something is. */
    public static final int UNHEARD = -1;

    final SourceSet set;
    final PdSource source;

    /** Whether this entry is in the {@link EntryQueue}. Any thread. */
    final AtomicBoolean queued = new AtomicBoolean();

    /** Belongs to the queue. */
    WaitEntry nextQueued;

    /**
     * Whether this entry is one of the {@link ActiveEntries}, to which the fields down to {@link #inVainSince} belong.
     */
    boolean active;

    /** Whether it has left them because it was armed. */
    boolean armed;

    /** The number of looks that found it not ready since it was last ready. */
    int looksInVain;

    /** The number of looks in vain after which it is armed. */
    int patience = ActiveEntries.MOST_LOOKS_IN_VAIN;

    /** The scan in which it was last armed after looks in vain. */
    long leftAtScan = Long.MIN_VALUE / 2;

    /** The time of the first of the {@link #looksInVain}. */
    long inVainSince;

    private final Object attachment;

    /**
     * The program's interest, in the low half. The high half counts the requests of the program, so that each makes the
     * present readiness an edge again. Both are in one word, so that a look sees them together. Written under this
     * entry's monitor, read by any thread.
     */
    private volatile long wish;

    /** Any thread. */
    private volatile boolean removed;

    /**
     * Creates an entry that is in no set or queue yet.
     *
     * @param set to which it will be added
     * @param source that is watched
     * @param interest {@link io.pipedevice.lib.PdEpoll} bits
     * @param attachment reported with its events, may be null
     */
    protected WaitEntry(SourceSet set, PdSource source, int interest, Object attachment) {
        this.set = set;
        this.source = source;
        this.attachment = attachment;
        interest(interest);
    }

    /**
     * Changes the program's interest. Any thread.
     *
     * @param wanted {@link io.pipedevice.lib.PdEpoll} bits
     */
    public final synchronized void interest(int wanted) {
        long times = wish >>> Integer.SIZE;
        wish = ((times + 1) << Integer.SIZE) | Integer.toUnsignedLong(wanted);
    }

    /**
     * The program's interest in the low half, and the number of its requests in the high half. Any thread.
     *
     * @return a value that differs after each request
     */
    protected final long wish() {
        return wish;
    }

    /**
     * Whether this entry was removed. Any thread.
     *
     * @return true from the removal on
     */
    public final boolean isGone() {
        return removed;
    }

    /** Removes this entry for ever. Any thread. */
    public final void remove() {
        // In this order, so that the entry cannot be armed again after it was withdrawn.
        removed = true;
        withdraw();
    }

    /** Disarms the source for ever. Any thread; the entry {@linkplain #isGone is gone}. */
    protected abstract void withdraw();

    /**
     * Whether the waiting thread must drop this entry.
     *
     * @return whether the entry was removed, or its source's waits have ended
     */
    protected boolean isOver() {
        return removed;
    }

    /**
     * The readiness that is to be reported now.
     *
     * @return readiness, 0 for nothing
     */
    protected abstract int look();

    /** Called when the result of the last look is reported. */
    protected void reported() {}

    /** Reports the result of the last look; there is room for it. */
    final void report(PdEvents events, int ready) {
        reported();
        events.add(source, attachment, ready);
    }

    /**
     * Requests a wake-up when the source becomes ready, and looks once more, because that may have happened meanwhile.
     *
     * @return the readiness, or {@link #UNHEARD}
     * @throws PdException if the source cannot be armed
     */
    protected abstract int armAndLook() throws PdException;

    /** Withdraws the request for a wake-up. */
    protected abstract void disarm();

    /**
     * A more thorough look, for a wait that has looked in vain and would have to sleep.
     *
     * @return readiness, 0 for nothing
     */
    protected int insist() {
        return 0;
    }

    /**
     * Whether the thread that makes the source ready runs on a given processor, so that a spin there keeps it from
     * running.
     *
     * @param processor the calling thread's
     * @return false if that is unknown
     */
    protected boolean sharesProcessor(int processor) {
        return false;
    }

    /**
     * The cost of a wake-up for this source.
     *
     * @return nanoseconds, 0 if that is unknown
     */
    protected long wakeUpNanos() {
        return 0;
    }
}
