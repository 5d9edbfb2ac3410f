// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.net.InetSocketAddress;

/** A listening socket of either placement. Thread safe. Closed by its owner; connections outlive it. */
public interface PdListener extends PdSource, AutoCloseable {
    /**
     * Waits for a connection.
     *
     * @param timeoutNanos longest time
     * @return the connection, for the caller to close, or null after the timeout
     * @throws PdException ENOBUFS or ENOMEM if there is no memory for the connection, which stays in the backlog; EBADF
     *     if another thread closes the listener meanwhile; ENODEV if the driver is gone
     */
    PdConnection accept(long timeoutNanos) throws PdException;

    /**
     * The address of this listener.
     *
     * @return the address, with its port
     */
    InetSocketAddress localAddress();

    /** Stops listening: connections that were not accepted are reset. */
    @Override
    void close();
}
