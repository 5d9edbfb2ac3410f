// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.UnixSocket;
import io.pipedevice.test.Attack;
import io.pipedevice.test.FuzzProgram;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.StrangeFds;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that is a client of a listener, and also a server, and does one thing wrong at a time. Arguments: a seed
 * and the listener's port; and if a driver introduces it, the port for that and the driver's directory. It prints the
 * PORT of its own listener, and that of the one for introduced clients, CLAIMS. {@link FuzzProgram} describes its
 * commands.
 */
final class PeerFuzzer {
    private final InetSocketAddress to;
    private final InetSocketAddress own;
    private final UnixSocket listener;

    /** Addresses whose ports this process holds. */
    private final List<HeldPort> locals;

    private final HandshakeFuzz clients = new HandshakeFuzz();
    private final HandshakeFuzz servers = new HandshakeFuzz();

    private PeerFuzzer(InetSocketAddress to, InetSocketAddress own, UnixSocket listener, List<HeldPort> locals) {
        this.to = to;
        this.own = own;
        this.listener = listener;
        this.locals = locals;
    }

    @SuppressWarnings("try")
    public static void main(String[] arguments) throws IOException {
        long seed = Long.parseLong(arguments[0]);
        List<HeldPort> held = new ArrayList<>();
        for (int i = 0; i < RawTraffic.SLOTS; i++) {
            held.add(HeldPort.of("7f000001"));
        }
        try (ServerSocketChannel kernels = ServerSocketChannel.open().bind(TestAddresses.loopback(0))) {
            InetSocketAddress own = (InetSocketAddress) kernels.getLocalAddress();
            PeerFuzzer fuzzer = new PeerFuzzer(
                    TestAddresses.loopback(Integer.parseInt(arguments[1])), own, RawPeer.listen(own), held);
            FuzzProgram program = new FuzzProgram(HandshakeFuzz.FIELDS, StrangeFds.open());
            program.start("client", seed, fuzzer::beClient);
            program.start("server", ~seed, fuzzer::beServer);
            System.out.println("PORT " + own.getPort());
            if (arguments.length > 2) {
                Path directory = Path.of(arguments[3]);
                InetSocketAddress claims = TestAddresses.loopback(Integer.parseInt(arguments[2]));
                program.start("claim", seed + 1, attack -> new ClaimFuzz(attack, directory, claims).run());
                ServerSocketChannel introduced = ServerSocketChannel.open().bind(TestAddresses.loopback(0));
                program.start("challenge", ~seed - 1, attack -> new ChallengeFuzz(attack, directory, introduced).run());
                System.out.println("CLAIMS " + introduced.socket().getLocalPort());
            }
            program.run();
        }
    }

    private void beClient(Attack attack) throws IOException {
        if (attack.random.nextInt(4) != 0) {
            clients.meet(attack, to);
            return;
        }
        try (RawPeer raw = RawPeer.meet(to)) {
            RawTraffic traffic = new RawTraffic(raw, true, to, locals, true, attack.honest);
            new LinkFuzz(attack, raw, traffic, true).run();
        }
    }

    private void beServer(Attack attack) throws IOException {
        if (attack.random.nextInt(3) == 0) {
            servers.welcome(attack, listener);
            return;
        }
        try (RawPeer raw = RawPeer.welcome(listener, 4)) {
            RawTraffic traffic = new RawTraffic(raw, false, own, locals, true, attack.honest);
            new LinkFuzz(attack, raw, traffic, false).run();
        }
    }
}
