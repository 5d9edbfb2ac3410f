// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Blocks a thread until one direction of a source is ready. The thread spins for a while, then arms, fences, looks
 * again, and only then sleeps. A platform thread sleeps in the kernel, on a bell that it borrows. A virtual thread, or
 * a thread for which there is no bell, parks; another thread sleeps on one bell for all parked threads, and unparks
 * them.
 *
 * <p>Used by one thread at a time, except {@link #wake}. Subclasses know how the source is armed, and which bells its
 * placement has.
 *
 * @param <B> a bell of the placement
 */
public abstract class BlockingWait<B extends ThreadBell> implements SpinPolicy.Look {
    /** The interval at which a source is polled if nothing can announce its readiness. */
    public static final long UNHEARD_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Readiness source;
    private final int direction;
    private final SpinPolicy spin;
    private final int looksPerClock;

    /**
     * The bell on which the thread sleeps; null while no thread sleeps, and while it parks. Written by the sleeping
     * thread.
     */
    private volatile B bell;

    /** The sleeping thread, if it parks; written by it. */
    private volatile Thread parked;

    private volatile boolean signalled;

    /**
     * Creates a wait without a waiting thread.
     *
     * @param source that becomes ready
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
     * @return whether it is worth reading, writing or accepting
     */
    protected boolean hasReadiness() {
        return source.readiness(direction) != 0;
    }

    /**
     * Requests a wake-up when the source becomes ready. The caller fences and looks afterwards.
     *
     * @return false if nothing can announce the readiness, so that the thread must not sleep for long
     * @throws PdException if the source cannot be armed
     */
    protected abstract boolean arm() throws PdException;

    /** Withdraws the request for a wake-up; one that is under way may still come. */
    protected abstract void disarm();

    /**
     * Borrows a bell for the calling thread.
     *
     * @return null if the thread is to park
     * @throws PdException if the thread can neither sleep nor park
     */
    protected abstract B takeBell() throws PdException;

    /**
     * Takes back the bell of a thread that no longer sleeps.
     *
     * @param borrowed its bell, null if it has parked
     */
    protected abstract void giveBell(B borrowed);

    /**
     * Drops a bell that has ended; the thread then borrows another.
     *
     * @param ended the thread's bell until now, which can no longer wake a thread
     */
    protected abstract void discardBell(B ended);

    /**
     * Fails if the source, which is not ready, can never become ready.
     *
     * @throws PdException with the reason
     */
    protected void requireAlive() throws PdException {}

    /**
     * The longest spin of the wait that begins.
     *
     * @return in nanoseconds; the policy may spin for a shorter time
     */
    protected long longestSpinNs() {
        return Long.MAX_VALUE;
    }

    /**
     * Called after a thread slept on a bell, woke up, and found the source ready.
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
            // A wait without limit needs no clock.
            long start = timeoutNs == Long.MAX_VALUE ? 0 : System.nanoTime();
            return (spin.spin(this, looksPerClock, Math.min(timeoutNs, longestSpinNs())) && look())
                    || sleep(start, timeoutNs);
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

    /** Looks once more after arming: the source may have become ready before it was armed. */
    private boolean lookOnceMore() throws PdException {
        VarHandle.fullFence();
        return look();
    }

    /**
     * Does the steps of a thread before it blocks.
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
            // The next arming uses another bell.
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
            // As in every other call here, only the timeout or close ends a wait.
            interrupted |= Thread.interrupted();
        }
        signalled = false;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The bell on which the thread sleeps. Any thread.
     *
     * @return null if no thread sleeps, or if it parks
     */
    public final B bell() {
        return bell;
    }

    /** Makes the sleeping thread look again. Any thread, at any time; takes no lock and does not block. */
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
