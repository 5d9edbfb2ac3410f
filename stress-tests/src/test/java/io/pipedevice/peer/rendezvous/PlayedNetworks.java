// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.peer.ring.RingLimits;

/** Networks for tests in other packages. */
public final class PlayedNetworks {
    private PlayedNetworks() {}

    /** A network whose handshakes wait for a minute. */
    public static PeerNetwork patient() {
        return new PeerNetwork(60_000);
    }

    /** The sizes of rings of this process. */
    public static RingLimits ringLimits() {
        return PeerOptions.read().ringLimits();
    }
}
