// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.peer.protocol.SlotSetup;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer process makes this one map and allocate as much memory as it can. */
@Tag("peer")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class PeerMemoryTest {
    private static final int PORT = FixedPort.PEER_MEMORY.number();
    private static final int BACKLOG = 4096;
    private static final int SIZE = 64 << 10;
    private static final int LARGEST = 4 << 20;
    /** Fewer than the descriptors that one peer may use, with a limit of 1024. */
    private static final int RINGS = 50;

    private static final int BATCH = 16;
    private static final int REFUSED = 512;

    private final Leaks leaks = new Leaks();
    private final PeerNetwork network = new PeerNetwork(10_000);
    private PeerListener listener;
    private PeerSocket socket;
    private ChildJvm spender;

    @BeforeEach
    void listen() throws Exception {
        listener = network.listen(TestAddresses.loopback(PORT), BACKLOG);
    }

    @AfterEach
    void leavesNothing() {
        if (spender != null) {
            spender.close();
        }
        if (socket != null) {
            socket.close();
        }
        network.close();
        leaks.awaitNone();
    }

    private void start(String role) throws Exception {
        spender = ChildJvm.start(Spender.class, Integer.toString(PORT), role);
        spender.expect("DONE");
    }

    private void refuseAll() throws PdException {
        while (listener.readiness(PdEpoll.IN) != 0) {
            assertNull(listener.accept());
        }
    }

    @Test
    void ringsThatNobodyReadsAreNotMapped() throws Exception {
        start("rings");
        socket = listener.accept();
        // Sweeps read the messages that the socket of the link could not hold at once.
        spender.expect("TOLD");
        long mappings = Leaks.mappings();
        assertTrue(mappings < 10, mappings + " mappings");
        await().until(() -> socket.readiness(PdEpoll.IN) != 0);
        assertEquals(1, socket.read(ByteBuffer.allocate(1)));
        assertEquals(mappings + 1, Leaks.mappings());
    }

    @Test
    void aRingWhosePagesAreNotThereIsRefusedAndTakesNoMemory() throws Exception {
        start("sparse ring");
        socket = listener.accept();
        PdException e = assertThrows(PdException.class, () -> socket.read(ByteBuffer.allocate(1)));
        assertTrue(e.getMessage().contains("has not allocated"), e.getMessage());
        assertEquals(0, Leaks.resident("pd-ring"));
    }

    @Test
    void connectionsThatAreRefusedTakeASlotAndNoRings() throws Exception {
        start("refused");
        assertNull(listener.accept());
        assertEquals(PdEpoll.IN, listener.readiness(PdEpoll.IN), "one call refuses them all");
        refuseAll();
        long kilobytes = Leaks.resident("pd-link");
        // Each refusal takes a page of slots on this side, and the page of the peer that is read.
        assertTrue(kilobytes < REFUSED * 10, kilobytes + " KB");
    }

    @Test
    void connectionsWhosePagesAreNotThereAreRefused() throws Exception {
        start("sparse link");
        refuseAll();
        long kilobytes = Leaks.resident("pd-link");
        assertTrue(kilobytes < REFUSED * 10, kilobytes + " KB");
    }

    /** Plays one role, and stays. Arguments: the port and the role. */
    static final class Spender {
        private Spender() {}

        public static void main(String[] arguments) throws Exception {
            InetSocketAddress to = TestAddresses.loopback(Integer.parseInt(arguments[0]));
            RawPeer raw = RawPeer.meet(to);
            switch (arguments[1]) {
                case "rings" -> {
                    raw.connect(0, 1, TestAddresses.loopback(2), to);
                    System.out.println("DONE");
                    announceRings(raw);
                    System.out.println("TOLD");
                }
                case "sparse ring" -> {
                    SharedRegion ring = SharedRegion.create("pd-ring", LARGEST, false);
                    raw.connect(0, 1, TestAddresses.loopback(2), to);
                    raw.say(LinkMessageDescriptor.RING, 1, LARGEST, ring.fd());
                    use(raw, 1, 22);
                    System.out.println("DONE");
                }
                case "refused" -> {
                    InetSocketAddress elsewhere = TestAddresses.loopback(to.getPort() + 1);
                    for (int i = 0; i < REFUSED; i++) {
                        raw.open(i * BATCH, 1);
                        raw.entry(i * BATCH, 1, TestAddresses.loopback(2), elsewhere);
                        raw.next(LinkMemoryDescriptor.POSTED_OFFSET);
                    }
                    System.out.println("DONE");
                }
                default -> {
                    for (int i = 0; i < REFUSED; i++) {
                        SlotSetup.open(raw.memory, i * BATCH, 1);
                        raw.entry(i * BATCH, 1, TestAddresses.loopback(2), to);
                        raw.next(LinkMemoryDescriptor.POSTED_OFFSET);
                    }
                    System.out.println("DONE");
                }
            }
            System.in.read();
        }

        private static void announceRings(RawPeer raw) throws Exception {
            SharedRegion ring = SharedRegion.create("pd-ring", SIZE, false);
            ring.allocate(0, SIZE);
            for (int i = 1; i <= RINGS; i++) {
                while (!raw.say(LinkMessageDescriptor.RING, i, SIZE, ring.fd())) {
                    TimeUnit.MILLISECONDS.sleep(10);
                }
            }
            use(raw, RINGS, 16);
        }

        private static void use(RawPeer raw, int ring, int bits) throws IOException {
            raw.word(0, LinkMemoryDescriptor.RING_OFFSET, LinkMemoryDescriptor.ringWord(ring, bits, 1));
            raw.tail(0, 1);
        }
    }
}
