// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.linux.Errno;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

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

    private static final int ALL = IN | OUT | ERR | HUP | RDHUP | ET;

    private final Attachment attachment;
    private final Waiter waiter;
    private final SpinBudget spin;
    private final SpinBudget.Look look = this::hasNews;
    private final Set<EpollEntry> entries = new HashSet<>();
    private final AtomicReference<EpollEntry> queue = new AtomicReference<>();
    private final AtomicBoolean waiting = new AtomicBoolean();

    /** The waiting thread's. */
    private final EpollCandidates candidates;

    private int emptyWaits;

    private volatile boolean asleep;
    private volatile boolean wakeup;
    private volatile boolean closed;

    PdEpoll(Attachment attachment) throws PdException {
        this.attachment = attachment;
        this.waiter = attachment.waiters().borrow();
        this.spin = attachment.newSpinBudget();
        this.candidates = new EpollCandidates(waiter.doorbell);
    }

    /**
     * Adds a socket; what is ready already is reported by the next wait.
     *
     * @param socket of the same {@link PipeDevice}, in any state
     * @param events {@link #IN}, {@link #OUT}, {@link #RDHUP}, {@link #ET}, or-ed
     * @param attachment comes with the socket's events, may be null
     * @throws IllegalStateException if the socket is closed or is in an epoll instance already
     */
    public void add(PdSocket socket, int events, Object attachment) {
        check(events);
        if (socket.core().attachment != this.attachment) {
            throw new IllegalArgumentException("foreign socket: it belongs to another PipeDevice");
        }
        EpollEntry entry = new EpollEntry(socket.core(), this, events, attachment);
        synchronized (entries) {
            requireOpen();
            socket.core().enter(entry);
            entries.add(entry);
        }
        enqueue(entry);
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
     * Waits until a socket is ready.
     *
     * @param events receives what was found; cleared first
     * @param timeoutNanos longest time, 0 for a look, {@link PipeDevice#FOREVER}
     * @return how many sockets have events; 0 after the timeout or a {@link #wakeup}
     * @throws PdException if the driver is gone, or this instance was closed by another thread meanwhile
     * @throws IllegalStateException if this instance is closed, or another thread waits
     */
    public int await(PdEvents events, long timeoutNanos) throws PdException {
        if (timeoutNanos < 0) {
            throw new IllegalArgumentException("timeout " + timeoutNanos + " ns; PipeDevice.FOREVER waits for ever");
        }
        requireOpen();
        if (!waiting.compareAndSet(false, true)) {
            throw new IllegalStateException("another thread waits in this PdEpoll");
        }
        try {
            events.clear();
            return await0(events, timeoutNanos);
        } catch (IllegalStateException e) {
            requireStillOpen();
            throw e;
        } finally {
            waiting.set(false);
            if (closed) {
                releaseIfUnused();
            }
        }
    }

    private int await0(PdEvents events, long timeoutNanos) throws PdException {
        long start = 0;
        while (true) {
            requireStillOpen();
            attachment.link().check();
            collect();
            if (candidates.scan(events, false) > 0) {
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
            if (spin.spin(look)) {
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
        asleep = true;
        try {
            if (candidates.scan(events, true) > 0) {
                return events.count();
            }
            if (queue.get() == null && !wakeup && !closed) {
                waiter.sleep(left);
            }
            return 0;
        } finally {
            asleep = false;
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
        if (entry.queued.compareAndSet(false, true)) {
            EpollEntry head;
            do {
                head = queue.get();
                entry.nextQueued = head;
            } while (!queue.compareAndSet(head, entry));
            if (asleep) {
                waiter.signal();
            }
        }
    }

    /** Takes a socket out. Any thread. */
    void forget(EpollEntry entry) {
        entry.removed = true;
        entry.core.leave(entry);
        entry.disarm();
        synchronized (entries) {
            entries.remove(entry);
        }
        // Its place among the candidates is given up by the waiting thread.
        enqueue(entry);
    }

    private boolean hasNews() {
        if (queue.get() != null || wakeup || closed || attachment.events().hasEvents()) {
            return true;
        }
        return candidates.anyReady();
    }

    /** Makes candidates of the sockets that somebody announced. */
    private void collect() {
        attachment.events().drain();
        if (queue.get() == null) {
            return;
        }
        EpollEntry entry = queue.getAndSet(null);
        while (entry != null) {
            EpollEntry next = entry.nextQueued;
            entry.nextQueued = null;
            // In this order: who finds it not queued from now on queues it again, for a look after this one.
            entry.queued.set(false);
            entry.looksInVain = 0;
            if (!entry.candidate && !entry.removed) {
                candidates.add(entry);
            }
            entry = next;
        }
    }

    private void countEmptyWait() throws PdException {
        if (++emptyWaits == Attachment.LOOKS_BEFORE_CHECK) {
            emptyWaits = 0;
            attachment.checkDriver();
        }
    }

    private EpollEntry entry(PdSocket socket) {
        EpollEntry entry = socket.core().epollEntry();
        if (entry == null || entry.epoll != this) {
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
