// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.peer.link.Claimant;
import io.pipedevice.peer.link.ConnectionRule;
import io.pipedevice.peer.protocol.AcceptEntry;
import io.pipedevice.peer.protocol.PeerName;
import java.net.InetSocketAddress;
import java.util.OptionalLong;

/**
 * A listener with an address takes the connections to that address from clients of its network namespace.
 *
 * @param address the listener's, with its port
 * @param namespace the kernel's number of the network namespace ({@link TcpPort#namespace}); empty for that of the
 *     links
 */
public record AddressRule(InetSocketAddress address, OptionalLong namespace) implements ConnectionRule {
    @Override
    public OptionalLong portNamespace(Fd link) {
        return namespace.isPresent() ? namespace : OptionalLong.of(TcpPort.namespace(link));
    }

    @Override
    public Verdict judge(Claimant from, AcceptEntry entry) {
        return PeerName.serves(address, entry.server()) ? Verdict.TAKE : Verdict.BREACH;
    }
}
