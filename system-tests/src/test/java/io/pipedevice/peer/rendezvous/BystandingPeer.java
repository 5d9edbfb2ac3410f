// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.lib.PdConnection;
import io.pipedevice.linux.Disposal;
import io.pipedevice.peer.link.Sweeper;
import io.pipedevice.test.Bystander;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** A {@link Bystander} that a {@link FuzzedPeer} serves. Argument: the port. */
final class BystandingPeer implements Bystander.Side {
    private static final int PATIENCE_MS = 10_000;

    /** The number of ports that this process holds; connections use them in turn. */
    private static final int PORTS = 8;

    private final PeerNetwork network = new PeerNetwork(PATIENCE_MS, PortRule.KERNEL, new Disposal(), new Sweeper());
    private final HeldPort[] held = new HeldPort[PORTS];
    private final AtomicInteger next = new AtomicInteger();
    private final InetSocketAddress to;

    private BystandingPeer(InetSocketAddress to) throws IOException {
        this.to = to;
        for (int i = 0; i < PORTS; i++) {
            held[i] = HeldPort.of(FuzzedPeer.HONEST);
        }
    }

    public static void main(String[] arguments) throws IOException {
        InetSocketAddress to = TestAddresses.loopback(Integer.parseInt(arguments[0]));
        new Bystander(() -> new BystandingPeer(to), 1).run();
    }

    @Override
    public PdConnection connect() throws IOException {
        HeldPort port = held[next.getAndIncrement() % PORTS];
        return network.meet(to).connect(port.address(), port.fd(), to);
    }

    @Override
    public void close() {
        network.close();
        for (HeldPort port : held) {
            port.close();
        }
    }
}
