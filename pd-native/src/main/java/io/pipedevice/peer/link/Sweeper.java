// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LimitedLog;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Sweeps links about once a second, while they hold resources that they can give back when their peers permit it. One
 * thread sweeps all links, and exists only while one is due. Thread safe; the calling thread may hold a link's lock.
 */
public final class Sweeper {
    private static final LazyLogger LOG = new LazyLogger(Sweeper.class);
    private static final LimitedLog NOT_SWEPT = LimitedLog.error(Sweeper.class, "a link cannot be swept");
    private static final long INTERVAL_MS = TimeUnit.SECONDS.toMillis(1);

    /** The most turns of messages that one sweep reads from a link; the rest stays in the socket for the next sweep. */
    private static final int MOST_TURNS = 16;

    private final long intervalMillis;
    private final ThreadFactory factory;

    /** A link to sweep. Thread safe. */
    interface Swept {
        /**
         * Gives back the resources that neither this side nor the peer needs any more. Called by the sweeper's thread.
         *
         * @return whether there may be messages to {@link #receiveMessages}
         */
        boolean sweep();

        /**
         * Reads a turn of messages. Called by the sweeper's thread.
         *
         * @return whether there may be more
         */
        boolean receiveMessages();

        /** Requests another sweep. False if no thread can be started for it. */
        boolean sweepSoon();
    }

    /** The links to sweep next. This field and the next one are guarded by this object's monitor. */
    private Set<Swept> due = new HashSet<>();

    /** Whether the thread runs and has not yet found that nothing is due. */
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

    /** Has a link swept once, soon. False if no thread can be started for it, which is not an error. */
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
                // No other thread should interrupt this one. A sweep that comes too early does no harm.
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
            unread.removeIf(link -> !sweep(link, Swept::receiveMessages));
        }
        unread.forEach(Swept::sweepSoon);
    }

    /** Takes the links that are due; the thread ends if there are none. */
    private synchronized List<Swept> takeDue() {
        List<Swept> links = new ArrayList<>(due);
        // A new set, so that the capacity for many links is not kept.
        due = new HashSet<>();
        running = !links.isEmpty();
        return links;
    }

    /** Sweeps one link; its error does not keep the others from being swept. */
    private static boolean sweep(Swept link, Predicate<Swept> turn) {
        try {
            return turn.test(link);
        } catch (RuntimeException | Error e) {
            NOT_SWEPT.log(e);
            return false;
        }
    }
}
