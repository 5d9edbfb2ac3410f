// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Processor;
import java.util.function.BooleanSupplier;

/**
 * Waits for many sources at once, with the bits and the meaning of epoll(7). An instance can be part of a wider wait,
 * in which the caller uses one epoll_wait(2) for several sets. Each round of the caller begins with {@link #look}. If
 * that finds nothing, the caller calls {@link #beforeSleep}, waits for its own set if the result allows it, passes this
 * instance's ready descriptors to {@link #happened}, and calls {@link #afterSleep}.
 *
 * <p>The cost of a wait grows with the number of sources that are busy, not with the number that were added: the
 * readiness of recently ready sources is polled in memory, and the others are armed.
 *
 * <p>Used by one thread at a time, except for the methods of {@link SourceSet}, and where a comment says otherwise.
 * Subclasses know how the sources of a placement are armed, and how their readiness is announced.
 */
public abstract class WaitSet extends SourceSet {
    /** Belongs to the waiting thread. */
    protected final ActiveEntries active;

    private final SpinPolicy spin;
    private final boolean asksForProcessors;
    private final SpinPolicy.Look likelyReady = new LikelyReady();
    /** A further condition that ends a spin, or null; belongs to the waiting thread. */
    private BooleanSupplier other;

    /**
     * Creates an empty instance.
     *
     * @param spin for this instance alone
     * @param active empty
     * @param asksForProcessors whether sources know on which processors their peers run
     * @param allowed the events that a source can be watched for
     */
    protected WaitSet(SpinPolicy spin, ActiveEntries active, boolean asksForProcessors, int allowed) {
        super(allowed);
        this.spin = spin;
        this.active = active;
        this.asksForProcessors = asksForProcessors;
    }

    /**
     * Takes in announcements of armed sources, if there are such sources.
     *
     * @param armed whether there may be such sources
     * @throws PdException if nothing could announce their readiness
     */
    protected abstract void collect(boolean armed) throws PdException;

    /**
     * Whether an announcement for a source that is not active, or a signal for the waiting thread, has come.
     *
     * @return whether the next look is therefore likely to find something
     */
    protected abstract boolean isAnnounced();

    /**
     * Announces that the waiting thread is about to sleep, and takes in announcements once more as {@link #collect}
     * does.
     *
     * @return whether nothing keeps it from sleeping
     */
    protected abstract boolean announceSleep();

    /**
     * The number of sources that stay active even if they are not ready.
     *
     * @return 0 or more
     */
    protected int keeps() {
        return 0;
    }

    /**
     * The number of looks that take about a microsecond.
     *
     * @return 1 or more
     */
    protected abstract int looksPerClock();

    /**
     * The longest time of a spin.
     *
     * @return nanoseconds
     */
    protected abstract long longestSpinNanos();

    /**
     * Makes this instance part of a wider wait.
     *
     * @param set for which the caller waits; descriptors of this instance are added to it
     * @param data reported with the first descriptor; the others have the numbers that follow
     * @throws PdException if the set takes no more descriptors
     */
    public abstract void join(Epoll set, long data) throws PdException;

    /** Leaves the wider wait, if it is part of one. */
    public abstract void part();

    /**
     * Looks for ready sources in memory.
     *
     * @param events receives the events; cleared first
     * @return how many sources have events
     * @throws PdException if a source that was not ready for a while cannot be armed
     */
    public int look(PdEvents events) throws PdException {
        events.clear();
        collect(active.anyArmed());
        queue().drainTo(active);
        return active.scan(events, false, keeps());
    }

    /**
     * Whether a look in memory does not cover every source.
     *
     * @return whether there are sources that only this instance's descriptors announce
     */
    public abstract boolean hasQuiet();

    /**
     * Whether the next look is likely to find something.
     *
     * @return false if that is not known
     */
    public final boolean isLikelyReady() {
        return !queue().isEmpty() || isAnnounced() || active.anyReady();
    }

    /**
     * Whether a source was active since the last sleep, so that it is worth calling {@link #spin}.
     *
     * @return whether there are active entries
     */
    public final boolean wasActive() {
        return active.count() > 0;
    }

    /**
     * Spins for as long as that is likely to pay, if a source was active since the last sleep.
     *
     * @param orElse a further condition that ends the spin, checked in memory
     * @return whether the next look is likely to find something, or the further condition held
     */
    public boolean spin(BooleanSupplier orElse) {
        if (!wasActive()) {
            return false;
        }
        return spinWith(orElse);
    }

    /**
     * Spins for as long as that is likely to pay, whether or not a source was active.
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
     * Announces that the caller is about to sleep, and looks once more.
     *
     * @param events receives the events; cleared first
     * @return whether the caller may sleep, for {@link #mostSleepNanos()} at most
     * @throws PdException if a source cannot be armed
     */
    public boolean beforeSleep(PdEvents events) throws PdException {
        events.clear();
        asleep(true);
        // Sources that announceSleep takes in become active, and the next look finds them.
        return active.scan(events, true, keeps()) == 0 && nothingToLookAt() && announceSleep() && nothingToLookAt();
    }

    private boolean nothingToLookAt() {
        return active.count() == active.unheard() && queue().isEmpty();
    }

    /**
     * The longest time that the caller may sleep after {@link #beforeSleep} has allowed it.
     *
     * @return nanoseconds; {@link Long#MAX_VALUE} for ever, less if nothing can announce the readiness of some source
     */
    public long mostSleepNanos() {
        return active.count() == 0 ? Long.MAX_VALUE : BlockingWait.UNHEARD_NS;
    }

    /** Ends the sleep that {@link #beforeSleep} announced. */
    public void afterSleep() {
        asleep(false);
    }

    /**
     * Tells this instance that the caller's wait found one of its descriptors ready.
     *
     * @param descriptor which of them, counted from 0
     * @throws PdException if that descriptor has ended, and none can be opened in its place
     */
    public abstract void happened(int descriptor) throws PdException;

    /**
     * Whether this instance can no longer report anything.
     *
     * @return true if the caller should close this instance
     */
    public boolean isOver() {
        return !isOpen();
    }

    /**
     * The spin policy of this instance. Belongs to the waiting thread.
     *
     * @return the policy
     */
    protected final SpinPolicy spinPolicy() {
        return spin;
    }
}
