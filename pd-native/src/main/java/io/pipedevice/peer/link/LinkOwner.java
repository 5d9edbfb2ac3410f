// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.stream.SendLimit;

/** The services that a link needs from the network that it belongs to. Thread safe. */
public interface LinkOwner {
    /**
     * The sweeper of the network's links.
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
     * The rate at which all links may send together.
     *
     * @return the same object at each call
     */
    SendLimit sendLimit();

    /**
     * Whether clients in other processes must show the sockets that hold their ports.
     *
     * @return false if the addresses that clients claim are believed
     */
    boolean checksClients();

    /** A connection was refused because its client does not hold the address that it claims. */
    void forged();

    /**
     * A link has ended. The calling thread may hold the link's lock.
     *
     * @param link the link, which carries nothing any more
     */
    void ended(LinkSide link);
}
