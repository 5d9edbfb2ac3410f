// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.ring;

import io.pipedevice.peer.rendezvous.PeerNetwork;

/** Counts what other processes do to a {@link PeerNetwork}. Several threads call it; its methods must not wait. */
public interface PeerMonitor {
    /** A process of another user connected to a listener, and was refused. */
    void strangerRefused();

    /**
     * The number of peers' descriptors that wait to be closed has changed.
     *
     * @param change the difference, negative for fewer
     */
    void closing(int change);

    /** A larger ring of a peer was refused, because it is invalid or the budget has no room for it. */
    default void ringRefused() {}

    /**
     * Memory of peers was mapped or unmapped.
     *
     * @param change the difference in mappings, negative for fewer
     */
    default void mapped(int change) {}

    /** A monitor that counts nothing. */
    PeerMonitor NONE = new PeerMonitor() {
        @Override
        public void strangerRefused() {}

        @Override
        public void closing(int change) {}
    };
}
