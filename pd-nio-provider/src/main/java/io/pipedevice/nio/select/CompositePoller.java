// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import io.pipedevice.jdk.Jdk;
import io.pipedevice.jdk.OutOfLine;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.FdParker;
import io.pipedevice.linux.LinuxException;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One wait for kernel descriptors and for rings: rings that were ready lately are polled in memory, and one
 * epoll_wait(2) covers everything else. A virtual thread parks. Used by one thread at a time, except for methods that
 * say otherwise.
 */
final class CompositePoller implements AutoCloseable {
    /** The most descriptors that one epoll_wait(2) reports, as with the JDK; the next one reports the others. */
    private static final int MOST_EVENTS = 1024;

    /** While rings are always ready, the kernel's descriptors are polled after this many polls of the rings. */
    private static final int RING_POLLS = 8;

    /** While rings are always ready, the kernel's descriptors are polled after this time at the latest. */
    private static final long RING_TURN_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private static final long FLAG = -1;

    private static final OutOfLine SLEEP = OutOfLine.of(MethodHandles.lookup(), "sleepInLine", int.class, long.class);

    /** Receives the sources that are ready. */
    interface Sink {
        /** A kernel descriptor is ready, with bits of {@link Epoll}. */
        void kernel(int descriptor, int events);

        /** A socket on rings is ready: the object it was added with, and bits of {@link io.pipedevice.lib.PdEpoll}. */
        void ring(Object attachment, int events);
    }

    private final WakeUp wakeUp;
    private final BooleanSupplier pending;
    private final Sink sink;
    private final Epoll set;
    private final EventFd flag;
    private final Epoll.Events found = new Epoll.Events(MOST_EVENTS);
    private final List<RingPoller> pollers = new ArrayList<>(1);
    private final BooleanSupplier likelyReady = new BooleanSupplier() {
        @Override
        public boolean getAsBoolean() {
            return isAnythingLikelyReady();
        }
    };
    private FdParker parker;
    private int lastPoller;
    private int kernelDescriptors;
    private int ringPolls;
    private long kernelPollNs;

