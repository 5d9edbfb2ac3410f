// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.peer.protocol.LinkMemory;

/**
 * The services that doorbells and ready sets need from the link that carries a source's connections. Thread safe; no
 * method waits.
 */
public interface BellLink {
    /**
     * The memory that this side writes.
     *
     * @return the same one at each call
     */
    LinkMemory own();

    /**
     * The memory that the peer writes.
     *
     * @return the same one at each call
     */
    LinkMemory peer();

    /**
     * A reader of the ready ring of a poller's bell, for that poller.
     *
     * @param bell of a poller of this process
     * @return null while the peer has no ready ring for it, and if that is not known now
     */
    ReadyReader readyReader(Bell bell);

    /**
     * Whether the peer process is gone.
     *
     * @return true for ever once it is
     */
    boolean isBroken();
}
