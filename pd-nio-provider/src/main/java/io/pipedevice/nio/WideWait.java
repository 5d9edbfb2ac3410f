// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.FdParker;
import io.pipedevice.linux.LinuxException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One wait for kernel descriptors and for rings: rings that were ready lately are looked at in memory, and one
 * epoll_wait(2) covers everything else. A virtual thread parks. Used by one thread at a time, except what says otherwise.
 */
final class WideWait implements AutoCloseable {
    /** Most descriptors that one look at the kernel reports, as with the JDK; the others have the next turn. */
    private static final int MOST_EVENTS = 1024;

    /** While rings are always ready the kernel's descriptors are looked at every so many times, */
    private static final int RING_TURNS = 8;

    /** and after this time at the latest. */
    private static final long RING_TURN_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private static final long FLAG = -1;

    /** Gets what is ready. */
    interface Sink {
        /** A kernel descriptor, with bits of {@link Epoll}. */
        void kernel(int descriptor, int events);

        /** What a socket was added with, and bits of {@link io.pipedevice.lib.PdEpoll}. */
        void ring(Object attachment, int events);
    }

    private final WakeUp wakeUp;
    private final BooleanSupplier pending;
    private final Sink sink;
    private final Epoll set;
    private final EventFd flag;
    private final Epoll.Events found = new Epoll.Events(MOST_EVENTS);
    private final List<RingPart> parts = new ArrayList<>(1);
    private final BooleanSupplier otherNews = new BooleanSupplier() {
        @Override
        public boolean getAsBoolean() {
            return hasNews();
        }
    };
    private FdParker parker;
    private int lastPart;
    private int kernelDescriptors;
    private int ringTurns;
    private long kernelLookNs;

    /**
     * Opens an empty one.
     *
     * @param pending something else that keeps it from sleeping; who makes it true calls {@link #signal} if the
     *     thread is asleep
     */
    WideWait(WakeUp wakeUp, BooleanSupplier pending, Sink sink) throws LinuxException {
        this.wakeUp = wakeUp;
        this.pending = pending;
        this.sink = sink;
        set = Epoll.open();
        try {
            flag = EventFd.open();
        } catch (LinuxException e) {
            set.close();
            throw e;
        }
        try {
            set.add(flag.fd(), Epoll.IN, FLAG);
        } catch (LinuxException e) {
            close();
            throw e;
        }
    }

    /** Wakes the waiting thread, or the next one. Any thread. */
    void call() {
        if (wakeUp.call()) {
            flag.signal();
        }
    }

    /** Makes a sleeping thread look at what is pending. Any thread. */
    void signal() {
        flag.signal();
    }

    void addKernel(int descriptor, int events) throws LinuxException {
        set.add(descriptor, events, descriptor);
        kernelDescriptors++;
    }

    void modifyKernel(int descriptor, int events) throws LinuxException {
        set.modify(descriptor, events, descriptor);
    }

    /** A descriptor was closed, and so has left by itself. */
    void kernelIsGone() {
        kernelDescriptors--;
    }

    void removeKernel(int descriptor) {
        kernelDescriptors--;
        try {
            set.remove(descriptor);
        } catch (LinuxException e) {
            // Closed before its time: then it has left by itself.
            return;
        }
    }