    /**
     * Opens an empty poller.
     *
     * @param pending a condition that keeps the thread from sleeping; a thread that makes it true calls {@link #signal}
     *     if the waiting thread is asleep
     */
    CompositePoller(WakeUp wakeUp, BooleanSupplier pending, Sink sink) throws LinuxException {
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

    /** Wakes the waiting thread, or the next one. Any thread may call. */
    void wake() {
        if (wakeUp.call()) {
            flag.signal();
        }
    }

    /** Makes a sleeping thread check the pending condition. Any thread may call. */
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

    /** Forgets a descriptor that was closed, and so is no longer in the set. */
    void kernelIsGone() {
        kernelDescriptors--;
    }

    void removeKernel(int descriptor) {
        kernelDescriptors--;
        try {
            set.remove(descriptor);
        } catch (LinuxException e) {
            // It was closed before, and so is no longer in the set.
            return;
        }
    }

    /** The poller that a socket is to be added to. */
    RingPoller pollerOf(PdSource source) throws PdException {
        for (int i = 0; i < pollers.size(); i++) {
            if (pollers.get(i).serves(source)) {
                return pollers.get(i);
            }
        }
        int number = ++lastPoller;
        RingPoller poller = RingPoller.open(source, set, number);
        pollers.add(poller);
        return poller;
    }

    /** Polls rings in memory, and reports the ready ones; how many there are. */
    int pollRings() throws PdException {
        int ready = 0;
        for (int i = pollers.size() - 1; i >= 0; i--) {
            RingPoller poller = pollers.get(i);
            ready += poller.poll(sink);
            if (poller.isOver()) {
                pollers.remove(i);
                poller.close();
            }
        }
        return ready;
    }

    /** Whether the kernel's descriptors are to be polled although rings are ready. */
    boolean isKernelsTurn() {
        return kernelDescriptors > 0 && (++ringPolls >= RING_POLLS || System.nanoTime() - kernelPollNs >= RING_TURN_NS);
    }

    /** Polls the kernel's descriptors, if there are any, and reports the ready ones; how many there are. */
    int pollKernel() throws LinuxException, PdException {
        if (kernelDescriptors == 0) {
            return 0;
        }
        ringPolls = 0;
        int ready = report(set.await(found, 0));
        kernelPollNs = System.nanoTime();
        return ready;
    }

    /** Polls, without waiting, everything that {@link #pollRings} does not poll. */
    void pollTheRest() throws LinuxException, PdException {
        if (kernelDescriptors == 0 && !hasQuiet()) {
            return;
        }
        ringPolls = 0;
        int count = set.await(found, 0);
        if (report(count) < count) {
            pollRings();
        }
        kernelPollNs = System.nanoTime();
    }

    private boolean hasQuiet() {
        for (int i = 0; i < pollers.size(); i++) {
            if (pollers.get(i).hasQuiet()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Polls the kernel's descriptors unless that was done lately; how many are ready. For a thread that polls again
     * soon.
     */
    int pollKernelIfDue() throws LinuxException, PdException {
        return kernelDescriptors > 0 && System.nanoTime() - kernelPollNs >= RING_TURN_NS ? pollKernel() : 0;
    }

    /** Whether it is worth while to {@link #spin}: some rings were active since the last sleep. */
    boolean maySpin() {
        for (int i = 0; i < pollers.size(); i++) {
            if (pollers.get(i).wasActive()) {
                return true;
            }
        }
        return false;
    }

    /** Polls for as long as a wake-up costs; whether the next poll is likely to find something. */
    boolean spin() {
        for (int i = 0; i < pollers.size(); i++) {
            if (pollers.get(i).wasActive()) {
                return pollers.get(i).spin(likelyReady);
            }
        }
        return false;
    }

    private boolean isAnythingLikelyReady() {
        for (int i = 0; i < pollers.size(); i++) {
            if (pollers.get(i).isLikelyReady()) {
                return true;
            }
        }
        return wakeUp.isCalled() || pending.getAsBoolean();
    }

    /**
     * Sleeps until a source is ready, or a thread wakes this one. May also return without either.
     *
     * @param nanos longest time, {@link Long#MAX_VALUE} for ever
     * @return how many are ready
     */
    int sleep(long nanos) throws LinuxException, PdException {
        try {
            return (int) SLEEP.handle().invokeExact(this, nanos);
        } catch (Throwable t) {
            throw OutOfLine.rethrow(t);
        }
    }

    @SuppressWarnings("UnusedMethod")
    private int sleepInLine(long nanos) throws LinuxException, PdException {
        int announced = 0;
        try {
            boolean maySleep = true;
            long most = nanos;
            while (announced < pollers.size()) {
                RingPoller poller = pollers.get(announced++);
                maySleep &= poller.beforeSleep(sink);
                most = Math.min(most, poller.mostSleepNanos());
            }
            maySleep &= wakeUp.maySleep(pending);
            return maySleep ? report(block(most)) : 0;
        } finally {
            wakeUp.awake();
            while (announced > 0) {
                pollers.get(--announced).afterSleep();
            }
        }
    }

    private int block(long nanos) throws LinuxException {
        if (Thread.currentThread().isVirtual()) {
            return blockVirtually(nanos);
        }
        return set.await(found, millis(nanos));
    }

    private int blockVirtually(long nanos) throws LinuxException {
        if (Jdk.MONITORS_PIN) {
            // The monitors of the selector, which are part of its contract, keep the carrier.
            long begun = Compensation.begin();
            try {
                return set.await(found, millis(nanos));
            } finally {
                Compensation.end(begun);
            }
        }
        if (parker == null) {
            parker = FdParker.open(set.fd());
        }
        parker.await(nanos);
        return set.await(found, 0);
    }

    /** Rounded up, so that no wait ends before its time. */
    private static long millis(long nanos) {
        return nanos == Long.MAX_VALUE ? -1 : TimeUnit.NANOSECONDS.toMillis(nanos + 999_999);
    }

    /** Reports the events that the set returned; how many of them belong to kernel channels. */
    private int report(int count) throws PdException {
        int kernel = 0;
        for (int i = 0; i < count; i++) {
            long data = found.data(i);
            if (data == FLAG) {
                flag.drain();
            } else if (RingPoller.numberOf(data) == 0) {
                sink.kernel((int) data, found.events(i));
                kernel++;
            } else {
                happened(data);
            }
        }
        return kernel;
    }

    private void happened(long data) throws PdException {
        for (int i = 0; i < pollers.size(); i++) {
            if (pollers.get(i).number() == RingPoller.numberOf(data)) {
                pollers.get(i).happened((int) data);
                return;
            }
        }
    }

    /** Gives all descriptors back. No thread waits any more. */
    @Override
    public void close() {
        if (parker != null) {
            parker.close();
        }
        pollers.forEach(RingPoller::close);
        pollers.clear();
        flag.close();
        set.close();
    }
}
