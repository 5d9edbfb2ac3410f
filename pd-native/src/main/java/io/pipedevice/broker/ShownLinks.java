// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import io.pipedevice.peer.link.MeteredLink;
import io.pipedevice.wait.Later;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The links of this process that a driver has introduced. As long as a link lives, the driver is shown the memory of
 * this side, from which it learns how much data the link has moved; also a driver that starts later. Thread safe. A
 * thread that holds the lock of a link may call this.
 */
final class ShownLinks {
    private static final LazyLogger LOG = new LazyLogger(ShownLinks.class);

    /** After this time, links are shown for which the driver's socket had no room. */
    private static final long RETRY_MS = 50;

    private final ConcurrentHashMap<MeteredLink, Shown> links = new ConcurrentHashMap<>();

    /** Links that have ended, and of which the driver could not be notified yet. */
    private final ConcurrentLinkedQueue<Hidden> hidden = new ConcurrentLinkedQueue<>();

    /** Whether a task will try again. */
    private final AtomicBoolean retries = new AtomicBoolean();

    /** The present session; null if there is none. */
    private final Supplier<BrokerSession> current;

    ShownLinks(Supplier<BrokerSession> current) {
        this.current = current;
    }

    /** The state of a link with its drivers. Changed under its monitor. */
    private static final class Shown {
        /** The session in which it was shown last; null before. */
        private volatile BrokerSession to;

        /** The inode number of this side's memory, once it was shown. */
        private volatile long memory;

        private synchronized void show(MeteredLink link, BrokerSession session) {
            if (to == session) {
                return;
            }
            try {
                memory = Memory.status(link.memory()).inode();
                Request request = Request.shows(session.next(), to == null, link.peerMemory());
                if (session.send(request, link.memory())) {
                    to = session;
                }
            } catch (LinuxException e) {
                LOG.get().log(Level.DEBUG, "a link is not shown to the driver: {0}", e.getMessage());
            }
        }

        /** The message for the driver, now that the link has ended; null for none. */
        private synchronized Hidden hide() {
            return to == null ? null : new Hidden(to, memory);
        }
    }

    /** A link that has ended. */
    private record Hidden(BrokerSession session, long memory) {
        /** Whether the driver knows, or has ended. */
        boolean isSaid() {
            return session.isOver() || session.send(Request.hides(session.next(), memory));
        }
    }

    /** Shows a link to the driver of a session, unless that was done before. */
    void show(MeteredLink link, BrokerSession session) {
        Shown shown = links.get(link);
        if (shown == null) {
            Shown added = new Shown();
            shown = links.putIfAbsent(link, added);
            if (shown == null) {
                shown = added;
                show(link, shown, session);
                link.whenEnded(() -> ended(link));
                return;
            }
        }
        if (shown.to != session) {
            show(link, shown, session);
        }
    }

    private void show(MeteredLink link, Shown shown, BrokerSession session) {
        shown.show(link, session);
        if (shown.to != session && !session.isOver()) {
            retry();
        }
    }

    private void retry() {
        if (retries.compareAndSet(false, true)) {
            Later.after(RETRY_MS, TimeUnit.MILLISECONDS, () -> {
                retries.set(false);
                BrokerSession session = current.get();
                if (session != null) {
                    showAll(session);
                }
                hideAll();
            });
        }
    }

    private void ended(MeteredLink link) {
        Shown shown = links.remove(link);
        Hidden ended = shown == null ? null : shown.hide();
        if (ended != null) {
            hidden.add(ended);
            hideAll();
        }
    }

    private void hideAll() {
        for (Hidden each = hidden.poll(); each != null; each = hidden.poll()) {
            if (!each.isSaid()) {
                hidden.add(each);
                retry();
                return;
            }
        }
    }

    /** Shows all links to the driver of a new session. */
    void showAll(BrokerSession session) {
        links.forEach((link, shown) -> show(link, shown, session));
    }

    /** The links that live. */
    Set<MeteredLink> all() {
        return Set.copyOf(links.keySet());
    }

    /** Whether there is no link. */
    boolean isEmpty() {
        return links.isEmpty();
    }

    /** Ends the link of which this side has a memory, because a driver says so. */
    void end(long memory, String why) {
        links.forEach((link, shown) -> {
            if (shown.memory == memory) {
                link.giveUp(why);
            }
        });
    }
}