    /** Where to add a socket. */
    RingPart partOf(PdSource source) throws PdException {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).serves(source)) {
                return parts.get(i);
            }
        }
        int number = ++lastPart;
        RingPart part = RingPart.open(source, set, number);
        parts.add(part);
        return part;
    }

    /** Looks at rings, in memory; how many are ready. */
    int lookAtRings() throws PdException {
        int ready = 0;
        for (int i = parts.size() - 1; i >= 0; i--) {
            RingPart part = parts.get(i);
            ready += part.look(sink);
            if (part.isOver()) {
                parts.remove(i);
                part.close();
            }
        }
        return ready;
    }

    /** Whether the kernel's descriptors are due although rings are ready. */
    boolean isKernelsTurn() {
        return kernelDescriptors > 0 && (++ringTurns >= RING_TURNS || System.nanoTime() - kernelLookNs >= RING_TURN_NS);
    }

    /** Looks at the kernel's descriptors, if there are any; how many are ready. */
    int lookAtKernel() throws LinuxException, PdException {
        if (kernelDescriptors == 0) {
            return 0;
        }
        ringTurns = 0;
        int ready = report(set.await(found, 0));
        kernelLookNs = System.nanoTime();
        return ready;
    }

    /** Looks, without waiting, at whatever {@link #lookAtRings} does not look at. */
    void lookAtTheRest() throws LinuxException, PdException {
        if (kernelDescriptors == 0 && !hasQuiet()) {
            return;
        }
        ringTurns = 0;
        int count = set.await(found, 0);
        if (report(count) < count) {
            lookAtRings();
        }
        kernelLookNs = System.nanoTime();
    }

    private boolean hasQuiet() {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).hasQuiet()) {
                return true;
            }
        }
        return false;
    }

    /** Looks at the kernel's descriptors unless that was lately; how many are ready. For who is going to look again soon. */
    int lookAtKernelIfDue() throws LinuxException, PdException {
        return kernelDescriptors > 0 && System.nanoTime() - kernelLookNs >= RING_TURN_NS ? lookAtKernel() : 0;
    }

    /** Whether it is worth while to look at rings for a while before sleep: one was active since the last. */
    boolean maySpin() {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).wasActive()) {
                return true;
            }
        }
        return false;
    }

    /** Looks for as long as a wake-up costs; whether there was news. */
    boolean spin() {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).wasActive()) {
                return parts.get(i).spin(otherNews);
            }
        }
        return false;
    }

    private boolean hasNews() {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).isLikelyReady()) {
                return true;
            }
        }
        return wakeUp.isCalled() || pending.getAsBoolean();
    }

    /**
     * Sleeps until something is ready, or somebody wakes it, or without need.
     *
     * @param nanos longest time, {@link Long#MAX_VALUE} for ever
     * @return how many are ready
     */
    int sleep(long nanos) throws LinuxException, PdException {
        int announced = 0;
        try {
            boolean maySleep = true;
            long most = nanos;
            while (announced < parts.size()) {
                RingPart part = parts.get(announced++);
                maySleep &= part.beforeSleep(sink);
                most = Math.min(most, part.mostSleepNanos());
            }
            maySleep &= wakeUp.maySleep(pending);
            return maySleep ? report(block(most)) : 0;
        } finally {
            wakeUp.awake();
            while (announced > 0) {
                parts.get(--announced).afterSleep();
            }
        }
    }

    private int block(long nanos) throws LinuxException {
        if (Thread.currentThread().isVirtual()) {
            if (parker == null) {
                parker = FdParker.open(set.fd());
            }
            parker.await(nanos);
            return set.await(found, 0);
        }
        // Rounded up, so that nobody comes back before his time is over.
        return set.await(found, nanos == Long.MAX_VALUE ? -1 : TimeUnit.NANOSECONDS.toMillis(nanos + 999_999));
    }

    /** Hands on what the set reported; how many of the kernel's descriptors. */
    private int report(int count) throws PdException {
        int kernel = 0;
        for (int i = 0; i < count; i++) {
            long data = found.data(i);
            if (data == FLAG) {
                flag.drain();
            } else if (RingPart.numberOf(data) == 0) {
                sink.kernel((int) data, found.events(i));
                kernel++;
            } else {
                happened(data);
            }
        }
        return kernel;
    }

    private void happened(long data) throws PdException {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).number() == RingPart.numberOf(data)) {
                parts.get(i).happened((int) data);
                return;
            }
        }
    }

    /** Nobody waits any more. */
    @Override
    public void close() {
        if (parker != null) {
            parker.close();
        }
        parts.forEach(RingPart::close);
        parts.clear();
        flag.close();
        set.close();
    }
}
