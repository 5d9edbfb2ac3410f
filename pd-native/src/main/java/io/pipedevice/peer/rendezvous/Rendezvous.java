// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.PeerRefusal;
import java.io.IOException;

/**
 * A way to the process of a listener: a connected Unix socket, and the credentials of the process at its other end.
 * Used by one thread at a time.
 */
interface Rendezvous {
    /** What the links of a process are found by: equal for all ways to the same listener. */
    Object key();

    /** A new socket to the listener, for the caller to close. Never waits for the listener. */
    UnixSocket connect() throws PeerRefusal;

    /**
     * The credentials of the process at the other end of a socket that {@link #connect} has returned.
     *
     * @throws PeerRefusal if this process must not have a link with it
     * @throws IOException if they cannot be found out
     */
    UnixSocket.Credentials identify(UnixSocket socket) throws IOException;

    /**
     * Refuses the other end of an existing link if it is no longer the one that this way leads to.
     *
     * @throws PeerRefusal the reason
     */
    void check(UnixSocket.Credentials peer) throws PeerRefusal;
}
