// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.util.concurrent.atomic.AtomicReference;

/** The sockets that other threads, or the driver, want an epoll instance to look at. Thread safe. */
final class EpollQueue {
    private final AtomicReference<EpollEntry> head = new AtomicReference<>();

    /** Adds an entry; false if it is there already. */
    boolean add(EpollEntry entry) {
        if (!entry.queued.compareAndSet(false, true)) {
            return false;
        }
        EpollEntry next;
        do {
            next = head.get();
            entry.nextQueued = next;
        } while (!head.compareAndSet(next, entry));
        return true;
    }

    boolean isEmpty() {
        return head.get() == null;
    }

    /** Takes all out, and makes candidates of them. Belongs to the waiting thread. */
    void drainTo(EpollCandidates candidates) {
        if (isEmpty()) {
            return;
        }
        EpollEntry entry = head.getAndSet(null);
        while (entry != null) {
            EpollEntry next = entry.nextQueued;
            entry.nextQueued = null;
            // In this order: who finds it not queued from now on queues it again, for a look after this one.
            entry.queued.set(false);
            entry.looksInVain = 0;
            if (!entry.candidate && !entry.removed) {
                candidates.add(entry);
            }
            entry = next;
        }
    }
}
