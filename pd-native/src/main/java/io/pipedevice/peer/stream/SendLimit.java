// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.wait.Later;
import io.pipedevice.wait.TokenBucket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The rate at which the connections of all links of a network may send together. Thread safe: the state is guarded by
 * this object's monitor, which no thread takes while there is no limit.
 *
 * <p>An end of a connection that may not send now is registered under the same monitor under which that was found out.
 * So either the end of the pause finds it and wakes it, or it has seen the end of the pause. A thread that sleeps for
 * room has armed before it asks ({@link #permits}), so that it is woken.
 */
public final class SendLimit {
    /** No limit, for good. */
    public static final SendLimit NONE = new SendLimit();

    /** Runs a task after a time. */
    @FunctionalInterface
    interface Timer {
        void after(long nanos, Runnable task);
    }

    private final LongSupplier clock;
    private final Timer timer;

    /** Whether there is a limit. Set under the monitor; any thread reads it. */
    private volatile boolean limited;

    /** Null without a limit. This and the fields below are guarded by this object's monitor. */
    private TokenBucket tokens;

    private long bytesPerSecond;

    /** The ends to wake at the end of the pause. */
    private final Set<RingLink.End> denied = new LinkedHashSet<>();

    /** The number of the timer that counts; earlier ones do nothing when they end. */
    private long timers;

    /** Whether that timer runs. */
    private boolean timed;

    /** Creates an object without a limit. */
    public SendLimit() {
        this(System::nanoTime, (nanos, task) -> Later.after(nanos, TimeUnit.NANOSECONDS, task));
    }

    SendLimit(LongSupplier clock, Timer timer) {
        this.clock = clock;
        this.timer = timer;
    }

    /**
     * Changes the rate, at once.
     *
     * @param most bytes per second; 0 or less for no limit
     */
    public void rate(long most) {
        List<RingLink.End> waiting;
        synchronized (this) {
            long now = Math.max(most, 0);
            if (now == bytesPerSecond) {
                return;
            }
            bytesPerSecond = now;
            tokens = now == 0 ? null : new TokenBucket(now, clock.getAsLong());
            limited = now != 0;
            waiting = takeDenied();
        }
        wake(waiting);
    }

    /** How many of the wanted bytes may be sent now. Takes none. */
    int allowed(int wanted) {
        return limited ? (int) allowedOf(wanted) : wanted;
    }

    private synchronized long allowedOf(long wanted) {
        return tokens == null ? wanted : Math.min(wanted, tokens.available(clock.getAsLong()));
    }

    /** Takes at most the wanted bytes, which are sent then. Returns their number. */
    int take(int wanted) {
        return limited ? takeOf(wanted) : wanted;
    }

    private synchronized int takeOf(int wanted) {
        int taken = (int) allowedOf(wanted);
        if (tokens != null) {
            tokens.take(taken);
        }
        return taken;
    }

    /** Takes all the bytes of a block, if anything may be sent now. False if nothing may. */
    boolean takeAll(int bytes) {
        return !limited || takeAllOf(bytes);
    }

    private synchronized boolean takeAllOf(int bytes) {
        if (allowedOf(1) == 0) {
            return false;
        }
        if (tokens != null) {
            tokens.take(bytes);
        }
        return true;
    }

    /** Whether an end may send now. If not, it is woken when it may. A thread that then sleeps has armed before. */
    boolean permits(RingLink.End end) {
        return !limited || permitsOf(end);
    }

    private synchronized boolean permitsOf(RingLink.End end) {
        if (allowedOf(1) > 0) {
            return true;
        }
        denied.add(end);
        time();
        return false;
    }

    /** A closed end is woken no more. */
    void forget(RingLink.End end) {
        if (limited) {
            synchronized (this) {
                denied.remove(end);
            }
        }
    }

    /** Starts the timer of the pause, unless it runs. */
    private void time() {
        if (!timed) {
            timed = true;
            long number = ++timers;
            timer.after(tokens.delayNs(clock.getAsLong()), () -> ended(number));
        }
    }

    /** A timer has ended. */
    private void ended(long number) {
        List<RingLink.End> waiting;
        synchronized (this) {
            if (number != timers) {
                return;
            }
            timed = false;
            if (allowedOf(1) == 0) {
                if (!denied.isEmpty()) {
                    time();
                }
                return;
            }
            waiting = takeDenied();
        }
        wake(waiting);
    }

    /** The ends to wake. The timer that runs does not count any more. */
    private List<RingLink.End> takeDenied() {
        List<RingLink.End> waiting = new ArrayList<>(denied);
        denied.clear();
        timers++;
        timed = false;
        return waiting;
    }

    /** Wakes ends, without the monitor: what they run may ask again. */
    private static void wake(List<RingLink.End> waiting) {
        waiting.forEach(RingLink.End::wake);
    }
}
