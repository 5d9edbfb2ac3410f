// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.peer.protocol.LinkMemory;

/** What doorbells and ready sets need of the link that carries a source's connections. Thread safe; nothing here waits. */
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
     * The ready ring of a poller's bell, for its poller.
     *
     * @param bell of a poller of this process
     * @return null while the peer has none for it, and if that is not known now
     */
    ReadyReader readyReader(Bell bell);

    /**
     * Whether the peer process is gone.
     *
     * @return true for ever once it is
     */
    boolean isBroken();
}
