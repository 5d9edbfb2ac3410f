// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import java.util.concurrent.atomic.AtomicReference;

/** The entries that other threads want a wait to look at. An entry is in one queue at most. */
public final class EntryQueue {
    private final AtomicReference<WaitEntry> head = new AtomicReference<>();

    /** Creates an empty queue. */
    public EntryQueue() {}

    /**
     * Adds an entry. Any thread.
     *
     * @param entry of the wait that this queue belongs to
     * @return false if it is there already
     */
    public boolean add(WaitEntry entry) {
        if (!entry.queued.compareAndSet(false, true)) {
            return false;
        }
        WaitEntry next;
        do {
            next = head.get();
            entry.nextQueued = next;
        } while (!head.compareAndSet(next, entry));
        return true;
    }

    /**
     * Whether there is nothing to look at. Any thread.
     *
     * @return whether no entry is here
     */
    public boolean isEmpty() {
        return head.get() == null;
    }

    /**
     * Takes all out, and makes them active. Belongs to the waiting thread.
     *
     * @param active the same wait's
     */
    public void drainTo(ActiveEntries active) {
        if (isEmpty()) {
            return;
        }
        WaitEntry entry = head.getAndSet(null);
        while (entry != null) {
            WaitEntry next = entry.nextQueued;
            entry.nextQueued = null;
            // In this order: a thread that finds it not queued from now on queues it again, for a look after this one.
            entry.queued.set(false);
            active.add(entry);
            entry = next;
        }
    }
}
