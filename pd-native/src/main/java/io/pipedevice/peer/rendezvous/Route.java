// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.peer.link.ClientLink;
import io.pipedevice.peer.link.PeerRefusal;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The link that an address was found to lead to, and the port that its listener had then. Thread safe. */
final class Route {
    /** The kernel is asked again whose the port is when somebody connects, but not sooner than after this time. */
    private static final long RENEWAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final ClientLink link;
    private final AtomicLong lookedNs = new AtomicLong(System.nanoTime());

    /** Belongs to the thread that has set the time last: it is done within a second, or two of them look at once. */
    private volatile Port port;

    Route(ClientLink link, Port port) {
        this.link = link;
        this.port = port;
    }

    ClientLink link() {
        return link;
    }

    /** Whether connections may go this way. */
    boolean isOpen() {
        if (!link.isListening()) {
            return false;
        }
        long looked = lookedNs.get();
        long now = System.nanoTime();
        return now - looked < RENEWAL_NS || !lookedNs.compareAndSet(looked, now) || isStillTheOwner();
    }

    private boolean isStillTheOwner() {
        try {
            Port now = port.again();
            now.requireOwner(link.peerCredentials());
            port = now;
            return true;
        } catch (PeerRefusal e) {
            // Without a descriptor to ask with, what was true a second ago counts.
            return e.reason() == PeerRefusal.Reason.NO_MEMORY;
        }
    }
}
