// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.LazyLogger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Has links swept about once a second, while they have something that their peers may let them give back. One thread sweeps
 * all of them, and exists only meanwhile. Thread safe; the calling thread may hold a link's lock.
 */
public final class Sweeper {
    private static final LazyLogger LOG = new LazyLogger(Sweeper.class);
    private static final long INTERVAL_MS = TimeUnit.SECONDS.toMillis(1);

    /** Turns of messages that a sweep reads of a link at most; the rest waits in the socket for the next sweep. */
    private static final int MOST_TURNS = 16;

    private final long intervalMillis;
    private final ThreadFactory factory;

    /** A link as it is swept. Thread safe. */
    interface Swept {
        /**
         * Gives back what is not needed any more, as far as the peer is ready for it. The sweeper's thread.
         *
         * @return whether there may be messages to {@link #hear}
         */
        boolean sweep();

        /**
         * Reads a turn of messages. The sweeper's thread.
         *
         * @return whether there may be more
         */
        boolean hear();

        /** Has itself swept soon. False if there is no thread for it. */
        boolean sweepSoon();
    }

    /** Guarded by this object's monitor, as is what follows. */
    private Set<Swept> due = new HashSet<>();

    /** Whether there is the thread, which has not found out that nothing is due. */
    private boolean running;

    /** Creates a sweeper that starts a daemon thread when it has work. */
    public Sweeper() {
        this(INTERVAL_MS, new Daemons());
    }

    Sweeper(long intervalMillis, ThreadFactory factory) {
        this.intervalMillis = intervalMillis;
        this.factory = factory;
    }

    private static final class Daemons implements ThreadFactory {
        @Override
        public Thread newThread(Runnable task) {
            Thread thread = Thread.ofPlatform()
                    .name("pd-sweep")
                    .daemon()
                    .inheritInheritableThreadLocals(false)
                    .unstarted(task);
            thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
            return thread;
        }
    }

    /** Has a link swept once, soon. False if this process can have no thread for it, which is no error. */
    synchronized boolean later(Swept link) {
        if (!running && !start()) {
            return false;
        }
        due.add(link);
        return true;
    }

    private boolean start() {
        try {
            factory.newThread(this::run).start();
            running = true;
        } catch (RuntimeException | Error e) {
            LOG.get().log(Level.DEBUG, "no thread to sweep links: {0}", e.toString());
        }
        return running;
    }

    private void run() {
        List<Swept> links = List.of();
        do {
            try {
                Thread.sleep(intervalMillis);
            } catch (InterruptedException e) {
                // Nobody has this thread's to interrupt; swept once too early, a link takes no harm.
                LOG.get().log(Level.DEBUG, "interrupted", e);
            }
            links = takeDue();
            sweep(links);
        } while (!links.isEmpty());
    }

    /** Links take turns, so that one with many messages does not delay the others. */
    private static void sweep(List<Swept> links) {
        List<Swept> unread = new ArrayList<>(links);
        unread.removeIf(link -> !sweep(link, Swept::sweep));
        for (int turn = 1; turn < MOST_TURNS && !unread.isEmpty(); turn++) {
            unread.removeIf(link -> !sweep(link, Swept::hear));
        }
        unread.forEach(Swept::sweepSoon);
    }

    /** What is due by now; the thread ends when that is nothing. */
    private synchronized List<Swept> takeDue() {
        List<Swept> links = new ArrayList<>(due);
        // A new one, so that a moment with many links leaves nothing behind.
        due = new HashSet<>();
        running = !links.isEmpty();
        return links;
    }

    /** An error of one does not keep the others from being swept. */
    private static boolean sweep(Swept link, Predicate<Swept> turn) {
        try {
            return turn.test(link);
        } catch (RuntimeException | Error e) {
            LOG.get().log(Level.ERROR, "a link cannot be swept", e);
            return false;
        }
    }
}
