// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import java.util.concurrent.atomic.AtomicReference;

/** The sources that other threads want an epoll instance to look at. Thread safe. */
final class PeerQueue {
    private final AtomicReference<PeerEntry> head = new AtomicReference<>();

    /** Adds an entry; false if it is there already. */
    boolean add(PeerEntry entry) {
        if (!entry.queued.compareAndSet(false, true)) {
            return false;
        }
        PeerEntry next;
        do {
            next = head.get();
            entry.nextQueued = next;
        } while (!head.compareAndSet(next, entry));
        return true;
    }

    boolean isEmpty() {
        return head.get() == null;
    }

    /** Takes all out, and makes them hot. Belongs to the waiting thread. */
    void drainTo(HotEntries hot) {
        if (isEmpty()) {
            return;
        }
        PeerEntry entry = head.getAndSet(null);
        while (entry != null) {
            PeerEntry next = entry.nextQueued;
            entry.nextQueued = null;
            // In this order: who finds it not queued from now on queues it again, for a look after this one.
            entry.queued.set(false);
            hot.add(entry);
            entry = next;
        }
    }
}
