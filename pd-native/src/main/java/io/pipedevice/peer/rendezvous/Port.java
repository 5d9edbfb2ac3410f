// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.PeerRefusal;
import java.util.List;

/** The port that a client connects to. Used by one thread at a time. */
interface Port {
    /** The names that its listener may have, the likeliest first. */
    List<UnixAddress> names();

    /**
     * Refuses a process that has one of the names but not the port.
     *
     * @param owner the owner of the name, of the same user as this process
     * @throws PeerRefusal OTHER_USER or OTHER_PROCESS
     */
    void requireOwner(UnixSocket.Credentials owner) throws PeerRefusal;

    /** The inode of the kernel's listening socket; 0 if there is none. */
    long inode();

    /** Finds the port again, some time later. It probably still belongs to the same process. */
    Port again() throws PeerRefusal;
}
