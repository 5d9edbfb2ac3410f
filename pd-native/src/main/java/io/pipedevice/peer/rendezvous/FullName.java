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

/** Whose a name is where the Unix socket's backlog is full, so that nobody can be asked there. Thread safe. */
final class FullName {
    /** How long it is known whose a name is, */
    private static final long KNOWN_NS = TimeUnit.SECONDS.toNanos(1);

    /** and that nobody had a name. */
    private static final long UNKNOWN_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Of all names of listeners; guarded by the class, as the time. One look serves however many names are full. */
    private static Map<String, Integer> users = Map.of();

    private static long lookedNs = System.nanoTime() - KNOWN_NS;

    private FullName() {}

    static PeerRefusal refusal(UnixAddress name) {
        Integer uid = user(name.name());
        if (uid == null) {
            return new PeerRefusal(
                    PeerRefusal.Reason.BACKLOG_FULL,
                    "too many wait to be greeted at " + name + ", by which process is not known");
        }
        int own = ProcessFacts.effectiveUid();
        return uid == own && UserIds.isSame(uid, own)
                ? new PeerRefusal(PeerRefusal.Reason.BACKLOG_FULL, "too many wait to be greeted at " + name)
                : new PeerRefusal(PeerRefusal.Reason.OTHER_USER, name + " is that of user " + uid);
    }

    /** Null if it is not known. */
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
