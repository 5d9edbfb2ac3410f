// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.net.InetSocketAddress;

/**
 * The source of a program's connections: a {@link PipeDevice}, which is an attachment to a driver, or
 * {@link io.pipedevice.peer.PeerPlacement}, which connects peers directly. A program that uses only this interface does
 * not depend on the placement. Thread safe. Closed by its owner.
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
     * Connects: pd_socket and pd_connect in one call. Does not wait until the peer accepts.
     *
     * @param peer the address of the listener
     * @param ringSize size of the send ring, in bytes, which bounds the largest block: rounded up to a supported size,
     *     at most 4 MB; 0 for the default
     * @return the connection, for the caller to close
     * @throws PdException ECONNREFUSED if there is no listener or the backlog is full; EACCES, EADDRNOTAVAIL, ENOMEM
     */
    PdConnection connect(InetSocketAddress peer, int ringSize) throws PdException;

    @Override
    void close();
}
