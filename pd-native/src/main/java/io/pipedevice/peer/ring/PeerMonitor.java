// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.ring;

import io.pipedevice.peer.rendezvous.PeerNetwork;

/** Is told what other processes do to a {@link PeerNetwork}, for counters. Several threads call it; its methods do not wait. */
public interface PeerMonitor {
    /** A process of another user connected to a listener, and was refused. */
    void strangerRefused();

    /**
     * Descriptors of peers are closed, or wait for that.
     *
     * @param change how many more there are, less than 0 for fewer
     */
    void closing(int change);

    /** A larger ring of a peer's was refused: its owner has not made it as it must, or the budget has no room for it. */
    default void ringRefused() {}

    /**
     * Memory of peers is mapped, or unmapped.
     *
     * @param change how many more mappings there are, less than 0 for fewer
     */
    default void mapped(int change) {}

    /** One that counts nothing. */
    PeerMonitor NONE = new PeerMonitor() {
        @Override
        public void strangerRefused() {}

        @Override
        public void closing(int change) {}
    };
}
