// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.linux.Epoll;
import io.pipedevice.wait.SpinPolicy;
import java.util.function.BooleanSupplier;

/**
 * A {@link PdEpoll} as part of a wider wait. Each round of the caller's begins with {@link #look}. Where there is nothing
 * it calls {@link #beforeSleep}, waits for its own set if that says so, reports to {@link #happened} which of this part's
 * descriptors it found, and calls {@link #afterSleep}.
 *
 * <p>When the driver is gone the caller's wait ends, and from then on every socket is reported that is watched for
 * something.
 *
 * <p>Used by one thread at a time. Whoever joined closes it.
 */
public final class PdEpollPart implements AutoCloseable {
    /** How many descriptors a part has. */
    public static final int DESCRIPTORS = ThreadWaiter.DESCRIPTORS;

    private final PdEpoll epoll;
    private final Epoll set;
    private final SpinPolicy.Look look = this::hasNewsOrOther;
    private BooleanSupplier other;
    private boolean driverGone;
    private boolean closed;

    PdEpollPart(PdEpoll epoll, Epoll set) {
        this.epoll = epoll;
        this.set = set;
    }

    /**
     * Looks for ready sockets, in memory.
     *
     * @param events receives what was found; cleared first
     * @return how many sockets have events
     */
    public int look(PdEvents events) {
        events.clear();
        try {
            noticeDriver();
            return epoll.look(events);
        } catch (PdException e) {
            // The driver is gone, as this look found out; the next one reports every socket.
            return events.count();
        } catch (IllegalStateException e) {
            return released(e);
        }
    }

    /**
     * Whether the next look is likely to find something.
     *
     * @return whether there was news
     */
    public boolean hasNews() {
        return epoll.hasNews();
    }

    /**
     * Whether a socket was active since the last sleep, so that it is worth while to {@link #spin}.
     *
     * @return whether there are sockets that are looked at in memory
     */
    public boolean wasActive() {
        return epoll.hasActive();
    }

    /**
     * Whether the driver is gone.
     *
     * @return true when a look or a wait has found out
     */
    public boolean isDriverGone() {
        return driverGone;
    }

    /**
     * Looks for news for as long as a wake-up costs, if a socket was active since the last sleep.
     *
     * @param orElse something else to look at, in memory
     * @return whether there was news, of this part or of something else
     */
    public boolean spin(BooleanSupplier orElse) {
        if (!epoll.hasActive()) {
            return false;
        }
        other = orElse;
        try {
            return epoll.spin(look, Long.MAX_VALUE);
        } catch (IllegalStateException e) {
            return released(e) == 0;
        }
    }

    private boolean hasNewsOrOther() {
        return epoll.hasNews() || other.getAsBoolean();
    }

    /**
     * Announces that the caller is going to sleep, and looks once more.
     *
     * @param events receives what was found; cleared first
     * @return whether the caller may sleep: there is no news
     */
    public boolean beforeSleep(PdEvents events) {
        events.clear();
        try {
            return epoll.beforeSleep(events) && epoll.isDriverGone() == driverGone;
        } catch (PdException e) {
            return false;
        } catch (IllegalStateException e) {
            return released(e) != 0;
        }
    }

    /** Ends what {@link #beforeSleep} began. */
    public void afterSleep() {
        epoll.afterSleep();
    }

    /**
     * Tells that the caller's wait found one of this part's descriptors.
     *
     * @param descriptor 0 to {@link #DESCRIPTORS}, exclusive
     */
    public void happened(int descriptor) {
        try {
            epoll.waiter().happened(descriptor);
        } catch (PdException e) {
            noticeDriver();
        }
    }

    private void noticeDriver() {
        if (!driverGone && epoll.isDriverGone()) {
            driverGone = true;
            // They would end every wait from now on.
            epoll.waiter().part(set);
            epoll.enqueueAll();
        }
    }

    /** The whole {@link PipeDevice} was closed under this part, which has no sockets any more. */
    private int released(IllegalStateException e) {
        if (!epoll.isDriverGone()) {
            throw e;
        }
        return 0;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            epoll.waiter().part(set);
            epoll.exit();
        }
    }
}
