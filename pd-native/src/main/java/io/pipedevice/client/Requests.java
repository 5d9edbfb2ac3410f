// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.protocol.SleepWord;
import io.pipedevice.protocol.StatusPageDescriptor;
import io.pipedevice.queue.EntryRingProducer;
import io.pipedevice.wait.FairTimeout;
import io.pipedevice.wait.Pause;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Posts requests to the driver and wakes it when it sleeps, once for each of its sleeps. Thread safe. */
final class Requests {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long LONGEST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MOST_DOUBLINGS = 12;
    private static final VarHandle LAST_RUNG;

    static {
        try {
            LAST_RUNG = MethodHandles.lookup().findVarHandle(Requests.class, "lastRung", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Link link;
    private final ControlChannel control;
    private final UnixSocket bell;
    private final EntryRingProducer ring;
    private final MemorySegment status;

    /** The number of the driver's sleep for which a thread of this process has rung. */
    private volatile long lastRung;

    /** The number of threads in a {@link #pause}. */
    private final AtomicInteger pausing = new AtomicInteger();

    Requests(Link link, ControlChannel control, Pages pages) {
        this.link = link;
        this.control = control;
        this.bell = control.socket();
        this.status = pages.status.memory();
        this.ring = new EntryRingProducer(
                pages.lib.memory().asSlice(LibPageDescriptor.REQUESTS_OFFSET),
                pages.requestDepth,
                pages.driver.memory(),
                DriverPageDescriptor.REQUESTS_CONSUMED_OFFSET);
    }

    /**
     * Posts a request. It carries the socket's generation, so that the driver ignores a request for an earlier socket
     * of the same id.
     *
     * @return false if the ring is full
     */
    boolean post(int type, long source, int length, int socketId, int tableId, int generation) throws PdException {
        int result = ring.offer(type, source, 0, length, socketId, tableId, generation & 0xFFFF);
        if (result == EntryRingProducer.PUBLISHED) {
            wake();
            return true;
        }
        if (result == EntryRingProducer.CORRUPT) {
            throw link.nonsense("count of requests consumed");
        }
        return false;
    }

    /**
     * Posts a request that must not be lost: waits while the ring is full, and fails if the driver takes nothing out of
     * it for longer than a live driver needs.
     */
    void insist(int type, int socketId, int tableId, int generation) throws PdException {
        long consumed = ring.consumed();
        FairTimeout timeout = null;
        for (int pauses = 0; !post(type, 0, 0, socketId, tableId, generation); pauses++) {
            link.check();
            long now = System.nanoTime();
            if (timeout == null || ring.consumed() != consumed) {
                consumed = ring.consumed();
                timeout = new FairTimeout(now, PATIENCE_NS);
            } else if (timeout.isOver(now)) {
                long seconds = TimeUnit.NANOSECONDS.toSeconds(timeout.elapsedNs());
                throw link.fail(Errno.ETIMEDOUT, "PD Driver has not taken a request for " + seconds + " seconds");
            }
            pause(pauses);
        }
    }

    /**
     * Waits a moment while the ring is full: the driver is awake then, and rings no doorbell for room in it. The pause
     * is longer for more waiting threads, and after each pause in vain: thousands of threads that look often would keep
     * the driver's thread from the processors, and so the ring full.
     *
     * @param before the number of pauses of this wait that were in vain
     */
    void pause(int before) {
        int threads = pausing.incrementAndGet();
        try {
            long nanos = (PAUSE_NS * threads) << Math.min(before, MOST_DOUBLINGS);
            Pause.park(this, Math.min(nanos, LONGEST_PAUSE_NS));
        } finally {
            pausing.decrementAndGet();
        }
    }

    /** Wakes the driver if it sleeps, after the caller has published something for it. */
    void wake() throws PdException {
        long sleep = SleepWord.sleeping(status, StatusPageDescriptor.SLEEP_OFFSET);
        if (sleep != 0) {
            long last = lastRung;
            if (last != sleep && LAST_RUNG.compareAndSet(this, last, sleep) && !bell.ring()) {
                throw control.ended();
            }
        }
    }
}
