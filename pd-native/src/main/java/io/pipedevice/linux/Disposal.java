// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Closes descriptors that come from other processes, on threads that may block. close(2) of a foreign descriptor can
 * block for as long as its sender wants: for example a TCP socket with SO_LINGER whose peer reads nothing, or a file of
 * a file system in user space. Such a descriptor may also be hidden in a socket: closing the socket closes descriptors
 * that were sent there and not received. Threads that serve others must never wait for either.
 *
 * <p>Closings have an {@link #account} by the user or the process that the descriptors come from. The closings of one
 * account use {@value #THREADS_OF_ONE} threads at most; its other closings wait behind these, and do not delay those of
 * other accounts. A waiting closing still occupies its descriptor. So when an account {@link Account#isFull is full},
 * its source should not be served any more. While {@link #isFull this is full}, no new process should be served.
 *
 * <p>Idle threads end after a while. Thread safe.
 */
public final class Disposal implements DescriptorCloser, AutoCloseable {
    /** Most closings of one account that run at once. */
    static final int THREADS_OF_ONE = 4;

    private static final LazyLogger LOG = new LazyLogger(Disposal.class);
    private static final LimitedLog NOT_CLOSED = LimitedLog.warning(Disposal.class, "cannot close {0}");
    private static final int THREADS = 64;

    /**
     * When this many threads are blocked, no new process is to be served. The other threads are for processes that
     * already are.
     */
    private static final int MOST_BLOCKED = 48;

    /** A closing that takes longer counts as blocking its thread. */
    private static final long BLOCKED_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * The reciprocal of the share of this process's descriptors that may wait to be closed. One account may use half of
     * that share,
     */
    private static final int SHARE_OF_DESCRIPTORS = 4;

    /** or, when the share is used up, a sixteenth of it. */
    private static final int CROWDED_SHARE = 16;

    private static final int FEWEST = 64;
    private static final int MOST = 4096;
    private static final long IDLE_S = 1;
    private static final long CLOSE_PATIENCE_MS = 200;

    private final ThreadPoolExecutor threads;
    private final int most;

    /** The accounts that have something to close. The map is the lock that guards them and the count. */
    private final Map<Object, Closings> accounts = new HashMap<>();

    private int underWay;

    /** Receives the changes of the count; may be null; guarded likewise. */
    private IntConsumer monitor;

    private static final class Daemons implements ThreadFactory {
        @Override
        public Thread newThread(Runnable task) {
            Thread thread = new Thread(task, "pd-disposal");
            thread.setDaemon(true);
            return thread;
        }
    }

    /** The closings of one account. Guarded by the map of accounts. */
    private static final class Closings {
        final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

        /** When the running closings began; 0 for none. */
        final long[] since = new long[THREADS_OF_ONE];

        int count;

        int freeRunner() {
            for (int i = 0; i < since.length; i++) {
                if (since[i] == 0) {
                    return i;
                }
            }
            return -1;
        }
    }

    /** Creates an instance without threads. */
    public Disposal() {
        this(new Daemons());
    }

    /**
     * Creates an instance without threads.
     *
     * @param factory creates its threads
     */
    public Disposal(ThreadFactory factory) {
        this(factory, shareOfDescriptors());
    }

    Disposal(ThreadFactory factory, int most) {
        this.most = most;
        threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        threads.allowCoreThreadTimeOut(true);
    }

    private static int shareOfDescriptors() {
        try {
            long share = ProcessFacts.openFilesLimit(0) / SHARE_OF_DESCRIPTORS;
            return (int) Math.min(Math.max(share, FEWEST), MOST);
        } catch (IOException e) {
            return FEWEST;
        }
    }

    /** The closings of one user or process. */
    public final class Account implements DescriptorCloser {
        private final Object owner;

        private Account(Object owner) {
            this.owner = owner;
        }

        @Override
        public void close(AutoCloseable stranger) {
            close(stranger, () -> {});
        }

        /**
         * Closes something soon.
         *
         * @param stranger the object to close
         * @param afterwards runs when that is done, as a rule on another thread
         */
        public void close(AutoCloseable stranger, Runnable afterwards) {
            Runnable task = () -> {
                closeNow(stranger);
                afterwards.run();
            };
            int runner;
            synchronized (accounts) {
                changed(1);
                Closings closings = accounts.computeIfAbsent(owner, key -> new Closings());
                closings.count++;
                runner = closings.freeRunner();
                if (runner >= 0) {
                    closings.since[runner] = now();
                } else {
                    closings.waiting.add(task);
                }
            }
            if (runner >= 0) {
                int free = runner;
                execute(() -> runAll(free, task));
            }
        }

        /** Closes, on one thread, until no closing of the account waits. */
        private void runAll(int runner, Runnable first) {
            Runnable task = first;
            while (task != null) {
                try {
                    task.run();
                } finally {
                    task = next(runner);
                }
            }
        }

        /** Ends a closing; returns the next one for its thread, or null. */
        private Runnable next(int runner) {
            synchronized (accounts) {
                changed(-1);
                Closings closings = accounts.get(owner);
                Runnable next = closings.waiting.poll();
                closings.since[runner] = next == null ? 0 : now();
                if (--closings.count == 0) {
                    accounts.remove(owner);
                }
                return next;
            }
        }

        @Override
        public boolean isFull() {
            synchronized (accounts) {
                Closings closings = accounts.get(owner);
                int limit = underWay >= most ? most / CROWDED_SHARE : most / 2;
                return closings != null && closings.count >= limit;
            }
        }
    }

    /** The caller holds the lock, the map of accounts. */
    private void changed(int more) {
        underWay += more;
        if (monitor != null) {
            monitor.accept(more);
        }
    }

    private static long now() {
        return System.nanoTime() | 1;
    }

    /**
     * The account of a user or a process.
     *
     * @param owner equal to that of other calls for the same one
     * @return the account, which need not be kept
     */
    public Account account(Object owner) {
        return new Account(owner);
    }

    /** A user whose closings have an account of their own. */
    private record User(int uid) {}

    /**
     * The account of a user, separate from those of its processes.
     *
     * @param uid as the kernel reports it
     * @return the account, which need not be kept
     */
    public Account accountOfUser(int uid) {
        return account(new User(uid));
    }

    /**
     * Sets the receiver of changes of {@link #underWay}.
     *
     * @param changes gets the difference, negative for a decrease; called by any thread, with a lock held
     */
    public void monitor(IntConsumer changes) {
        synchronized (accounts) {
            monitor = changes;
        }
    }

    /**
     * The number of descriptors of all accounts that are being closed or wait for that.
     *
     * @return 0 or more
     */
    public int underWay() {
        synchronized (accounts) {
            return underWay;
        }
    }

    /**
     * Whether no new process should be served, because too many descriptors of all accounts wait to be closed, or too
     * many threads are blocked.
     */
    @Override
    public boolean isFull() {
        synchronized (accounts) {
            return underWay >= most || (underWay >= MOST_BLOCKED && blocked() >= MOST_BLOCKED);
        }
    }

    private int blocked() {
        assert Thread.holdsLock(accounts);
        long now = System.nanoTime();
        int blocked = 0;
        for (Closings closings : accounts.values()) {
            for (long since : closings.since) {
                blocked += since != 0 && now - since > BLOCKED_NS ? 1 : 0;
            }
        }
        return blocked;
    }

    /**
     * Closes an object soon, without an account. Closes it on the calling thread if the process cannot create a thread;
     * that is not an error.
     *
     * @param stranger the object to close
     * @param afterwards runs when that is done, as a rule on another thread
     */
    public void close(AutoCloseable stranger, Runnable afterwards) {
        execute(() -> {
            closeNow(stranger);
            afterwards.run();
        });
    }

    private void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.get().log(Level.DEBUG, "left to the kernel to close: {0}", task);
        } catch (RuntimeException | Error e) {
            LOG.get().log(Level.DEBUG, "no thread to close unwanted descriptors: {0}", e.toString());
            leave(task);
        }
    }

    /** Queues a task for an existing thread, because a new one could not be created. Runs it here if there is none. */
    private void leave(Runnable task) {
        threads.getQueue().add(task);
        if (threads.getPoolSize() == 0 && threads.getQueue().remove(task)) {
            task.run();
        }
    }

    @Override
    public void close(AutoCloseable stranger) {
        close(stranger, () -> {});
    }

    private static void closeNow(AutoCloseable stranger) {
        try {
            stranger.close();
        } catch (Exception e) {
            NOT_CLOSED.log(e, stranger);
        }
    }

    /** Waits a moment for the running closings, and leaves those that take longer to their threads. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                LOG.get()
                        .log(
                                Level.WARNING,
                                "descriptors of other processes are still being closed: {0}",
                                threads.getQueue().size() + threads.getActiveCount());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
