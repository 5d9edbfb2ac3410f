// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.peer.ring.RingLimits;

/** What a link needs of the network that it belongs to. Thread safe. */
public interface LinkOwner {
    /**
     * Sweeps the links of the network.
     *
     * @return the sweeper
     */
    Sweeper sweeper();

    /**
     * The sizes of rings.
     *
     * @return the same limits for all links
     */
    RingLimits ringLimits();

    /**
     * Whether clients that are other processes must show what ports they have.
     *
     * @return false if a client is believed
     */
    boolean checksClients();

    /** A client was refused that does not have the address that it names. */
    void forged();

    /**
     * A link has ended. The calling thread may hold the link's lock.
     *
     * @param link carries nothing any more
     */
    void ended(LinkSide link);
}
