// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.peer.link.ClientLink;
import io.pipedevice.peer.link.PeerRefusal;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The link to which an address was found to lead, and the port of its listener then. Thread safe. */
final class Route {
    /** A connect checks the owner of the port again if the last check is older than this. */
    private static final long RENEWAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final ClientLink link;
    private final AtomicLong lookedNs = new AtomicLong(System.nanoTime());

    /**
     * Used by the thread that has set the time last. If its check takes more than a second, two threads check at once.
     */
    private volatile Port port;

    Route(ClientLink link, Port port) {
        this.link = link;
        this.port = port;
    }

    ClientLink link() {
        return link;
    }

    /** Whether connections may use this link. */
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
            // Without a descriptor for the check, the last result still counts.
            return e.reason() == PeerRefusal.Reason.NO_DESCRIPTORS || e.reason() == PeerRefusal.Reason.NO_MEMORY;
        }
    }
}
