// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import io.pipedevice.linux.MemoryLimit;
import io.pipedevice.property.Quantity;
import io.pipedevice.property.SystemProperty;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the memory of the rings that this process sends from. Where the memory of a control group is used up,
 * fallocate(2) does not fail: the kernel kills a process of the group. So the bytes are counted before they are
 * allocated. The rings of peers are counted by their own processes.
 *
 * <p>The larger ring of a stream may take an eighth of what is free: the fuller the budget, the smaller the steps in
 * which rings grow, so that no connection keeps the others from growing. A stream whose ring does not grow continues in
 * the ring that it has. What is left at the end is for the first rings of other connections.
 *
 * <p>Thread safe: the state is guarded by this object's monitor, which is a leaf lock. It is taken where rings are
 * created and released, not where they are used.
 */
public final class RingBudget {
    /** Property: the most memory for rings, a size or a percentage of the memory that the process may have. */
    public static final String PROPERTY = "pipedevice.rings.max";

    private static final long MIN = 1 << 20;
    private static final String ALLOWED = "1m and more, with k, m or g, or 1% to 100% of the memory limit";

    /** The default part of the memory, as a divisor: most of it is for the heap and the program. */
    private static final int SHARE = 8;

    /** The default is at least this. */
    private static final long LEAST = 16 << 20;

    private static final int PERCENT = 100;

    /** The part of the free memory that a ring may take, as a divisor. */
    private static final int PART = 8;

    /** How long memory is free before those that wait for it are woken, so that they are woken together. */
    private static final long PAUSE_MS = 10;

    /** A stream that has found no memory for a larger ring. */
    @FunctionalInterface
    public interface Waiter {
        /** There may be memory now. Called once, by any thread, which must not wait. */
        void memoryIsBack();
    }

    /** Is notified of what happens to a budget. Called under its monitor; must not wait. */
    public interface Monitor {
        /**
         * The size of the budget; called first, and once.
         *
         * @param most in bytes
         */
        void most(long most);

        /**
         * The bytes that are in use have changed.
         *
         * @param change the difference, negative for fewer
         */
        void used(long change);

        /** A ring did not grow, or was not to be had. */
        void refused();
    }

    private static final Monitor SILENT = new Monitor() {
        @Override
        public void most(long most) {}

        @Override
        public void used(long change) {}

        @Override
        public void refused() {}
    };

    /** Created at the first use, because that reads the limits of control groups. */
    private static final class Holder {
        static final RingBudget PROCESS =
                created(new RingBudget(configured(System.getProperty(PROPERTY), MemoryLimit.ofProcess())));
    }

    /** The monitor of the process's budget, and the budget, null before its first use. Guarded by the class. */
    private static Monitor monitorOfProcess = SILENT;

    private static RingBudget process;

    private final long most;
    private final Executor later;
    private long used;

    /** The streams that wait, in the order in which they began to, with the smallest ring that helps each. */
    private final Map<Waiter, Long> waiters = new LinkedHashMap<>();

    /** At most the smallest of these rings. */
    private long smallest = Long.MAX_VALUE;

    /** Whether waiters will be woken soon. */
    private boolean scheduled;

    private Monitor monitor = SILENT;

    /**
     * Creates a budget of which nothing is in use.
     *
     * @param most in bytes
     */
    public RingBudget(long most) {
        this(most, null);
    }

    /** Creates a budget whose waiters an executor wakes; null for a thread of the JDK, after a pause. */
    RingBudget(long most, Executor later) {
        this.most = most;
        this.later = later;
    }

    /**
     * The budget of this process.
     *
     * @return the same object at each call
     */
    public static RingBudget process() {
        return Holder.PROCESS;
    }

    private static synchronized RingBudget created(RingBudget budget) {
        process = budget;
        budget.monitor(monitorOfProcess);
        return budget;
    }

    /**
     * Reports what happens to the budget of this process from now on, and what is in use now.
     *
     * @param next gets the changes
     */
    public static synchronized void monitorProcess(Monitor next) {
        monitorOfProcess = next;
        if (process != null) {
            process.monitor(next);
        }
    }

    /**
     * Checks the property.
     *
     * @throws IllegalArgumentException if its value is not allowed; the message names the property and the allowed
     *     values
     */
    public static void checkProperty() {
        configured(System.getProperty(PROPERTY), Long.MAX_VALUE);
    }

