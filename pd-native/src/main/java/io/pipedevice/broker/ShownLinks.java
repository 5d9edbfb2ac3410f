// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import io.pipedevice.peer.link.MeteredLink;
import io.pipedevice.protocol.ControlMessage;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The links of this process that a driver has introduced. As long as a link lives, the driver is shown the memory of
 * this side, from which it learns how much data the link has moved; also a driver that starts later. Thread safe. A
 * thread that holds the lock of a link may call this.
 */
final class ShownLinks {
    private static final LazyLogger LOG = new LazyLogger(ShownLinks.class);

    private final ConcurrentHashMap<MeteredLink, Shown> links = new ConcurrentHashMap<>();

    /** What drivers know of a link. Changed under its monitor. */
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
                int isNew = to == null ? 1 : 0;
                Request request = new Request(ControlMessage.SHOWS, session.next(), 0, isNew, link.peerMemory(), null);
                if (session.send(request, link.memory())) {
                    to = session;
                }
            } catch (LinuxException e) {
                LOG.get().log(Level.DEBUG, "a link is not shown to the driver: {0}", e.getMessage());
            }
        }

        private synchronized void hide() {
            if (to != null) {
                to.send(new Request(ControlMessage.HIDES, to.next(), 0, 0, memory, null));
            }
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
                shown.show(link, session);
                link.whenEnded(() -> ended(link));
                return;
            }
        }
        if (shown.to != session) {
            shown.show(link, session);
        }
    }

    private void ended(MeteredLink link) {
        Shown shown = links.remove(link);
        if (shown != null) {
            shown.hide();
        }
    }

    /** Shows all links to the driver of a new session. */
    void showAll(BrokerSession session) {
        links.forEach((link, shown) -> shown.show(link, session));
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
