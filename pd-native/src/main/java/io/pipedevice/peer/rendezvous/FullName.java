// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixListeners;
import io.pipedevice.linux.UserIds;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.PeerName;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Finds the owners of names whose Unix socket has a full backlog, so that a handshake cannot find them. Thread safe.
 */
final class FullName {
    /** How long a known owner is remembered. */
    private static final long KNOWN_NS = TimeUnit.SECONDS.toNanos(1);

    /** How long a name without an owner is remembered. */
    private static final long UNKNOWN_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * The owners of all names of listeners, so that one look-up serves any number of full names. Guarded by the class's
     * monitor, like the time.
     */
    private static Map<String, Integer> users = Map.of();

    private static long lookedNs = System.nanoTime() - KNOWN_NS;

    private FullName() {}

    static PeerRefusal refusal(UnixAddress name) {
        Integer uid = user(name.name());
        if (uid == null) {
            return new PeerRefusal(
                    PeerRefusal.Reason.BACKLOG_FULL, "too many clients wait at " + name + ", whose owner is not known");
        }
        int own = ProcessFacts.effectiveUid();
        return uid == own && UserIds.isSame(uid, own)
                ? new PeerRefusal(PeerRefusal.Reason.BACKLOG_FULL, "too many clients wait at " + name)
                : new PeerRefusal(PeerRefusal.Reason.OTHER_USER, name + " belongs to user " + uid);
    }

    /** The user who owns a name; null if that is not known. */
    private static synchronized Integer user(String name) {
        long now = System.nanoTime();
        if (now - lookedNs >= (users.containsKey(name) ? KNOWN_NS : UNKNOWN_NS)) {
            lookedNs = now;
            try {
                users = UnixListeners.users(PeerName.PREFIX);
            } catch (LinuxException e) {
                users = Map.of();
            }
        }
        return users.get(name);
    }
}
