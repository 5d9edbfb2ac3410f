// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.linux.Disposal;
import io.pipedevice.peer.link.Sweeper;
import io.pipedevice.test.Bystander;
import io.pipedevice.test.HonestClient;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A {@link Bystander} that a {@link FuzzedPeer} serves. Arguments: the port, and if a driver introduces this process to
 * the other one, the port for that and the driver's directory.
 */
final class BystandingPeer implements Bystander.Side {
    private static final int PATIENCE_MS = 10_000;

    /** Connections in a row that stay on the kernel, although nothing keeps them from going on by rings. */
    private static final int MOST_NOT_INTRODUCED = 500;

    /** The number of ports that this process holds; connections use them in turn. */
    private static final int PORTS = 8;

    private final PeerNetwork network = new PeerNetwork(PATIENCE_MS, PortRule.KERNEL, new Disposal(), new Sweeper());
    private final HeldPort[] held = new HeldPort[PORTS];
    private final AtomicInteger next = new AtomicInteger();
    private final InetSocketAddress to;
    private final String[] arguments;

    /** Null before it is used. */
    private HonestClient introduced;

    private long rounds;
    private long lastOnRings;
    private long lastCount;

    private BystandingPeer(String[] arguments) throws IOException {
        this.arguments = arguments;
        this.to = TestAddresses.loopback(Integer.parseInt(arguments[0]));
        for (int i = 0; i < PORTS; i++) {
            held[i] = HeldPort.of(FuzzedPeer.HONEST);
        }
    }

    public static void main(String[] arguments) throws IOException {
        new Bystander(() -> new BystandingPeer(arguments), 1).run();
    }

    @Override
    public PdConnection connect() throws IOException {
        HeldPort port = held[next.getAndIncrement() % PORTS];
        return network.meet(to).connect(port.address(), port.fd(), to);
    }

    @Override
    public String serve() throws IOException {
        if (arguments.length == 1) {
            return "no driver";
        }
        if (introduced == null) {
            introduced = new HonestClient(DriverDirectory.at(Path.of(arguments[2]))::connect, 1);
        }
        introduced.once(TestAddresses.loopback(Integer.parseInt(arguments[1])));
        rounds++;
        if (introduced.onRings() > lastCount) {
            lastCount = introduced.onRings();
            lastOnRings = rounds;
        } else if (rounds - lastOnRings > MOST_NOT_INTRODUCED) {
            throw new AssertionError("no connection goes on by rings any more: " + introduced.why());
        }
        return rounds + " connections, " + lastCount + " of them went on by rings; last: " + introduced.why();
    }

    @Override
    public boolean isSettled() {
        return arguments.length == 1 || lastOnRings == rounds;
    }

    @Override
    public void close() {
        if (introduced != null) {
            introduced.close();
        }
        network.close();
        for (HeldPort port : held) {
            port.close();
        }
    }
}
