// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import java.util.concurrent.atomic.AtomicReference;

/** The entries that the waiting thread is to look at, added by other threads. An entry is in one queue at most. */
public final class EntryQueue {
    private final AtomicReference<WaitEntry> head = new AtomicReference<>();

    /** Creates an empty queue. */
    public EntryQueue() {}

    /**
     * Adds an entry. Any thread.
     *
     * @param entry of this queue's wait
     * @return false if it is in the queue already
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
     * Whether the queue is empty. Any thread.
     *
     * @return whether there is no entry
     */
    public boolean isEmpty() {
        return head.get() == null;
    }

    /**
     * Removes all entries, and makes them active. Belongs to the waiting thread.
     *
     * @param active of the same wait
     */
    public void drainTo(ActiveEntries active) {
        if (isEmpty()) {
            return;
        }
        WaitEntry entry = head.getAndSet(null);
        while (entry != null) {
            WaitEntry next = entry.nextQueued;
            entry.nextQueued = null;
            // In this order: a thread that calls add from now on queues the entry again, for a look after this one.
            entry.queued.set(false);
            active.add(entry);
            entry = next;
        }
    }
}
