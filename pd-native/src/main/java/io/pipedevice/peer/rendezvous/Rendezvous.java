// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.PeerRefusal;
import java.io.IOException;

/**
 * A way to the process of a listener: a connected Unix socket, and the credentials of the process at its other end.
 * Used by one thread at a time.
 */
public interface Rendezvous {
    /**
     * The identity by which the links of a process are found.
     *
     * @return equal for all ways to the same listener
     */
    Object key();

    /**
     * Connects. Never waits for the listener.
     *
     * @return a new socket to the listener, for the caller to close
     * @throws PeerRefusal if there is no way to it now
     */
    UnixSocket connect() throws PeerRefusal;

    /**
     * The credentials of the process at the other end of a socket.
     *
     * @param socket as {@link #connect} has returned it
     * @return not taken from that process's own words
     * @throws PeerRefusal if this process must not have a link with it
     * @throws IOException if they cannot be found out
     */
    UnixSocket.Credentials identify(UnixSocket socket) throws IOException;

    /**
     * Refuses the other end of an existing link if it is no longer the one that this way leads to.
     *
     * @param peer of the link
     * @throws PeerRefusal the reason
     */
    void check(UnixSocket.Credentials peer) throws PeerRefusal;
}
