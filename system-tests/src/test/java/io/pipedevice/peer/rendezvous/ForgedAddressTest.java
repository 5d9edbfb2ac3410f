// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.peer.link.Sweeper;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.peer.ring.PeerBudget;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.TestAddresses;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client process claims source addresses that it does not have. */
@Tag("peer")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ForgedAddressTest {
    private static final int PATIENCE_MS = 10_000;
    private static final int PORT = FixedPort.FORGED_ADDRESS.number();
    private static final InetSocketAddress SERVER = TestAddresses.loopback(PORT);

    /** An address that is reserved for documentation. */
    private static final InetSocketAddress ELSEWHERE = TestAddresses.of("cb007101", 4711);

    private final Leaks leaks = new Leaks();
    private final PeerNetwork network = new PeerNetwork(PATIENCE_MS, PortRule.KERNEL, new Disposal(), new Sweeper());
    private PeerListener listener;
    private ChildJvm client;

    @BeforeEach
    void start() throws Exception {
        listener = network.listen(SERVER, 8);
        client = ChildJvm.start(Forger.class);
    }

    @AfterEach
    void nothingIsLeft() {
        client.close();
        network.close();
        leaks.awaitNone();
    }

    @Test
    void aConnectionIsAcceptedFromAnAddressThatItsClientHas() throws Exception {
        assertRefused("nothing shown, 127.0.0.1");
        assertRefused("nothing shown, elsewhere");
        assertRefused("a port, elsewhere");
        assertRefused("a port, another port");
        assertRefused("a port, 127.0.0.2");
        assertRefused("a Unix socket");
        assertRefused("a port of a kept slot, another port");
        String own = assertAccepted("a port");
        assertAccepted("a port, once");
        assertRefused("a port, once for two connections");
        assertEquals(own, assertAccepted("a port of a kept slot, again"));
        assertAccepted("all addresses");
        assertAccepted("127.0.0.3");
    }

    @Test
    void aServerWithoutRoomForDescriptorsKeepsNoPorts() throws Exception {
        client.close();
        Map<PeerBudget.Share, Integer> held = holdAll();
        try {
            client = ChildJvm.start(Forger.class);
            assertAccepted("a port");
            assertRefused("a port of a kept slot, again");
        } finally {
            held.forEach((share, count) -> {
                share.release(count);
                share.close();
            });
        }
    }

    /**
     * Takes all descriptors of the budget, in the name of many peers, because each peer may take only a part of the
     * rest.
     */
    private static Map<PeerBudget.Share, Integer> holdAll() {
        Map<PeerBudget.Share, Integer> held = new HashMap<>();
        int count;
        do {
            PeerBudget.Share share = PeerBudget.PROCESS.share(-1 - held.size());
            count = 0;
            while (share.hold(1)) {
                count++;
            }
            held.put(share, count);
        } while (count > 0);
        return held;
    }

    private void assertRefused(String claim) throws Exception {
        client.send(claim);
        client.expect("POSTED");
        Awaitility.await().until(() -> listener.accept() == null && client.hasSaid("REFUSED " + claim));
    }

    /** Asserts that a claim is accepted, and returns the source address. */
    private String assertAccepted(String claim) throws Exception {
        client.send(claim);
        String from = client.expect("POSTED");
        try (PeerSocket socket = Awaitility.await().until(listener::accept, accepted -> accepted != null)) {
            assertEquals(from, socket.peerAddress().toString());
            client.expect("ACCEPTED");
        }
        return from;
    }

    /** Makes one claim for each line of its input. */
    static final class Forger {
        private final RawPeer raw;
        private final Fd mine = TcpPort.reserve(TestAddresses.loopback(0));
        private final Fd second = TcpPort.reserve(TestAddresses.loopback(0));
        private final Fd any = TcpPort.reserve(TestAddresses.of("00000000", 0));
        private final Fd third = TcpPort.reserve(TestAddresses.of("7f000003", 0));
        private int generation;

        private Forger() throws IOException {
            raw = RawPeer.meet(SERVER);
        }

        public static void main(String[] arguments) throws Exception {
            Forger forger = new Forger();
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                forger.claim(line);
            }
        }

        private void claim(String claim) throws Exception {
            InetSocketAddress own = TcpPort.address(mine);
            InetSocketAddress other = TcpPort.address(second);
            switch (claim) {
                case "nothing shown, 127.0.0.1" -> claim(claim, 20, null, own);
                case "nothing shown, elsewhere" -> claim(claim, 21, null, ELSEWHERE);
                case "a port, elsewhere" -> claim(claim, 22, mine, ELSEWHERE);
                case "a port, another port" -> claim(claim, 23, mine, other);
                case "a port, 127.0.0.2" -> claim(claim, 24, mine, TestAddresses.of("7f000002", own.getPort()));
                case "a Unix socket" -> claim(claim, 25, raw.bell[0].fd(), own);
                case "a port of a kept slot, another port" -> claim(claim, 2, mine, other);
                case "a port" -> claim(claim, 1, mine, own);
                case "a port, once" -> claim(claim, 27, mine, own);
                case "a port, once for two connections" -> claim(claim, 27, null, own);
                case "a port of a kept slot, again" -> claim(claim, 1, null, own);
                case "all addresses" ->
                    claim(
                            claim,
                            28,
                            any,
                            TestAddresses.loopback(TcpPort.address(any).getPort()));
                default -> claim(claim, 29, third, TcpPort.address(third));
            }
        }

        private void claim(String claim, int slot, Fd port, InetSocketAddress from) throws Exception {
            if (port != null && !raw.say(LinkMessageDescriptor.PORT, slot, 0, port)) {
                throw new IOException("no room");
            }
            generation++;
            raw.connect(slot, generation, from, SERVER);
            System.out.println("POSTED " + from);
            int flags;
            do {
                Thread.sleep(1);
                flags = LinkMemoryDescriptor.flags(raw.peerWord(slot, LinkMemoryDescriptor.STATE_OFFSET), generation);
            } while (flags == 0);
            System.out.println(((flags & LinkMemoryDescriptor.RESET) == 0 ? "ACCEPTED " : "REFUSED ") + claim);
            raw.state(
                    slot,
                    generation,
                    LinkMemoryDescriptor.OPEN | LinkMemoryDescriptor.FIN | LinkMemoryDescriptor.CLOSED);
        }
    }
}
