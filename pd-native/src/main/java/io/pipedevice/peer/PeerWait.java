// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Processor;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Blocks one direction of a source until there is news: looks for a while, then arms, fences, looks again, and only then
 * sleeps ({@link PeerArmWord}). A platform thread sleeps in the kernel, on a bell that it borrows. A virtual thread, and
 * one for which there is no bell, parks; the dispatcher hears the ring for it.
 *
 * <p>Used by one thread at a time; {@link #wake} by any.
 */
final class PeerWait implements Watcher, SpinPolicy.Look {
    private static final int LOOKS_PER_CLOCK = 16;

    /** How often somebody looks for whom nobody can ring. */
    static final long UNHEARD_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final PeerSource source;
    private final int direction;
    private final SpinPolicy spin;

    /** What the sleeper sleeps on; null while nobody sleeps, and for one that parks. */
    private volatile Bell bell;

    /** The sleeper, if it parks. */
    private volatile Thread parked;

    private volatile boolean signalled;

    /** Whether somebody can ring for what was armed last; the sleeper's. */
    private boolean heard;

    PeerWait(PeerSource source, int direction) {
        this(source, direction, SpinMode.inUse());
    }

    PeerWait(PeerSource source, int direction, SpinMode mode) {
        this.source = source;
        this.direction = direction;
        spin = new SpinPolicy(mode, source::wakeUpNanos);
    }

    /**
     * Waits for news. An interrupt does not end it.
     *
     * @param timeoutNs longest time, {@link Long#MAX_VALUE} for ever
     * @return whether there is news; false after the timeout
     * @throws PdException EBADF if the source's waits have ended
     */
    boolean await(long timeoutNs) throws PdException {
        try {
            if (timeoutNs <= 0) {
                return look();
            }
            // For ever needs no clock.
            long start = timeoutNs == Long.MAX_VALUE ? 0 : System.nanoTime();
            spin.spin(this, LOOKS_PER_CLOCK, timeoutNs);
            return look() || sleep(start, timeoutNs);
        } catch (IllegalStateException e) {
            requireGoingOn();
            throw e;
        }
    }

    @Override
    public boolean isReady() {
        return source.waitsEnded() || source.readiness(direction) != 0;
    }

    @Override
    public boolean sharesProcessor() {
        return source.sharesProcessor(Processor.current());
    }

    private boolean look() throws PdException {
        requireGoingOn();
        return source.readiness(direction) != 0;
    }

    private void requireGoingOn() throws PdException {
        if (source.waitsEnded()) {
            throw new PdException(Errno.EBADF, "the socket was closed by another thread");
        }
    }

    private boolean sleep(long start, long timeoutNs) throws PdException {
        boolean measures = spin.mode == SpinMode.ADAPTIVE;
        long slept = measures ? System.nanoTime() : 0;
        begin();
        try {
            for (long asleep = 0, awake = 0; true; awake = measures ? System.nanoTime() : 0) {
                if (armAndLook()) {
                    if (asleep != 0 && bell != null) {
                        source.woken(asleep, awake);
                    }
                    break;
                }
                asleep = measures ? System.nanoTime() : 0;
                long left = timeoutNs == Long.MAX_VALUE ? timeoutNs : timeoutNs - (System.nanoTime() - start);
                if (left <= 0) {
                    return false;
                }
                block(heard ? left : Math.min(left, UNHEARD_NS));
            }
        } finally {
            source.watchers.disarm(direction, this);
            end();
        }
        if (measures) {
            spin.slept(System.nanoTime() - slept);
        }
        return true;
    }

    /** Asks to be woken, and looks once more, because there may have been news meanwhile. */
    boolean armAndLook() throws PdException {
        heard = source.watchers.arm(direction, this);
        VarHandle.fullFence();
        return look();
    }

    private void begin() {
        Thread self = Thread.currentThread();
        bell = self.isVirtual() ? null : BellPool.takeForThread();
        parked = bell == null ? self : null;
    }

    private void end() {
        Bell mine = bell;
        bell = null;
        parked = null;
        if (mine != null) {
            BellPool.give(mine);
        }
    }

    private void block(long nanos) throws PdException {
        Bell mine = bell;
        if (mine == null) {
            park(nanos);
        } else if (!mine.sleep(nanos)) {
            end(mine);
        }
    }

    /** A peer has ended the bell: the next arming is with another. */
    private void end(Bell ended) {
        bell = null;
        BellPool.discard(ended);
        begin();
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

    @Override
    public Bell bell() {
        return bell;
    }

    /** It hears its bell for nothing but this wait. */
    @Override
    public int cookie() {
        return 0;
    }

    @Override
    public void wake() {
        Bell asleepOn = bell;
        if (asleepOn != null) {
            asleepOn.signal();
        }
        Thread thread = parked;
        if (thread != null) {
            signalled = true;
            LockSupport.unpark(thread);
        }
    }

    @Override
    public boolean isGone() {
        return false;
    }
}
