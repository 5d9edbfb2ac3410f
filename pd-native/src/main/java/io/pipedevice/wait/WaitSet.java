// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Processor;
import java.util.function.BooleanSupplier;

/**
 * Waits for many sources at once, with the bits and the meaning of epoll(7). It can be part of a wider wait, which is one
 * epoll_wait(2) of the caller's: each round of the caller's begins with {@link #look}. Where there is nothing it calls
 * {@link #beforeSleep}, waits for its own set if that says so, reports to {@link #happened} which of this instance's
 * descriptors it found, and calls {@link #afterSleep}.
 *
 * <p>The cost of a wait grows with the number of sources that are busy, not with the number that were added: sources that
 * were ready lately are looked at in memory, the others are armed.
 *
 * <p>Used by one thread at a time, except what its {@link SourceSet} promises, and what says otherwise. Subclasses know how
 * the sources of a placement are armed, and what tells of them.
 */
public abstract class WaitSet extends SourceSet {
    /** The waiting thread's. */
    protected final ActiveEntries active;

    private final SpinPolicy spin;
    private final boolean asksForProcessors;
    private final SpinPolicy.Look likelyReady = new LikelyReady();
    /** What a spin looks at besides, null for nothing; the waiting thread's. */
    private BooleanSupplier other;

    /**
     * Creates an empty instance.
     *
     * @param spin this instance's own
     * @param active empty
     * @param asksForProcessors whether sources know on which processors their peers run
     * @param allowed what a source can be watched for
     */
    protected WaitSet(SpinPolicy spin, ActiveEntries active, boolean asksForProcessors, int allowed) {
        super(allowed);
        this.spin = spin;
        this.active = active;
        this.asksForProcessors = asksForProcessors;
    }

    /**
     * Takes note of what tells of sources that are not looked at in memory, if there are any.
     *
     * @param quiet whether there may be some
     * @throws PdException if there is nothing that could tell
     */
    protected abstract void collect(boolean quiet) throws PdException;

    /**
     * Whether something tells of sources that are not looked at in memory, or calls the waiting thread.
     *
     * @return whether the next look is likely to find something by that
     */
    protected abstract boolean isTold();

    /**
     * Says that the waiting thread is going to sleep, and takes note once more as by {@link #collect}.
     *
     * @return whether nothing keeps it from sleeping
     */
    protected abstract boolean announceSleep();

    /**
     * So many sources that are not ready stay to be looked at in memory.
     *
     * @return 0 or more
     */
    protected int keeps() {
        return 0;
    }

    /**
     * How many looks take about a microsecond.
     *
     * @return 1 or more
     */
    protected abstract int looksPerClock();

    /**
     * How long a spin may be at most.
     *
     * @return nanoseconds
     */
    protected abstract long longestSpinNanos();

    /**
     * Makes this instance part of a wider wait.
     *
     * @param set what the caller waits for; some descriptors are added
     * @param data reported with the first of them; the others have the numbers that follow
     * @throws PdException if the set takes no more descriptors
     */
    public abstract void join(Epoll set, long data) throws PdException;

    /** Leaves the wider wait, if it is part of one. */
    public abstract void part();

    /**
     * Looks for ready sources, in memory.
     *
     * @param events receives what was found; cleared first
     * @return how many sources have events
     * @throws PdException if one that is quiet cannot be armed
     */
    public int look(PdEvents events) throws PdException {
        events.clear();
        collect(watched() > active.count());
        queue().drainTo(active);
        return active.scan(events, false, keeps());
    }

    /**
     * Whether a look in memory does not find out about every source.
     *
     * @return whether there are some of which only this instance's descriptors tell
     */
    public abstract boolean hasQuiet();

    /**
     * Whether the next look is likely to find something.
     *
     * @return false if that is not known
     */
    public final boolean isLikelyReady() {
        return !queue().isEmpty() || isTold() || active.anyReady();
    }

    /**
     * Whether a source was active since the last sleep, so that it is worth while to {@link #spin}.
     *
     * @return whether there are sources that are looked at in memory
     */
    public final boolean wasActive() {
        return active.count() > 0;
    }

    /**
     * Looks for as long as that is likely to pay, if a source was active since the last sleep.
     *
     * @param orElse something else to look at, in memory
     * @return whether the next look, here or at something else, is likely to find something
     */
    public boolean spin(BooleanSupplier orElse) {
        if (!wasActive()) {
            return false;
        }
        return spinWith(orElse);
    }

    /**
     * Looks for as long as that is likely to pay, whether a source was active or not.
     *
     * @return whether the next look is likely to find something
     */
    protected final boolean spinAlone() {
        return spinWith(null);
    }

    private boolean spinWith(BooleanSupplier orElse) {
        other = orElse;
        return spin.spin(likelyReady, looksPerClock(), longestSpinNanos());
    }

    private final class LikelyReady implements SpinPolicy.Look {
        @Override
        public boolean isReady() {
            return isLikelyReady() || (other != null && other.getAsBoolean());
        }

        @Override
        public boolean sharesProcessor() {
            return asksForProcessors && active.shareProcessor(Processor.current());
        }
    }

    /**
     * Announces that the caller is going to sleep, and looks once more.
     *
     * @param events receives what was found; cleared first
     * @return whether the caller may sleep, for {@link #mostSleepNanos()} at most
     * @throws PdException if a source cannot be armed
     */
    public boolean beforeSleep(PdEvents events) throws PdException {
        events.clear();
        asleep(true);
        // What is told of before sleep is active then, and is looked at next.
        return active.scan(events, true, keeps()) == 0 && nothingToLookAt() && announceSleep() && nothingToLookAt();
    }

    private boolean nothingToLookAt() {
        return active.count() == active.unheard() && queue().isEmpty();
    }

    /**
     * How long the caller may sleep after {@link #beforeSleep} has allowed it.
     *
     * @return nanoseconds; {@link Long#MAX_VALUE} for ever, less if nobody can tell of some source
     */
    public long mostSleepNanos() {
        return active.count() == 0 ? Long.MAX_VALUE : BlockingWait.UNHEARD_NS;
    }

    /** Ends what {@link #beforeSleep} began. */
    public void afterSleep() {
        asleep(false);
    }

    /**
     * Tells that the caller's wait found one of this instance's descriptors.
     *
     * @param descriptor which of them, counted from 0
     * @throws PdException if that is the end of what tells of sources, and there are no descriptors for another
     */
    public abstract void happened(int descriptor) throws PdException;

    /**
     * Whether nothing can come from here any more.
     *
     * @return whether the caller had better close this instance
     */
    public boolean isOver() {
        return !isOpen();
    }

    /**
     * How this instance spins. The waiting thread's.
     *
     * @return its own policy
     */
    protected final SpinPolicy spinPolicy() {
        return spin;
    }
}
