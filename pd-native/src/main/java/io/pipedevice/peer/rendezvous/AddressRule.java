// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.peer.link.Claimant;
import io.pipedevice.peer.link.ConnectionRule;
import io.pipedevice.peer.protocol.AcceptEntry;
import io.pipedevice.peer.protocol.PeerName;
import java.net.InetSocketAddress;

/**
 * A listener with an address takes the connections to that address.
 *
 * @param address the listener's, with its port
 */
record AddressRule(InetSocketAddress address) implements ConnectionRule {
    @Override
    public boolean wantsPorts() {
        return true;
    }

    @Override
    public Verdict judge(Claimant from, AcceptEntry entry) {
        return PeerName.serves(address, entry.server()) ? Verdict.TAKE : Verdict.BREACH;
    }
}
