// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.link.LinkProbe;
import io.pipedevice.peer.link.PeerLink;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.peer.ring.PeerRings;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.StreamProbe;
import io.pipedevice.peer.wait.PeerEpoll;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer process floods its link with messages, while this process uses its listener and its other links. */
@Tag("peer")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class FloodTest {
    private static final int PORT = FixedPort.FLOOD.number();
    private static final int SIZE = 64 << 10;
    private static final long FLOOD_MS = Integer.getInteger("pipedevice.test.flood.millis", 3000);

    /** The longest time of one call of a bystander. A call that waits for a flood takes as long as the flood. */
    private static final long MOST_MS = FLOOD_MS / 2;

    /** Longer than a test. */
    private static final long WITHOUT_END_MS = 100_000;

    private final Leaks leaks = new Leaks();
    private final PeerNetwork network = new PeerNetwork(10_000);
    private final PeerNetwork other = new PeerNetwork(10_000);
    private final List<PeerSocket> accepted = new ArrayList<>();
    private final InetSocketAddress address = TestAddresses.loopback(PORT);
    private PeerListener listener;
    private ChildJvm flooder;

    @BeforeEach
    void listen() throws Exception {
        listener = network.listen(address, 8);
    }

    @AfterEach
    void leavesNothing() {
        if (flooder != null) {
            flooder.close();
        }
        accepted.forEach(PeerSocket::close);
        network.close();
        other.close();
        leaks.awaitNone();
    }

    private PeerSocket accept() {
        PeerSocket socket = await().until(listener::accept, found -> found != null);
        accepted.add(socket);
        return socket;
    }

    private void startFlooder(long millis) throws Exception {
        flooder = ChildJvm.start(Flooder.class, Integer.toString(PORT), Long.toString(millis));
        flooder.expect("CONNECTED");
    }

    @Test
    void aFloodedLinkDelaysNoOtherLink() throws Exception {
        // A call is late, too, if its thread gets no processor: a flood delays calls each time.
        if (longestDuringFlood() >= MOST_MS) {
            flooder.close();
            long again = longestDuringFlood();
            assertTrue(again < MOST_MS, again + " ms");
        }
    }

    /** The longest time of a call of a bystander, in milliseconds. */
    private long longestDuringFlood() throws Exception {
        startFlooder(FLOOD_MS);
        accept();
        Bystander bystander = new Bystander();
        try {
            bystander.use(TimeUnit.MILLISECONDS.toNanos(FLOOD_MS / 4));
            String quiet = bystander.times();
            bystander.forget();
            flooder.send("flood");
            bystander.use(TimeUnit.MILLISECONDS.toNanos(FLOOD_MS));
            System.out.println("longest of a bystander: quiet " + quiet + ", flooded " + bystander.times());
        } finally {
            bystander.close();
        }
        assertTrue(Integer.parseInt(flooder.expect("SENT")) > 100);
        return bystander.longest();
    }

    @Test
    void aReaderThatSearchesAFloodInVainEnds() throws Exception {
        startFlooder(WITHOUT_END_MS);
        PeerSocket strange = accept();
        flooder.send("flood");
        await().until(() -> strange.readiness(PdEpoll.IN) != 0);
        PdException e = assertThrows(PdException.class, () -> strange.read(ByteBuffer.allocate(1)));
        assertEquals(Errno.EPROTO, e.errno(), e.getMessage());
        assertFalse(flooder.hasSaid("SENT"), "the flood has ended");
    }

    @Test
    void aRingIsFoundBehindManyMessages() throws Exception {
        try (RawPeer raw = RawPeer.meet(address)) {
            raw.connect(0, 1, TestAddresses.loopback(2), address);
            PeerSocket socket = accept();
            int rings = 0;
            try {
                while (rings < PeerRings.MOST_FREE) {
                    rings = raw.announceRing(SIZE);
                }
            } catch (IOException e) {
                // The socket of the link is full.
                assertTrue(rings > LinkProbe.MESSAGES_OF_TURN, "only " + rings);
            }
            raw.word(0, LinkMemoryDescriptor.RING_OFFSET, LinkMemoryDescriptor.ringWord(rings, 16, 1));
            raw.tail(0, 1);
            assertEquals(1, socket.read(ByteBuffer.allocate(1)));
            assertFalse(StreamProbe.link(socket).isBroken());
        }
    }

    /** A program that connects, accepts and selects, and records the longest time of each. */
    private final class Bystander {
        private final PeerEpoll epoll = new PeerEpoll();
        private final Epoll set = Epoll.open();
        private final PdEvents events = new PdEvents(8);
        private final PeerLink link = other.meet(address);
        private long readiness;
        private long accept;
        private long select;
        private int port = 1000;

        Bystander() throws IOException {
            epoll.join(set, 0);
            epoll.add(listener, PdEpoll.IN, this);
        }

        void use(long nanos) throws Exception {
            long end = System.nanoTime() + nanos;
            while (System.nanoTime() - end < 0) {
                long start = System.nanoTime();
                listener.readiness(PdEpoll.IN);
                listener.sharesProcessor(0);
                readiness = Math.max(readiness, System.nanoTime() - start);
                start = System.nanoTime();
                if (epoll.look(events) == 0 && epoll.beforeSleep(events)) {
                    epoll.afterSleep();
                }
                select = Math.max(select, System.nanoTime() - start);
                PeerSocket out = link.connect(TestAddresses.loopback(port), address);
                port = port == 60_000 ? 1000 : port + 1;
                start = System.nanoTime();
                PeerSocket in = listener.accept(TimeUnit.SECONDS.toNanos(30));
                accept = Math.max(accept, System.nanoTime() - start);
                in.close();
                out.close();
            }
        }

        long longest() {
            return TimeUnit.NANOSECONDS.toMillis(Math.max(readiness, Math.max(accept, select)));
        }

        String times() {
            return "readiness " + readiness / 1000 + " us, accept " + accept / 1000 + " us, select " + select / 1000
                    + " us";
        }

        void forget() {
            readiness = 0;
            accept = 0;
            select = 0;
        }

        void close() throws LinuxException {
            epoll.close();
            set.close();
        }
    }

    /**
     * Connects, and on command sends messages that cause work, and names a ring of which it never sends the descriptor.
     */
    static final class Flooder {
        private Flooder() {}

        public static void main(String[] arguments) throws Exception {
            InetSocketAddress to = TestAddresses.loopback(Integer.parseInt(arguments[0]));
            RawPeer raw = RawPeer.meet(to);
            raw.connect(0, 1, TestAddresses.loopback(2), to);
            SharedRegion ring = SharedRegion.create("pd-ring", SIZE, false);
            ring.allocate(0, SIZE);
            System.out.println("CONNECTED");
            if (System.in.read() < 0) {
                System.exit(3);
            }
            int sent = 0;
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[1]));
            try {
                while (System.nanoTime() - end < 0) {
                    int number = 1 + sent % 1000;
                    await(() -> raw.say(LinkMessageDescriptor.RING, number, SIZE, ring.fd()), end);
                    await(() -> raw.say(LinkMessageDescriptor.RING, number, 0), end);
                    sent++;
                    if (sent == 100) {
                        raw.word(0, LinkMemoryDescriptor.RING_OFFSET, LinkMemoryDescriptor.ringWord(5000, 16, 1));
                        raw.tail(0, 1);
                    }
                }
            } catch (LinuxException e) {
                // The other side gave the link up.
                System.out.println("REFUSED " + e.getMessage());
            }
            System.out.println("SENT " + sent);
            System.in.read();
        }

        private interface Step {
            boolean done() throws LinuxException;
        }

        private static void await(Step step, long end) throws LinuxException {
            while (!step.done() && System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
        }
    }
}
