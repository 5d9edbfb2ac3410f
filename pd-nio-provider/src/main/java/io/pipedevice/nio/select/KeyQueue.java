// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** A queue of keys that have changed. Any thread adds to it, the selecting thread takes from it. */
final class KeyQueue {
    private final AtomicReference<Link> head = new AtomicReference<>();

    /** A key's place in one queue. */
    static final class Link {
        final PdSelectionKey key;
        private final AtomicBoolean queued = new AtomicBoolean();
        private Link next;

        Link(PdSelectionKey key) {
            this.key = key;
        }
    }

    /** Adds a key, unless it is queued already. The caller has published the change before. */
    void add(Link link) {
        if (!link.queued.compareAndSet(false, true)) {
            return;
        }
        Link next;
        do {
            next = head.get();
            link.next = next;
        } while (!head.compareAndSet(next, link));
    }

    /** Adds a key whose change must wake the selecting thread; whether the caller must raise that thread's flag. */
    boolean add(Link link, WakeUp selecting) {
        add(link);
        // In this order: a thread that goes to sleep announces that, and then checks whether this queue is empty.
        return selecting.isAsleep();
    }

    boolean isEmpty() {
        return head.get() == null;
    }

    /** Takes all keys; {@link #next} walks through them. */
    Link takeAll() {
        return isEmpty() ? null : head.getAndSet(null);
    }

    /** Queues a key that was taken, and those that follow it, again. */
    void giveBack(Link taken, Link following) {
        add(taken);
        Link link = following;
        while (link != null) {
            Link each = link;
            link = next(each);
            add(each);
        }
    }

    /**
     * Takes a key off the list before the caller reads it, so that later changes queue it again. Returns the next one.
     */
    static Link next(Link link) {
        Link next = link.next;
        link.next = null;
        link.queued.set(false);
        return next;
    }
}
