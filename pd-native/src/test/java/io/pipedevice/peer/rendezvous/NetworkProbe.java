// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.Disposal;
import io.pipedevice.peer.link.Sweeper;

/** Creates networks with settings of their own, for tests of other packages. */
public final class NetworkProbe {
    /** The most links that a listener has with one process. */
    public static final int MAX_LINKS_OF_ONE = ListenerLinks.MAX_LINKS_OF_ONE;

    private NetworkProbe() {}

    /** A network whose handshakes may take this long. */
    public static PeerNetwork network(int handshakeMillis) {
        return new PeerNetwork(handshakeMillis);
    }

    /** A network whose links close descriptors and are swept by these. */
    public static PeerNetwork network(int handshakeMillis, Disposal disposal, Sweeper sweeper) {
        return new PeerNetwork(handshakeMillis, disposal, sweeper);
    }
}
