// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.wait.ActiveEntries;
import io.pipedevice.wait.WaitEntry;
import io.pipedevice.wait.WaitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * A wait for many sockets of one attachment to a driver. The driver posts an event for each socket that is ready, and
 * rings the doorbell of this instance's {@link ThreadWaiter}. When the driver is gone, every socket is ready.
 */
abstract class DriverWaitSet extends WaitSet {
    /** A socket is armed after this many looks that found it not ready. */
    private static final int LOOKS_IN_VAIN = 64;

    private static final int LOOKS_PER_CLOCK = 8;

    private static final int ALL = PdEpoll.IN | PdEpoll.OUT | PdEpoll.ERR | PdEpoll.HUP | PdEpoll.RDHUP | PdEpoll.ET;

    final DriverSession session;
    private final ThreadWaiter waiter;

    /** Whether a thread waits, or this is part of a wider wait. */
    private final AtomicBoolean waiting = new AtomicBoolean();

    /**
     * The epoll set that this wait has joined, or null. This field and {@link #noticedEnd} belong to the waiting
     * thread.
     */
    private Epoll set;

    private boolean noticedEnd;
    private int emptyWaits;

    DriverWaitSet(DriverSession session) throws PdException {
        // Every socket has the same patience, however long the looks take: an armed socket costs the driver a doorbell,
        // also while this instance is awake.
        super(session.newSpinPolicy(), new ActiveEntries(LOOKS_IN_VAIN, Long.MAX_VALUE), false, ALL);
        this.session = session;
        this.waiter = session.waiters().borrow();
    }

    @Override
    public boolean serves(PdSource source) {
        return source instanceof DriverSocket socket && socket.core().session == session;
    }

    @Override
    protected WaitEntry newEntry(PdSource source, int events, Object attached) {
        return new DriverEntry(((DriverSocket) source).core(), source, this, waiter.doorbell, events, attached);
    }

    @Override
    protected boolean admit(WaitEntry added) {
        DriverEntry entry = (DriverEntry) added;
        return entry.core.epollEntries().add(entry);
    }

    /** Opens the doorbell with which a socket in several instances is armed. */
    @Override
    protected void prepare() throws PdException {
        session.parking().open();
    }

    /** Whether a thread has called wakeup. Any thread. */
    abstract boolean isWokenUp();

    /** The waiting thread has seen the wake-up. */
    abstract void answerWakeUp();

    /** Looks once, in memory; the waiting thread's. */
    final int lookAlone(PdEvents events) throws PdException {
        return super.look(events);
    }

    /**
     * Announces a sleep, looks again, and sleeps if there is nothing; how many sockets are ready. The waiting thread's.
     */
    final int sleepAlone(PdEvents events, long nanos) throws PdException {
        try {
            if (super.beforeSleep(events)) {
                waiter.block(nanos);
            }
            return events.count();
        } finally {
            afterSleep();
        }
    }

    /** Begins the wait of a thread, or a part in a wider wait. */
    final void enter() {
        requireOpen();
        if (!waiting.compareAndSet(false, true)) {
            throw new IllegalStateException("another thread waits in this PdEpoll");
        }
    }

    /** Ends the wait of a thread, or the part in a wider wait. */
    final void exit() {
        waiting.set(false);
        if (!isOpen()) {
            releaseIfUnused();
        }
    }

    final void countEmptyWait() throws PdException {
        if (++emptyWaits == DriverSession.LOOKS_BEFORE_CHECK) {
            emptyWaits = 0;
            session.checkDriver();
        }
    }

    /**
     * Makes this instance part of a wider wait. Until it parts, {@link PdEpoll#await} fails.
     *
     * <p>When the driver is gone, the caller's wait ends, and from then on every watched socket is reported.
     *
     * @throws IllegalStateException if this instance is closed, or another thread waits
     */
    @Override
    public void join(Epoll wider, long data) throws PdException {
        enter();
        boolean done = false;
        try {
            waiter.join(wider, data);
            set = wider;
            done = true;
        } catch (LinuxException e) {
            waiter.part(wider);
            throw PdException.wrap("cannot be part of a wider wait", e);
        } finally {
            if (!done) {
                exit();
            }
        }
    }

    @Override
    public void part() {
        if (set != null) {
            waiter.part(set);
            set = null;
            exit();
        }
    }

    @Override
    public int look(PdEvents events) {
        try {
            noticeEnd();
            answerWakeUp();
            if (super.look(events) == 0) {
                countEmptyWait();
            }
            return events.count();
        } catch (PdException e) {
            // This look found out that the driver is gone; the next one reports every socket.
            return events.count();
        } catch (IllegalStateException e) {
            return released(e);
        }
    }

    @Override
    public boolean spin(BooleanSupplier orElse) {
        try {
            return super.spin(orElse);
        } catch (IllegalStateException e) {
            return released(e) == 0;
        }
    }

    @Override
    public boolean beforeSleep(PdEvents events) {
        try {
            return super.beforeSleep(events) && session.link().isBroken() == noticedEnd;
        } catch (PdException e) {
            return false;
        } catch (IllegalStateException e) {
            return released(e) != 0;
        }
    }

    @Override
    public void happened(int descriptor) {
        try {
            waiter.happened(descriptor);
        } catch (PdException e) {
            noticeEnd();
        }
    }

    private void noticeEnd() {
        if (!noticedEnd && session.link().isBroken()) {
            noticedEnd = true;
            if (set != null) {
                // Its descriptors would end every wait from now on.
                waiter.part(set);
            }
            enqueueAll();
        }
    }

    /** Another thread has closed the whole {@link PipeDevice}: this wait has no sockets any more. */
    private int released(IllegalStateException e) {
        if (!session.link().isBroken()) {
            throw e;
        }
        return 0;
    }

    /** The driver rings also while this instance is awake, so that there may always be an event. */
    @Override
    public boolean hasQuiet() {
        return watched() > 0;
    }

    @Override
    public boolean isOver() {
        return super.isOver() || (noticedEnd && watched() == 0);
    }

    /** Queues the sockets of the driver's events. */
    @Override
    protected void collect(boolean armed) {
        session.events().drain();
    }

    @Override
    protected boolean isAnnounced() {
        return isCalled() || session.events().hasEvents();
    }

    /** Whether a thread of this process has called wakeup or close. */
    private boolean isCalled() {
        return isWokenUp() || !isOpen();
    }

    @Override
    protected boolean announceSleep() {
        return !isCalled();
    }

    @Override
    protected int looksPerClock() {
        return LOOKS_PER_CLOCK;
    }

    @Override
    protected long longestSpinNanos() {
        return Long.MAX_VALUE;
    }

    @Override
    protected void signal() {
        waiter.signal();
    }

    /** Wakes the waiting thread, whose wait fails. */
    @Override
    protected void release() {
        session.waitSets().remove(this);
        signal();
        releaseIfUnused();
    }

    /** The last one to leave a closed instance, be it the waiting thread or the closing one, gives the waiter back. */
    private void releaseIfUnused() {
        if (waiting.compareAndSet(false, true)) {
            session.waiters().giveBack(waiter);
        }
    }
}
