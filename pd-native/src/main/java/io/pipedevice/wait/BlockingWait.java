// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Blocks one direction of a source until it is ready: looks for a while, then arms, fences, looks again, and only then
 * sleeps. A platform thread sleeps in the kernel, on a bell that it borrows. A virtual thread, and one for which there is no
 * bell, parks; a thread that hears a bell for all of those unparks it.
 *
 * <p>Used by one thread at a time, except {@link #wake}. Subclasses know how the source is armed, and what bells its
 * placement has.
 *
 * @param <B> a bell of the placement
 */
public abstract class BlockingWait<B extends ThreadBell> implements SpinPolicy.Look {
    /** How often a source is looked at of which nobody can tell. */
    public static final long UNHEARD_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Readiness source;
    private final int direction;
    private final SpinPolicy spin;
    private final int looksPerClock;

    /** What the thread sleeps on; null while no thread sleeps, and for one that parks. Written by the sleeping thread. */
    private volatile B bell;

    /** The sleeping thread, if it parks; written by it. */
    private volatile Thread parked;

    private volatile boolean signalled;

    /**
     * Creates a wait that no thread is in.
     *
     * @param source what is waited for
     * @param direction {@link io.pipedevice.lib.PdEpoll#IN} or OUT
     * @param spin this wait's own
     * @param looksPerClock as for {@link SpinPolicy#spin}
     */
    protected BlockingWait(Readiness source, int direction, SpinPolicy spin, int looksPerClock) {
        this.source = source;
        this.direction = direction;
        this.spin = spin;
        this.looksPerClock = looksPerClock;
    }

    /**
     * Whether the source is ready.
     *
     * @return whether it is worth while to read, write or accept
     */
    protected boolean hasReadiness() {
        return source.readiness(direction) != 0;
    }

    /**
     * Asks to be woken when the source becomes ready. The caller fences and looks afterwards.
     *
     * @return false if nobody can tell, so that the thread must not sleep for long
     * @throws PdException if that cannot be asked for
     */
    protected abstract boolean arm() throws PdException;

    /** Asks to be woken no more; a wake-up that is under way may still come. */
    protected abstract void disarm();

    /**
     * Borrows a bell for the calling thread.
     *
     * @return null if the thread is to park
     * @throws PdException if it can sleep neither way
     */
    protected abstract B takeBell() throws PdException;

    /**
     * The thread sleeps no more.
     *
     * @param borrowed its bell, null if it has parked
     */
    protected abstract void giveBell(B borrowed);

    /**
     * The thread takes another bell.
     *
     * @param ended its bell until now, by which nothing can wake a thread any more
     */
    protected abstract void discardBell(B ended);

    /**
     * Fails if nothing can make the source ready any more, which is not.
     *
     * @throws PdException why that is so
     */
    protected void requireAlive() throws PdException {}

    /**
     * A thread that slept on a bell runs again, and has found the source ready.
     *
     * @param asleepSince when it fell asleep
     * @param now when it ran again
     */
    protected void woken(long asleepSince, long now) {}

    /**
     * Waits until the source is ready. An interrupt does not end it.
     *
     * @param timeoutNs longest time, {@link Long#MAX_VALUE} for ever
     * @return whether the source is ready; false after the timeout
     * @throws PdException EBADF if the source's waits have ended
     */
    public final boolean await(long timeoutNs) throws PdException {
        try {
            if (timeoutNs <= 0) {
                return look();
            }
            // For ever needs no clock.
            long start = timeoutNs == Long.MAX_VALUE ? 0 : System.nanoTime();
            return (spin.spin(this, looksPerClock, timeoutNs) && look()) || sleep(start, timeoutNs);
        } catch (IllegalStateException e) {
            requireGoingOn();
            throw e;
        }
    }

    @Override
    public final boolean isReady() {
        return source.waitsEnded() || hasReadiness();
    }

    private boolean look() throws PdException {
        requireGoingOn();
        return hasReadiness();
    }

    private void requireGoingOn() throws PdException {
        if (source.waitsEnded()) {
            throw new PdException(Errno.EBADF, "the socket was closed by another thread");
        }
    }

    private boolean sleep(long start, long timeoutNs) throws PdException {
        boolean measures = spin.measures();
        long slept = measures ? System.nanoTime() : 0;
        begin();
        try {
            for (long asleep = 0, awake = 0; true; awake = measures ? System.nanoTime() : 0) {
                boolean heard = arm();
                if (lookOnceMore()) {
                    if (asleep != 0 && bell != null) {
                        woken(asleep, awake);
                    }
                    break;
                }
                requireAlive();
                asleep = measures ? System.nanoTime() : 0;
                long left = timeoutNs == Long.MAX_VALUE ? timeoutNs : timeoutNs - (System.nanoTime() - start);
                if (left <= 0) {
                    return false;
                }
                block(heard ? left : Math.min(left, UNHEARD_NS));
            }
        } finally {
            disarm();
            end();
        }
        if (measures) {
            spin.slept(System.nanoTime() - slept);
        }
        return true;
    }

    /** Looks after it was armed: the source may have become ready meanwhile, before anybody was to tell of it. */
    private boolean lookOnceMore() throws PdException {
        VarHandle.fullFence();
        return look();
    }

    /**
     * Does what a thread does before it blocks.
     *
     * @return whether the source is ready, so that it does not block
     * @throws PdException EBADF if the source's waits have ended
     */
    public final boolean armAndLook() throws PdException {
        arm();
        return lookOnceMore();
    }

    private void begin() throws PdException {
        bell = takeBell();
        parked = bell == null ? Thread.currentThread() : null;
    }

    private void end() {
        B mine = bell;
        bell = null;
        parked = null;
        giveBell(mine);
    }

    private void block(long nanos) throws PdException {
        B mine = bell;
        if (mine == null) {
            park(nanos);
        } else if (!mine.sleep(nanos)) {
            // The next arming is with another.
            bell = null;
            discardBell(mine);
            begin();
        }
    }

    private void park(long nanos) {
        long start = System.nanoTime();
        long left = nanos;
        boolean interrupted = false;
        while (!signalled && left > 0) {
            if (nanos == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, left);
                left = nanos - (System.nanoTime() - start);
            }
            // As every other call here: what ends a wait is time, or close.
            interrupted |= Thread.interrupted();
        }
        signalled = false;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * What the thread sleeps on. Any thread.
     *
     * @return null if no thread sleeps, and if it parks
     */
    public final B bell() {
        return bell;
    }

    /** Makes the sleeping thread look again. Any thread, also without need; holds no lock and waits for nothing. */
    public final void wake() {
        B asleepOn = bell;
        if (asleepOn != null) {
            asleepOn.signal();
        }
        Thread thread = parked;
        if (thread != null) {
            signalled = true;
            LockSupport.unpark(thread);
        }
    }
}
