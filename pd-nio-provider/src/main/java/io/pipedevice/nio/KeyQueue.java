// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** Keys that a selector has to look at because something about them changed. Any thread adds, the selecting one takes. */
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

    /** Adds a key, unless it is there already. What changed was published before. */
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

    /** Adds a key that the selecting thread must not sleep without; whether its flag must be raised. */
    boolean add(Link link, WakeUp selecting) {
        add(link);
        // In this order: who goes to sleep says so, and then looks whether this is empty.
        return selecting.isAsleep();
    }

    boolean isEmpty() {
        return head.get() == null;
    }

    /** Takes all; {@link #next} walks through them. */
    Link takeAll() {
        return isEmpty() ? null : head.getAndSet(null);
    }

    /** Gives back a key that was taken, and those that follow it, for whoever looks next. */
    void giveBack(Link taken, Link following) {
        add(taken);
        Link link = following;
        while (link != null) {
            Link each = link;
            link = next(each);
            add(each);
        }
    }

    /** Leaves a taken key, before it is looked at: changes from now on queue it again. Returns the one that follows. */
    static Link next(Link link) {
        Link next = link.next;
        link.next = null;
        link.queued.set(false);
        return next;
    }
}
