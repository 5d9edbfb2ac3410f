// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.wait.ActiveEntries;
import io.pipedevice.wait.EntryQueue;
import io.pipedevice.wait.SpinPolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Waits for many sockets at once: pd_epoll_ctl and pd_epoll_wait (§3.2), with the bits and the meaning of epoll(7).
 *
 * <p>Level-triggered by default: a socket is reported at each wait as long as it is ready. With {@link #ET} it is
 * reported once for each news: the program then receives, or accepts, until there is nothing, and sends until it is
 * refused. A socket whose peer ended the stream or reset the connection is ready.
 *
 * <p>The cost of a wait grows with the number of sockets that are busy, not with the number that were added: sockets
 * that were ready lately are looked at in memory, the others are announced by the driver. A wait that finds nothing
 * sleeps and uses no processor time.
 *
 * <p>{@link #await} is for one thread at a time; all other methods are for any thread, also during a wait. A socket
 * that is closed leaves by itself. Closed by whoever opened it, or by {@link PipeDevice#close}; that wakes the waiter.
 */
public final class PdEpoll implements AutoCloseable {
    /** There is something to receive or to accept, or the stream has ended. */
    public static final int IN = 0x1;

    /** It is worth while to call malloc or send again. */
    public static final int OUT = 0x4;

    /** The connection was reset; always reported. */
    public static final int ERR = 0x8;

    /** Nothing comes and nothing can be sent any more; always reported. */
    public static final int HUP = 0x10;

    /** The peer has ended the stream. */
    public static final int RDHUP = 0x2000;

    /** Edge-triggered. */
    public static final int ET = 1 << 31;

    /** A socket that was looked at so often without being ready is armed. */
    private static final int LOOKS_IN_VAIN = 64;

    private static final int LOOKS_PER_CLOCK = 8;

    private static final int ALL = IN | OUT | ERR | HUP | RDHUP | ET;

    private final Attachment attachment;
    private final ThreadWaiter waiter;
    private final SpinPolicy spin;
    private final SpinPolicy.Look look = this::hasNews;
    private final Set<EpollEntry> entries = new HashSet<>();
    private final EntryQueue queue = new EntryQueue();
    private final AtomicBoolean waiting = new AtomicBoolean();

    /**
     * The waiting thread's, as the next. All have the same patience, however long the looks take: to tell of an armed socket
     * costs the driver a doorbell, also while this instance is awake.
     */
    private final ActiveEntries active = new ActiveEntries(LOOKS_IN_VAIN, Long.MAX_VALUE);

    private int emptyWaits;

    private volatile boolean asleep;
    private volatile boolean wakeup;
    private volatile boolean closed;

    PdEpoll(Attachment attachment) throws PdException {
        this.attachment = attachment;
        this.waiter = attachment.waiters().borrow();
        this.spin = attachment.newSpinPolicy();
    }

    /**
     * Adds a socket; what is ready already is reported by the next wait.
     *
     * @param socket of the same {@link PipeDevice}, in any state
     * @param events {@link #IN}, {@link #OUT}, {@link #RDHUP}, {@link #ET}, or-ed
     * @param attachment comes with the socket's events, may be null
     * @throws IllegalStateException if the socket is closed or is in this epoll instance already
     * @throws PdException if it is in another instance, and the descriptor that this needs cannot be had
     */
    public void add(PdSocket socket, int events, Object attachment) throws PdException {
        check(events);
        if (!serves(socket)) {
            throw new IllegalArgumentException("foreign socket: it belongs to another PipeDevice");
        }
        EpollEntry entry = new EpollEntry(socket.core(), this, waiter.doorbell, events, attachment);
        while (!enter(entry)) {
            this.attachment.parking().open();
        }
        if (!entry.core.isOpen()) {
            forget(entry);
            throw EpollEntries.closed();
        }
        enqueue(entry);
    }

    private boolean enter(EpollEntry entry) {
        synchronized (entries) {
            requireOpen();
            return entry.core.epollEntries().add(entry) && entries.add(entry);
        }
    }

    /**
     * Whether a socket can be added here.
     *
     * @param socket of any {@link PipeDevice}
     * @return whether it is of the same one
     */
    public boolean serves(PdSocket socket) {
        return socket.core().attachment == attachment;
    }

    /**
     * Changes what a socket is watched for, and makes what is ready news again.
     *
     * @param socket that was added
     * @param events as for {@link #add}
     * @throws IllegalStateException if the socket is not in this instance
     */
    public void modify(PdSocket socket, int events) {
        check(events);
        EpollEntry entry = entry(socket);
        entry.interest(events);
        enqueue(entry);
    }

    /**
     * Removes a socket. A wait that has just found it may still report it.
     *
     * @param socket that was added
     * @throws IllegalStateException if the socket is not in this instance
     */
    public void remove(PdSocket socket) {
        forget(entry(socket));
    }

    /**
     * Removes a socket if it is in this instance.
     *
     * @param socket in any state
     * @return whether it was
     */
    public boolean discard(PdSocket socket) {
        EpollEntry entry = socket.core().epollEntries().of(this);
        if (entry != null) {
            forget(entry);
        }
        return entry != null;
    }

    /**
     * Waits until a socket is ready.
     *
     * @param events receives what was found; cleared first
     * @param timeoutNanos longest time, 0 for a look, {@link PipeDevice#FOREVER}
     * @return how many sockets have events; 0 after the timeout or a {@link #wakeup}
     * @throws PdException if the driver is gone, or this instance was closed by another thread meanwhile
     * @throws IllegalStateException if this instance is closed, or another thread waits
     */
    public int await(PdEvents events, long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        enter();
        try {
            events.clear();
            return await0(events, timeoutNanos);
        } catch (IllegalStateException e) {
            requireStillOpen();
            throw e;
        } finally {
            exit();
        }
    }

    /**
     * Makes this instance part of a wider wait: one epoll_wait(2) of the caller's for these sockets and other things. Until
     * the part is closed, nobody can {@link #await}.
     *
     * @param set what the caller waits for; {@link PdEpollPart#DESCRIPTORS} descriptors are added
     * @param data reported with the first of them; the others have the numbers that follow
     * @return the part, for the caller to close before this instance and before the set
     * @throws PdException if the set takes no more descriptors
     * @throws IllegalStateException if this instance is closed, or another thread waits
     */
    public PdEpollPart join(Epoll set, long data) throws PdException {
        enter();
        boolean done = false;
        try {
            waiter.join(set, data);
            done = true;
            return new PdEpollPart(this, set);
        } catch (LinuxException e) {
            waiter.part(set);
            throw PdException.wrap("cannot be part of a wider wait", e);
        } finally {
            if (!done) {
                exit();
            }
        }
    }

    private void enter() {
        requireOpen();
        if (!waiting.compareAndSet(false, true)) {
            throw new IllegalStateException("another thread waits in this PdEpoll");
        }
    }

    /** The waiting thread goes, or the part of a wider wait. */
    void exit() {
        waiting.set(false);
        if (closed) {
            releaseIfUnused();
        }
    }

    private int await0(PdEvents events, long timeoutNanos) throws PdException {
        long start = 0;
        while (true) {
            requireStillOpen();
            attachment.link().check();
            collect();
            if (active.scan(events, false, 0) > 0) {
                return events.count();
            }
            if (wakeup) {
                wakeup = false;
                return 0;
            }
            if (timeoutNanos == 0) {
                countEmptyWait();
                return 0;
            }
            start = start == 0 ? System.nanoTime() : start;
            if (spin(look, timeoutNanos)) {
                continue;
            }
            long left = timeoutNanos == Long.MAX_VALUE ? timeoutNanos : timeoutNanos - (System.nanoTime() - start);
            if (left <= 0) {
                return 0;
            }
            if (sleep(events, left) > 0) {
                return events.count();
            }
        }
    }

    private int sleep(PdEvents events, long left) throws PdException {
        try {
            if (beforeSleep(events)) {
                waiter.sleep(left);
            }
            return events.count();
        } finally {
            afterSleep();
        }
    }

    /** Announces a sleep, arms, and looks again; whether the waiting thread may block now. */
    boolean beforeSleep(PdEvents events) throws PdException {
        asleep = true;
        return active.scan(events, true, 0) == 0 && !isCalled();
    }

    void afterSleep() {
        asleep = false;
    }

    /** Whether a thread of this process wants the waiting thread to look. */
    private boolean isCalled() {
        return !queue.isEmpty() || wakeup || closed;
    }

    /** Looks once, in memory; the waiting thread's. */
    int look(PdEvents events) throws PdException {
        wakeup = false;
        collect();
        if (active.scan(events, false, 0) == 0) {
            countEmptyWait();
        }
        return events.count();
    }

    /** Has every socket looked at. */
    void enqueueAll() {
        synchronized (entries) {
            entries.forEach(this::enqueue);
        }
    }

    /** Makes a wait, or the next one if there is none, return 0 at once. */
    public void wakeup() {
        wakeup = true;
        if (asleep) {
            waiter.signal();
        }
    }

    /** Asks for a look at a socket. Any thread. */
    void enqueue(EpollEntry entry) {
        if (queue.add(entry) && asleep) {
            waiter.signal();
        }
    }

    /** Takes a socket out. Any thread. */
    void forget(EpollEntry entry) {
        entry.removed = true;
        entry.core.epollEntries().remove(entry);
        synchronized (entries) {
            entries.remove(entry);
        }
        // Its place among the active ones is given up by the waiting thread.
        enqueue(entry);
    }

    boolean hasNews() {
        return isCalled() || attachment.events().hasEvents() || active.anyReady();
    }

    /** Makes those sockets active that the driver or another thread asks to look at. */
    private void collect() {
        attachment.events().drain();
        queue.drainTo(active);
    }

    private void countEmptyWait() throws PdException {
        if (++emptyWaits == Attachment.LOOKS_BEFORE_CHECK) {
            emptyWaits = 0;
            attachment.checkDriver();
        }
    }

    ThreadWaiter waiter() {
        return waiter;
    }

    /** Looks for as long as that is likely to pay; whether something was ready. The waiting thread's. */
    boolean spin(SpinPolicy.Look something, long longestNanos) {
        return spin.spin(something, LOOKS_PER_CLOCK, longestNanos);
    }

    boolean isDriverGone() {
        return attachment.link().isBroken();
    }

    boolean hasActive() {
        return active.count() > 0;
    }

    private EpollEntry entry(PdSocket socket) {
        EpollEntry entry = socket.core().epollEntries().of(this);
        if (entry == null) {
            throw new IllegalStateException(socket + " is not in this PdEpoll");
        }
        return entry;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("this PdEpoll is closed");
        }
    }

    private void requireStillOpen() throws PdException {
        if (closed) {
            throw new PdException(Errno.EBADF, "the PdEpoll was closed by another thread");
        }
    }

    private static void check(int events) {
        if ((events & ~ALL) != 0) {
            throw new IllegalArgumentException("unknown events 0x" + Integer.toHexString(events & ~ALL));
        }
    }

    /**
     * Whether nobody closed this instance.
     *
     * @return false from the beginning of {@link #close} on
     */
    public boolean isOpen() {
        return !closed;
    }

    /** Takes every socket out, and wakes the waiting thread, whose wait fails. The sockets stay open. */
    @Override
    public void close() {
        List<EpollEntry> left;
        synchronized (entries) {
            if (closed) {
                return;
            }
            closed = true;
            left = new ArrayList<>(entries);
        }
        left.forEach(this::forget);
        attachment.unregister(this);
        waiter.signal();
        releaseIfUnused();
    }

    /** The last one to leave a closed instance, be it the waiting thread or the closing one, gives the waiter back. */
    private void releaseIfUnused() {
        if (waiting.compareAndSet(false, true)) {
            attachment.waiters().giveBack(waiter);
        }
    }
}