    /** The most bytes, by the value of the property, or null, and the memory that the process may have. */
    static long configured(String text, long memory) {
        if (text == null) {
            return Math.max(memory / SHARE, LEAST);
        }
        try {
            String value = text.strip();
            if (value.endsWith("%")) {
                int percent = Integer.parseInt(value.substring(0, value.length() - 1));
                if (percent >= 1 && percent <= PERCENT) {
                    return Math.max(memory / PERCENT * percent, MIN);
                }
            } else if (Quantity.size(value) >= MIN) {
                return Quantity.size(value);
            }
        } catch (NumberFormatException e) {
            throw SystemProperty.refused(PROPERTY, text, ALLOWED, e);
        }
        throw SystemProperty.refused(PROPERTY, text, ALLOWED);
    }

    /**
     * The size of the budget.
     *
     * @return in bytes
     */
    public long most() {
        return most;
    }

    /**
     * The bytes in use. Rings that must not be refused can make them more than {@link #most}.
     *
     * @return 0 or more
     */
    public synchronized long used() {
        return used;
    }

    /** Reports changes from now on, and what is in use now. */
    synchronized void monitor(Monitor next) {
        monitor.used(-used);
        monitor = next;
        monitor.most(most);
        monitor.used(used);
    }

    /**
     * Whether a ring of a stream may be that large now.
     *
     * @param bytes of the ring
     * @return false if {@link #takePart} would yield a smaller one
     */
    public synchronized boolean permits(long bytes) {
        return bytes <= (most - used) / PART;
    }

    /**
     * Takes the bytes of the larger ring of a stream: the wanted ones, or a half, a quarter and so on of them.
     *
     * @param wanted how many
     * @param least how many are of use
     * @param waiter is notified when there may be as many again, if there are not; may be null
     * @return how many were taken; 0 if fewer than the least are left for this ring
     */
    public synchronized long takePart(long wanted, long least, Waiter waiter) {
        for (long bytes = wanted; bytes >= least; bytes >>= 1) {
            if (permits(bytes)) {
                add(bytes);
                return bytes;
            }
        }
        monitor.refused();
        if (waiter != null) {
            waiters.put(waiter, least);
            smallest = Math.min(smallest, least);
        }
        return 0;
    }

    /**
     * Takes bytes for which there is no substitute, as long as there are any.
     *
     * @param bytes how many
     * @return false if there are not so many
     */
    public synchronized boolean take(long bytes) {
        if (bytes > most - used) {
            monitor.refused();
            return false;
        }
        add(bytes);
        return true;
    }

    /**
     * Counts bytes that must not be refused.
     *
     * @param bytes how many
     */
    public synchronized void add(long bytes) {
        used += bytes;
        monitor.used(bytes);
    }

    /**
     * Gives bytes back.
     *
     * @param bytes how many
     */
    public synchronized void release(long bytes) {
        assert bytes >= 0 && bytes <= used : bytes + " of " + used;
        used -= bytes;
        monitor.used(-bytes);
        wakeSoon();
    }

    /**
     * A stream waits no more.
     *
     * @param waiter that may wait
     */
    public synchronized void forget(Waiter waiter) {
        waiters.remove(waiter);
    }

    private void wakeSoon() {
        if (scheduled || waiters.isEmpty() || !permits(smallest)) {
            return;
        }
        scheduled = true;
        try {
            Executor executor = later == null
                    ? CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS, Runnable::run)
                    : later;
            executor.execute(this::wake);
        } catch (RuntimeException | Error e) {
            // No thread can be created for it. The next bytes that are given back try again.
            scheduled = false;
        }
    }

    /** Wakes those that find memory now, in the order in which they began to wait. */
    private void wake() {
        List<Waiter> woken = new ArrayList<>();
        synchronized (this) {
            scheduled = false;
            smallest = Long.MAX_VALUE;
            long expected = 0;
            for (Iterator<Map.Entry<Waiter, Long>> each = waiters.entrySet().iterator(); each.hasNext(); ) {
                Map.Entry<Waiter, Long> next = each.next();
                if (permits(next.getValue() + expected / PART)) {
                    expected += next.getValue();
                    woken.add(next.getKey());
                    each.remove();
                } else {
                    smallest = Math.min(smallest, next.getValue());
                }
            }
            // Some of those woken may need none any more.
            wakeSoon();
        }
        woken.forEach(Waiter::memoryIsBack);
    }

    /**
     * Why bytes are refused.
     *
     * @return for messages; names the property
     */
    public String whyRefused() {
        return "the rings of this process have the " + (most >> 20) + " MB that they may have (" + PROPERTY + ")";
    }
}
