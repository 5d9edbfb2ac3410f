// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.protocol.PeerName;
import java.net.InetSocketAddress;
import java.util.List;

/** A port that is believed to belong to any process that has one of its names. */
record NamedPort(InetSocketAddress to) implements Port {
    @Override
    public List<UnixAddress> names() {
        return PeerName.candidates(to);
    }

    @Override
    public void requireOwner(UnixSocket.Credentials owner) {}

    @Override
    public long inode() {
        return 0;
    }

    @Override
    public Port again() {
        return this;
    }
}
