// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.wait.FairTimeout;
import io.pipedevice.wait.Later;
import io.pipedevice.wait.OnDemandThread;
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

    /** After this time another attempt is made to start the thread. */
    private static final long RETRY_MS = 10;

    private final ConcurrentHashMap<LinkIntroduction, FairTimeout> pending = new ConcurrentHashMap<>();
    private final OnDemandThread thread = new OnDemandThread("pd-meet", this::turn, this::isIdle);

    /** When one was added or decided last. */
    private volatile long changedNs;

    /** Adds one, and withdraws it if it is not decided in time. */
    void add(LinkIntroduction introduction, FairTimeout timeout) {
        changedNs = System.nanoTime();
        pending.put(introduction, timeout);
        begin();
    }

    private void begin() {
        if (!thread.begin()) {
            Later.after(RETRY_MS, TimeUnit.MILLISECONDS, this::begin);
        }
    }

    private boolean isIdle() {
        return pending.isEmpty() && System.nanoTime() - changedNs > IDLE_NS;
    }

    private void turn() {
        if (pending.isEmpty()) {
            LockSupport.parkNanos(IDLE_NS);
            return;
        }
        long nowNs = System.nanoTime();
        if (lookAtAll(nowNs)) {
            changedNs = nowNs;
        }
        if (!pending.isEmpty()) {
            AnswerPauses.pause(nowNs - changedNs);
        }
    }

    /** Whether anything was decided. */
    private boolean lookAtAll(long nowNs) {
        boolean any = false;
        for (Iterator<LinkIntroduction> all = pending.keySet().iterator(); all.hasNext(); ) {
            LinkIntroduction each = all.next();
            FairTimeout timeout = pending.get(each);
            if (each.advance() || each.isLeftToDriver()) {
                all.remove();
                any = true;
            } else if (timeout != null && timeout.isOver(nowNs)) {
                each.withdraw();
            }
        }
        return any;
    }
}
