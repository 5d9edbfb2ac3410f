// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.PeerRefusal;
import java.util.List;

/** What a client knows of the port that it connects to. Used by one thread at a time. */
interface Port {
    /** Where its listener may be met, what is likely first. */
    List<UnixAddress> names();

    /**
     * Refuses a process that has one of the names and not the port.
     *
     * @param owner of the name, and of this process's user
     * @throws PeerRefusal OTHER_USER or OTHER_PROCESS
     */
    void requireOwner(UnixSocket.Credentials owner) throws PeerRefusal;

    /** Looks again, some time later; the same process is likely. */
    Port again() throws PeerRefusal;
}
