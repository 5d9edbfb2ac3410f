// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.rendezvous.NetworkProbe;
import io.pipedevice.peer.rendezvous.PeerListener;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.StreamProbe;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.WaitProbe;
import io.pipedevice.test.HeldWatch;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two networks in one process, in place of two processes: connections, their slots, and their ends. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class PeerLinkTest {
    private static final int PATIENCE_MS = 10_000;

    private final List<PeerSocket> opened = new ArrayList<>();
    private final Leaks leaks = new Leaks();
    private final PeerNetwork server = NetworkProbe.network(PATIENCE_MS);
    private final PeerNetwork client = NetworkProbe.network(PATIENCE_MS);

    @AfterEach
    void leavesNothing() {
        opened.forEach(PeerSocket::close);
        client.close();
        server.close();
        leaks.awaitNone();
    }

    private PeerSocket connect(PeerListener listener) throws PeerRefusal {
        PeerSocket socket = client.meet(listener.address()).connect(TestAddresses.loopback(2), listener.address());
        opened.add(socket);
        return socket;
    }

    private PeerSocket accept(PeerListener listener) throws PdException {
        PeerSocket socket = listener.accept();
        opened.add(socket);
        return socket;
    }

    private static int peerFlags(PeerSocket socket) {
        int word = LinkMemoryDescriptor.slot(StreamProbe.slot(socket)) + LinkMemoryDescriptor.STATE_OFFSET;
        return LinkMemoryDescriptor.flags(
                StreamProbe.link(socket).peer().getAcquire(word), StreamProbe.generation(socket));
    }

    @Test
    void bothEndsHaveTheSameAddressesAndSlot() throws Exception {
        try (PeerListener listener = server.listen(TestAddresses.loopback(1), 8)) {
            assertNull(listener.accept());
            try (PeerSocket out = connect(listener);
                    PeerSocket in = listener.accept()) {
                assertEquals(TestAddresses.loopback(2), in.peerAddress());
                assertEquals(TestAddresses.loopback(1), in.localAddress());
                assertEquals(in.peerAddress(), out.localAddress());
                assertEquals(in.localAddress(), out.peerAddress());
                assertEquals(StreamProbe.slot(in), StreamProbe.slot(out));
                assertEquals(StreamProbe.generation(in), StreamProbe.generation(out));
                assertEquals(LinkMemoryDescriptor.OPEN, peerFlags(in));
                assertEquals(LinkMemoryDescriptor.OPEN, peerFlags(out));
                assertNull(listener.accept());
            }
        }
    }

    @Test
    void whatOneSideWritesTheOtherReadsAndCannotWrite() throws Exception {
        try (PeerListener listener = server.listen(TestAddresses.loopback(1), 8);
                PeerSocket out = connect(listener);
                PeerSocket in = listener.accept()) {
            int at = LinkMemoryDescriptor.baseRing(StreamProbe.slot(out));
            StreamProbe.link(out).own().bytes().put(at, (byte) 42);
            assertEquals(42, StreamProbe.link(in).peer().bytes().get(at));
            assertTrue(StreamProbe.link(in).peer().bytes().isReadOnly());
            assertTrue(StreamProbe.link(out).peer().memory().isReadOnly());
        }
    }

    @Test
    void aNetworkConnectsToItsOwnListener() throws Exception {
        try (PeerListener listener = server.listen(TestAddresses.loopback(1), 8);
                PeerSocket out =
                        server.meet(listener.address()).connect(TestAddresses.loopback(2), listener.address());
                PeerSocket in = listener.accept()) {
            assertNotSame(StreamProbe.link(in), StreamProbe.link(out));
            assertEquals(out.localAddress(), in.peerAddress());
        }
    }

    @Test
    void theNextConnectionUsesTheSameLink() throws Exception {
        try (PeerListener listener = server.listen(TestAddresses.loopback(1), 8)) {
            PeerLink link = client.meet(listener.address());
            int descriptors = Leaks.settledDescriptors();
            assertSame(link, client.meet(listener.address()));
            try (PeerSocket first = connect(listener);
                    PeerSocket second = connect(listener)) {
                assertSame(StreamProbe.link(first), StreamProbe.link(second));
                assertNotSame(StreamProbe.slot(first), StreamProbe.slot(second));
            }
            assertEquals(descriptors, Leaks.settledDescriptors());
        }
    }

    @Test
    void linksEndAlsoWhenNoThreadCanBeCreated() throws Exception {
        Disposal poor = new Disposal(task -> {
            throw new InternalError("the test lets no thread be created");
        });
        try (PeerNetwork there = NetworkProbe.network(PATIENCE_MS, poor, new Sweeper());
                PeerNetwork here = NetworkProbe.network(PATIENCE_MS, poor, new Sweeper())) {
            PeerListener listener = there.listen(TestAddresses.loopback(1), 8);
            PeerLink link = here.meet(listener.address());
            PeerSocket out = link.connect(TestAddresses.loopback(2), listener.address());
            PeerSocket in = listener.accept();
            listener.close();
            out.close();
            in.close();
            leaks.awaitNone();
        }
    }

    @Test
    void clientsAreAcceptedAfterAWatchHandlerHasThrown() throws Exception {
        AtomicBoolean failed = new AtomicBoolean();
        try (PeerListener listener = server.listen(TestAddresses.loopback(1), 8);
                PeerNetwork first = NetworkProbe.network(50)) {
            WaitProbe.watch(listener, PdEpoll.IN, () -> {
                if (!failed.getAndSet(true)) {
                    throw new AssertionError("thrown by a handler of the test");
                }
            });
            HeldWatch.during(() -> {
                // Everything that the client sends is there when the listener accepts it.
                assertThrows(PeerRefusal.class, () -> first.meet(listener.address()));
            });
            await().untilTrue(failed);
            assertNotNull(client.meet(listener.address()));
        }
    }

    @Test
    void nobodyListens() {
        PeerRefusal refusal = assertThrows(PeerRefusal.class, () -> client.meet(TestAddresses.loopback(1)));
        assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, refusal.reason());
    }

    @Test
    void aNameCanBeTakenOnceAndIsFreeAfterClose() throws Exception {
        for (int i = 0; i < 20; i++) {
            PeerListener listener = server.listen(TestAddresses.loopback(1), 8);
            PdException taken = assertThrows(PdException.class, () -> client.listen(TestAddresses.loopback(1), 8));
            assertEquals(Errno.EADDRINUSE, taken.errno());
            ClientLink link = (ClientLink) client.meet(listener.address());
            listener.close();
            assertFalse(link.isListening());
        }
    }

    @Test
    void aClientReceivesTheWelcomeFirstHoweverOftenTheListenerIsArmed() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (PeerListener listener = server.listen(TestAddresses.loopback(1), 8);
                Bell bell = WaitProbe.openBell()) {
            FutureTask<Void> waiter = new FutureTask<>(
                    () -> {
                        while (!over.get()) {
                            WaitProbe.arm(listener, 0, bell, 1, 1);
                            WaitProbe.disarm(listener, 0);
                        }
                    },
                    null);
            Thread.ofPlatform().start(waiter);
            try {
                for (int i = 0; i < 300; i++) {
                    try (PeerNetwork other = NetworkProbe.network(PATIENCE_MS)) {
                        other.meet(listener.address());
                    } catch (PeerRefusal e) {
                        // Earlier links are still being closed.
                        assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, e.reason(), e.getMessage());
                    }
                }
            } finally {
                over.set(true);
                waiter.get();
            }
        }
    }

    @Test
    void slotsAreUsedAgainAndMemoryStaysWhatItIs() throws Exception {
        try (PeerListener listener = server.listen(TestAddresses.loopback(1), 8)) {
            Set<Integer> slots = new HashSet<>();
            Set<Long> connections = new HashSet<>();
            for (int i = 0; i < 100_000; i++) {
                PeerSocket out = connect(listener);
                PeerSocket in = listener.accept();
                opened.clear();
                slots.add(StreamProbe.slot(out));
                assertTrue(
                        connections.add((long) StreamProbe.slot(out) << 32 | StreamProbe.generation(out)),
                        "used before");
                if (i % 2 == 0) {
                    out.close();
                    in.close();
                } else {
                    in.close();
                    out.close();
                }
            }
            assertTrue(slots.size() <= ClientPorts.MOST_KEPT, slots.toString());
        }
    }

    @Test
    void manyConnectionsAtATimeUntilThereIsNoSlot() throws Exception {
        int most = LinkMemoryDescriptor.MAX_CONNECTIONS;
        try (PeerListener listener = server.listen(TestAddresses.loopback(1), most)) {
            List<PeerSocket> all = new ArrayList<>();
            for (int i = 0; i < most; i++) {
                all.add(connect(listener));
            }
            assertEquals(
                    PeerRefusal.Reason.BACKLOG_FULL,
                    assertThrows(PeerRefusal.class, () -> connect(listener)).reason());
            for (int i = 0; i < most; i++) {
                PeerSocket in = listener.accept();
                assertEquals(StreamProbe.slot(all.get(i)), StreamProbe.slot(in));
                all.add(in);
            }
            assertEquals(
                    PeerRefusal.Reason.NO_MEMORY,
                    assertThrows(PeerRefusal.class, () -> connect(listener)).reason());
            all.forEach(PeerSocket::close);
            connect(listener).close();
        }
    }

    @Test
    void theBacklogIsFullUntilOneIsAccepted() throws Exception {
        try (PeerListener listener = server.listen(TestAddresses.loopback(1), 2);
                PeerSocket first = connect(listener);
                PeerSocket second = connect(listener)) {
            PeerRefusal refusal = assertThrows(PeerRefusal.class, () -> connect(listener));
            assertEquals(PeerRefusal.Reason.BACKLOG_FULL, refusal.reason());
            listener.accept().close();
            connect(listener).close();
            assertTrue(first.isOpen() && second.isOpen());
        }
    }

    @Test
    void aThreadWaitsForRoomInAFullBacklogUntilTheServerIsSeenToBeStuck() throws Exception {
        try (PeerListener listener = server.listen(TestAddresses.loopback(1), 1);
                PeerSocket first = connect(listener)) {
            ClientLink link = (ClientLink) StreamProbe.link(first);
            long second = TimeUnit.SECONDS.toNanos(1);
            Thread.currentThread().interrupt();
            assertFalse(link.awaitRoom(second, () -> true), "an interrupt ends the wait");
            assertTrue(Thread.interrupted());
            assertFalse(link.awaitRoom(second, () -> false), "the thread does not want to wait");
            assertFalse(link.awaitRoom(1, () -> true), "nothing was accepted in time");
            assertFalse(
                    link.awaitRoom(2, () -> {
                        throw new AssertionError("the thread waits for a server that is stuck");
                    }),
                    "the server is stuck");
            listener.accept().close();
            assertTrue(link.awaitRoom(second, () -> true));
            connect(listener).close();
            assertTrue(link.awaitRoom(30 * second, () -> takesOne(listener)));
            assertTrue(first.isOpen());
        }
    }

    private boolean takesOne(PeerListener listener) {
        try {
            return accept(listener) != null;
        } catch (PdException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void closingTheListenerResetsWhatWaitsAndNotWhatWasAccepted() throws Exception {
        PeerListener listener = server.listen(TestAddresses.loopback(1), 8);
        try (PeerSocket accepted = connect(listener);
                PeerSocket in = listener.accept();
                PeerSocket waiting = connect(listener)) {
            assertEquals(0, peerFlags(waiting));
            listener.close();
            assertEquals(LinkMemoryDescriptor.RESET | LinkMemoryDescriptor.CLOSED, peerFlags(waiting));
            assertEquals(LinkMemoryDescriptor.OPEN, peerFlags(accepted));
            assertFalse(StreamProbe.link(in).isBroken());
            assertThrows(PdException.class, listener::accept);
            PeerRefusal refusal = assertThrows(
                    PeerRefusal.class,
                    () -> ((ClientLink) StreamProbe.link(accepted))
                            .connect(TestAddresses.loopback(3), TestAddresses.loopback(1)));
            assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, refusal.reason());
        }
        // The link is unused, although its networks are open.
        leaks.awaitNone();
    }

    @Test
    void aLinkWithoutUseEndsWhicheverSideClosesLast() throws Exception {
        for (boolean clientLast : new boolean[] {true, false}) {
            PeerListener listener = server.listen(TestAddresses.loopback(1), 8);
            PeerSocket out = connect(listener);
            PeerSocket in = accept(listener);
            listener.close();
            (clientLast ? in : out).close();
            assertFalse(StreamProbe.link((clientLast ? out : in)).isBroken() && clientLast);
            (clientLast ? out : in).close();
            leaks.awaitNone();
        }
    }

    @Test
    void theEndOfTheOtherSideBreaksTheLink() throws Exception {
        try (PeerListener listener = server.listen(TestAddresses.loopback(1), 8);
                PeerSocket out = connect(listener);
                PeerSocket in = listener.accept()) {
            client.close();
            await().until(() -> StreamProbe.link(in).isBroken());
            assertTrue(StreamProbe.link(out).isBroken());
            assertFalse(listener.readiness(PdEpoll.IN) != 0);
        }
    }

    @Test
    void aConnectionWhoseClientIsGoneCanStillBeAccepted() throws Exception {
        try (PeerListener listener = server.listen(TestAddresses.loopback(1), 8)) {
            PeerSocket out = connect(listener);
            StreamProbe.link(out).own().bytes().put(LinkMemoryDescriptor.baseRing(StreamProbe.slot(out)), (byte) 42);
            out.close();
            client.close();
            await().until(() -> Leaks.mappings() == 2);
            try (PeerSocket in = listener.accept()) {
                assertNotNull(in);
                await().until(() -> StreamProbe.link(in).isBroken());
                assertEquals(
                        42,
                        StreamProbe.link(in).peer().bytes().get(LinkMemoryDescriptor.baseRing(StreamProbe.slot(in))));
            }
            assertNull(listener.accept());
        }
    }

    @Test
    void linksAreServedInTurn() throws Exception {
        try (PeerNetwork other = NetworkProbe.network(PATIENCE_MS);
                PeerListener listener = server.listen(TestAddresses.loopback(1), 8)) {
            for (int i = 0; i < 4; i++) {
                connect(listener);
            }
            try (PeerSocket late =
                    other.meet(listener.address()).connect(TestAddresses.loopback(9), listener.address())) {
                List<Integer> ports = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    ports.add(accept(listener).peerAddress().getPort());
                }
                assertTrue(ports.indexOf(9) <= 1, ports.toString());
                assertEquals(9, late.localAddress().getPort());
            }
        }
    }

    @Test
    void aListenerIsReadyWhileSomebodyWaits() throws Exception {
        try (PeerListener listener = server.listen(TestAddresses.loopback(1), 8)) {
            assertEquals(0, listener.readiness(PdEpoll.IN));
            try (PeerSocket out = connect(listener)) {
                assertEquals(PdEpoll.IN, listener.readiness(PdEpoll.IN));
                assertEquals(0, listener.readiness(PdEpoll.OUT));
                listener.accept().close();
                assertEquals(0, listener.readiness(PdEpoll.IN));
                assertTrue(out.isOpen());
            }
        }
    }

    @Test
    void socketsOfTwoNamesHaveTwoLinks() throws IOException {
        try (PeerListener one = server.listen(TestAddresses.loopback(1), 8);
                PeerListener two = server.listen(TestAddresses.loopback(3), 8)) {
            assertNotSame(client.meet(one.address()), client.meet(two.address()));
        }
    }

    @Test
    void theListenersAddressDecidesWhichConnectionsItAccepts() throws Exception {
        InetSocketAddress ip4 = TestAddresses.of("7f000001", 1);
        InetSocketAddress other4 = TestAddresses.of("7f000002", 1);
        InetSocketAddress ip6 = TestAddresses.of("00000000000000000000000000000001", 1);
        try (PeerListener listener = server.listen(TestAddresses.of("00000000", 1), 8)) {
            client.meet(ip4).connect(TestAddresses.of("7f000001", 2), ip4).close();
            client.meet(other4).connect(TestAddresses.of("7f000001", 3), other4).close();
            assertEquals(ip4, accept(listener).localAddress());
            assertEquals(other4, accept(listener).localAddress());
            assertThrows(PeerRefusal.class, () -> client.meet(ip6));
        }
        try (PeerListener listener = server.listen(TestAddresses.of("00000000000000000000000000000000", 1), 8)) {
            client.meet(ip4).connect(TestAddresses.of("7f000001", 2), ip4).close();
            client.meet(ip6)
                    .connect(TestAddresses.of("00000000000000000000000000000001", 3), ip6)
                    .close();
            assertEquals(ip4, accept(listener).localAddress());
            assertEquals(ip6, accept(listener).localAddress());
        }
        try (PeerListener listener = server.listen(ip4, 8)) {
            assertThrows(PeerRefusal.class, () -> client.meet(other4));
            // A link carries only connections to the address of its listener.
            PeerSocket wrong = client.meet(ip4).connect(TestAddresses.of("7f000001", 2), other4);
            assertNull(listener.accept());
            assertEquals(LinkMemoryDescriptor.RESET | LinkMemoryDescriptor.CLOSED, peerFlags(wrong));
            wrong.close();
        }
    }
}
