// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Introductions by links for which no thread of the program waits: a thread of its own looks after them while there are
 * any. Thread safe.
 */
final class PendingIntroductions {
    /** How long the thread stays without anything to do. */
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ConcurrentHashMap<LinkIntroduction, Long> pending = new ConcurrentHashMap<>();

    /** Null while there is none; guarded by this object's monitor. */
    private Thread thread;

    /** Adds one, and withdraws it if it is not decided at a time of {@link System#nanoTime}. */
    void add(LinkIntroduction introduction, long untilNs) {
        pending.put(introduction, untilNs);
        synchronized (this) {
            if (thread == null) {
                Thread started = new Thread(this::run, "pd-meet");
                started.setDaemon(true);
                started.start();
                thread = started;
            }
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        try {
            long idleSinceNs = System.nanoTime();
            while (true) {
                long nowNs = System.nanoTime();
                if (lookAtAll(nowNs)) {
                    idleSinceNs = System.nanoTime();
                }
                if (!pending.isEmpty()) {
                    LinkIntroduction.pause(System.nanoTime() - idleSinceNs);
                } else if (mayEnd(idleSinceNs)) {
                    return;
                } else {
                    LockSupport.parkNanos(IDLE_NS);
                    idleSinceNs = pending.isEmpty() ? idleSinceNs : System.nanoTime();
                }
            }
        } finally {
            ended();
        }
    }

    /** This thread ends, perhaps by an error, after which a later call starts another one. */
    private synchronized void ended() {
        if (Thread.currentThread().equals(thread)) {
            thread = null;
        }
    }

    /** Whether anything was decided. */
    private boolean lookAtAll(long nowNs) {
        boolean any = false;
        for (Iterator<LinkIntroduction> all = pending.keySet().iterator(); all.hasNext(); ) {
            LinkIntroduction each = all.next();
            Long untilNs = pending.get(each);
            if (each.advance() || each.isLeftToDriver()) {
                all.remove();
                any = true;
            } else if (untilNs != null && nowNs - untilNs >= 0) {
                each.withdraw();
            }
        }
        return any;
    }

    private synchronized boolean mayEnd(long idleSinceNs) {
        if (pending.isEmpty() && System.nanoTime() - idleSinceNs > IDLE_NS) {
            thread = null;
            return true;
        }
        return false;
    }
}
