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
 * A wait for many sockets of one attachment to a driver. Its doorbell is a {@link ThreadWaiter}'s, which the driver rings
 * after it has posted an event for each socket that is ready. When the driver is gone every socket is ready.
 */
abstract class DriverWaitSet extends WaitSet {
    /** A socket that was looked at so often without being ready is armed. */
    private static final int LOOKS_IN_VAIN = 64;

    private static final int LOOKS_PER_CLOCK = 8;

    private static final int ALL = PdEpoll.IN | PdEpoll.OUT | PdEpoll.ERR | PdEpoll.HUP | PdEpoll.RDHUP | PdEpoll.ET;

    final Attachment attachment;
    private final ThreadWaiter waiter;

    /** Whether a thread waits, or this is part of a wider wait. */
    private final AtomicBoolean waiting = new AtomicBoolean();

    /** The wider wait's set; null while this is part of none. The waiting thread's, as the next. */
    private Epoll set;

    private boolean noticedEnd;
    private int emptyWaits;

    DriverWaitSet(Attachment attachment) throws PdException {
        // All have the same patience, however long the looks take: to tell of an armed socket costs the
        // driver a doorbell, also while this instance is awake.
        super(attachment.newSpinPolicy(), new ActiveEntries(LOOKS_IN_VAIN, Long.MAX_VALUE), false, ALL);
        this.attachment = attachment;
        this.waiter = attachment.waiters().borrow();
    }

    @Override
    public boolean serves(PdSource source) {
        return source instanceof DriverSocket socket && socket.core().attachment == attachment;
    }

    @Override
    protected WaitEntry newEntry(PdSource source, int events, Object attached) {
        return new DriverEntry(((DriverSocket) source).core(), this, waiter.doorbell, events, attached);
    }

    @Override
    protected boolean admit(WaitEntry added) {
        DriverEntry entry = (DriverEntry) added;
        return entry.core.epollEntries().add(entry);
    }

    /** Opens the doorbell with which sockets are armed that are in several instances. */
    @Override
    protected void prepare() throws PdException {
        attachment.parking().open();
    }

    /** Whether a thread calls the waiting thread back. Any thread. */
    abstract boolean isWokenUp();

    /** The waiting thread is back. */
    abstract void answerWakeUp();

    /** Looks once, in memory; the waiting thread's. */
    final int lookAlone(PdEvents events) throws PdException {
        return super.look(events);
    }

    /** Announces a sleep, looks again, and sleeps if there is nothing; how many sockets are ready. The waiting thread's. */
    final int sleepAlone(PdEvents events, long nanos) throws PdException {
        try {
            if (super.beforeSleep(events)) {
                waiter.sleep(nanos);
            }
            return events.count();
        } finally {
            afterSleep();
        }
    }

    /** A thread begins to wait, or this becomes part of a wider wait. */
    final void enter() {
        requireOpen();
        if (!waiting.compareAndSet(false, true)) {
            throw new IllegalStateException("another thread waits in this PdEpoll");
        }
    }

    /** The waiting thread goes, or the wider wait. */
    final void exit() {
        waiting.set(false);
        if (!isOpen()) {
            releaseIfUnused();
        }
    }

    final void countEmptyWait() throws PdException {
        if (++emptyWaits == Attachment.LOOKS_BEFORE_CHECK) {
            emptyWaits = 0;
            attachment.checkDriver();
        }
    }

    /**
     * Makes this instance part of a wider wait. Until it parts, nobody can {@link PdEpoll#await}.
     *
     * <p>When the driver is gone the caller's wait ends, and from then on every socket is reported that is watched for
     * something.
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
            // The driver is gone, as this look found out; the next one reports every socket.
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
            return super.beforeSleep(events) && attachment.link().isBroken() == noticedEnd;
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
        if (!noticedEnd && attachment.link().isBroken()) {
            noticedEnd = true;
            if (set != null) {
                // Its descriptors would end every wait from now on.
                waiter.part(set);
            }
            enqueueAll();
        }
    }

    /** The whole {@link PipeDevice} was closed under this wait, which has no sockets any more. */
    private int released(IllegalStateException e) {
        if (!attachment.link().isBroken()) {
            throw e;
        }
        return 0;
    }

    /** A doorbell brings what the driver tells, also while this instance is awake: there is always something to hear. */
    @Override
    public boolean hasQuiet() {
        return watched() > 0;
    }

    @Override
    public boolean isOver() {
        return super.isOver() || (noticedEnd && watched() == 0);
    }

    /** Has those sockets looked at that the driver tells of. */
    @Override
    protected void collect(boolean quiet) {
        attachment.events().drain();
    }

    @Override
    protected boolean isTold() {
        return isCalled() || attachment.events().hasEvents();
    }

    /** Whether a thread of this process wants the waiting thread to look. */
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
        attachment.unregister(this);
        signal();
        releaseIfUnused();
    }

    /** The last one to leave a closed instance, be it the waiting thread or the closing one, gives the waiter back. */
    private void releaseIfUnused() {
        if (waiting.compareAndSet(false, true)) {
            attachment.waiters().giveBack(waiter);
        }
    }
}
