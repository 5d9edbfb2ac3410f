// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.net.InetSocketAddress;

/**
 * Where the connections of a program come from: a {@link PipeDevice}, which is an attachment to a driver, or the peers
 * themselves, {@link io.pipedevice.peer.PeerPlacement}. A program that is written to this does not know the placement.
 * Thread safe. Closed by its owner.
 */
public interface PdNetwork extends AutoCloseable {
    /**
     * Listens: pd_socket, pd_bind and pd_listen in one call.
     *
     * @param local an address of this process; port 0 for any that is free
     * @param backlog most connections that wait to be accepted, at least 1
     * @return the listener, for the caller to close
     * @throws PdException EADDRINUSE, EADDRNOTAVAIL, EACCES
     */
    PdListener listen(InetSocketAddress local, int backlog) throws PdException;

    /**
     * Connects: pd_socket and pd_connect in one call. The other side's accept is not waited for.
     *
     * @param peer where it listens
     * @param ringSize of the send ring, in bytes, and so of the largest block: rounded up to a size that there is, at most
     *     4 MB; 0 for the default
     * @return the connection, for the caller to close
     * @throws PdException ECONNREFUSED if nobody listens there or the backlog is full; EACCES, EADDRNOTAVAIL, ENOMEM
     */
    PdConnection connect(InetSocketAddress peer, int ringSize) throws PdException;

    @Override
    void close();
}
