// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.StreamProbe;
import io.pipedevice.peer.wait.PeerWait;
import io.pipedevice.peer.wait.WaitProbe;
import io.pipedevice.peer.wait.WakeUpCost;
import io.pipedevice.peer.wait.WiderWait;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that make a proper link and then break the protocol. Another client is served in every case. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class StrangePeerTest {
    private static final int PATIENCE_MS = 10_000;
    private static final int RING = 64 << 10;
    private static final int GENERATION = 7;
    private static final int SLOT = 3;

    private final Leaks leaks = new Leaks();
    private final PeerNetwork network = new PeerNetwork(PATIENCE_MS);
    private final PeerNetwork honest = new PeerNetwork(PATIENCE_MS);
    private final List<AutoCloseable> mine = new ArrayList<>();
    private PeerListener listener;
    private RawPeer raw;

    /** The strange client's connection. */
    private PeerSocket in;

    private PeerSocket honestOut;
    private PeerSocket honestIn;

    @BeforeEach
    void connect() throws Exception {
        listener = network.listen(TestAddresses.loopback(1), 4);
        honestOut = keep(honest.meet(listener.address()).connect(TestAddresses.loopback(2), listener.address()));
        honestIn = keep(listener.accept());
        raw = RawPeer.meet(listener.address());
        raw.connect(SLOT, GENERATION, TestAddresses.loopback(3), listener.address());
        in = keep(listener.accept());
    }

    @AfterEach
    void othersAreServedAndNothingIsLeft() throws Exception {
        try {
            assertOthersAreServed();
        } finally {
            raw.close();
            for (AutoCloseable each : mine) {
                each.close();
            }
            honest.close();
            network.close();
        }
        leaks.awaitNone();
    }

    private void assertOthersAreServed() throws Exception {
        assertEquals(1, honestOut.write(ByteBuffer.wrap(new byte[] {42})));
        assertTrue(honestIn.awaitReadable(TimeUnit.SECONDS.toNanos(10)));
        assertEquals(1, read(honestIn));
        keep(honest.meet(listener.address()).connect(TestAddresses.loopback(4), listener.address()));
        PeerSocket accepted = keep(listener.accept());
        while (accepted.peerAddress().getPort() != 4) {
            accepted = keep(listener.accept());
        }
    }

    private <T extends AutoCloseable> T keep(T resource) {
        assertNotNull(resource);
        mine.add(resource);
        return resource;
    }

    private int read(PeerSocket socket) throws PdException {
        return socket.read(ByteBuffer.allocate(1));
    }

    private void write(PeerSocket socket) throws PdException {
        socket.write(ByteBuffer.allocate(1));
    }

    private static int errno(Executable call) {
        return assertThrows(PdException.class, call).errno();
    }

    /** Asserts that the link is given up with a reason, and its connections are reset at both ends. */
    private void assertGivenUp(String reason) throws Exception {
        await().until(() -> StreamProbe.link(in).isBroken());
        assertTrue(
                StreamProbe.link(in).whyGivenUp().contains(reason),
                StreamProbe.link(in).whyGivenUp());
        PdException e = assertThrows(PdException.class, () -> read(in));
        assertTrue(e.getMessage().contains(reason), e.getMessage());
        assertEquals(Errno.EPROTO, errno(() -> write(in)));
        assertTrue((in.readiness(PdEpoll.IN) & PdEpoll.IN) != 0);
        raw.awaitEnd();
        assertEquals(1, raw.peer.getAcquire(LinkMemoryDescriptor.GIVEN_UP_OFFSET));
    }

    /** Asserts that only the connection fails, and that the program gets the failure. */
    private void assertFails() throws Exception {
        assertTrue((in.readiness(PdEpoll.IN) & PdEpoll.IN) != 0);
        assertEquals(Errno.EPROTO, errno(() -> read(in)));
        assertEquals(Errno.EPROTO, errno(() -> read(in)));
        assertEquals(Errno.EPROTO, errno(() -> write(in)));
        assertFalse(StreamProbe.link(in).isBroken());
        int flags = LinkMemoryDescriptor.flags(raw.peerWord(SLOT, LinkMemoryDescriptor.STATE_OFFSET), GENERATION);
        assertTrue((flags & LinkMemoryDescriptor.RESET) != 0, "the peer is not told");
    }

    @Test
    void writingMoreThanTheRingHoldsFailsTheConnection() throws Exception {
        raw.tail(SLOT, LinkMemoryDescriptor.BASE_RING_LENGTH + 1);
        assertFails();
    }

    @Test
    void aTailThatGoesBackFailsTheConnection() throws Exception {
        raw.tail(SLOT, 10);
        assertEquals(10, in.read(ByteBuffer.allocate(100)));
        raw.tail(SLOT, 9);
        assertFails();
    }

    @Test
    void aRingThatIsNoneFailsTheConnection() throws Exception {
        raw.word(SLOT, LinkMemoryDescriptor.RING_OFFSET, LinkMemoryDescriptor.ringWord(17, 16, 1));
        raw.tail(SLOT, 1);
        assertFails();
    }

    @Test
    void aRingOfASizeThatIsNoneFailsTheConnection() throws Exception {
        raw.word(SLOT, LinkMemoryDescriptor.RING_OFFSET, LinkMemoryDescriptor.ringWord(17, 31, 1));
        raw.tail(SLOT, 1);
        assertFails();
    }

    @Test
    void consumingWhatWasNotSentFailsTheConnection() throws Exception {
        ByteBuffer much = ByteBuffer.allocate(LinkMemoryDescriptor.BASE_RING_LENGTH);
        in.write(much);
        raw.word(SLOT, LinkMemoryDescriptor.HEAD_OFFSET, LinkMemoryDescriptor.BASE_RING_LENGTH + 1);
        assertEquals(Errno.EPROTO, errno(() -> write(in)));
        assertEquals(Errno.EPROTO, errno(() -> read(in)));
    }

    @Test
    void closedWithoutAnEndIsAnEnd() throws Exception {
        raw.sayState(SLOT, GENERATION, LinkMemoryDescriptor.OPEN | LinkMemoryDescriptor.CLOSED);
        assertTrue((in.readiness(PdEpoll.IN) & PdEpoll.IN) != 0);
        assertEquals(PdSocket.END_OF_STREAM, read(in));
    }

    @Test
    void theGenerationThatIsTakenBackIsStillClosedAtLast() throws Exception {
        raw.state(SLOT, GENERATION + 1, LinkMemoryDescriptor.OPEN);
        in.close();
        for (int i = 2; i < 20; i++) {
            raw.connect(SLOT, GENERATION + i, TestAddresses.loopback(3), listener.address());
            PeerSocket next = listener.accept();
            raw.state(SLOT, GENERATION, LinkMemoryDescriptor.OPEN);
            next.close();
        }
        listener.close();
        raw.awaitEnd();
        listener = network.listen(TestAddresses.loopback(1), 4);
    }

    @Test
    void moreConnectionsThanTheBacklogHoldsEndTheLinkAndNobodyIsReadyForThem() throws Exception {
        raw.memory.setRelease(LinkMemoryDescriptor.POSTED_OFFSET, 1000);
        assertEquals(PdEpoll.IN, listener.readiness(PdEpoll.IN));
        assertNull(listener.accept());
        assertEquals(0, listener.readiness(PdEpoll.IN));
        assertGivenUp("connections in a backlog");
    }

    @Test
    void aSlotInUseEndsTheLinkAndNobodyIsReadyForIt() throws Exception {
        raw.connect(SLOT, GENERATION + 1, TestAddresses.loopback(3), listener.address());
        assertNull(listener.accept());
        assertEquals(0, listener.readiness(PdEpoll.IN));
        assertGivenUp("is used twice");
    }

    @Test
    void connectionsThatMakeNoSenseArePassedOver() throws Exception {
        for (int i = 0; i < 3; i++) {
            raw.memory
                    .bytes()
                    .putInt(
                            LinkMemoryDescriptor.entry(raw.count) + LinkMemoryDescriptor.ENTRY_SLOT_OFFSET,
                            LinkMemoryDescriptor.MAX_CONNECTIONS);
            raw.next(LinkMemoryDescriptor.POSTED_OFFSET);
        }
        assertNull(listener.accept());
        raw.connect(SLOT + 1, GENERATION, TestAddresses.loopback(5), listener.address());
        assertEquals(5, keep(listener.accept()).peerAddress().getPort());
    }

    @Test
    void whoClosesItsBellIsNotRung() throws Exception {
        raw.bell[0].close();
        raw.word(SLOT, LinkMemoryDescriptor.READ_ARM_OFFSET, PeerArmWord.of(PeerArmWord.DISPATCHER, 1, 1));
        write(in);
        assertFalse(StreamProbe.link(in).isBroken());
    }

    @Test
    void whoNeverHearsItsBellIsRungInVain() throws Exception {
        for (int i = 1; i < 2000; i++) {
            raw.word(SLOT, LinkMemoryDescriptor.READ_ARM_OFFSET, PeerArmWord.of(PeerArmWord.DISPATCHER, i, 1));
            write(in);
        }
        assertTrue(raw.peer.getAcquire(LinkMemoryDescriptor.OVERFLOW_OFFSET) > 0);
        assertFalse(StreamProbe.link(in).isBroken());
    }

    @Test
    void whoNeverReadsStopsTheWriterOnly() throws Exception {
        ByteBuffer much = ByteBuffer.allocate(8 << 20);
        // After a wait of a millisecond, a writer gets the last ring.
        while (in.write(much) > 0 || in.awaitWritable(10_000_000)) {
            assertTrue(much.hasRemaining(), "no end");
        }
        assertTrue(much.position() < 6 << 20, "took " + much.position());
    }

    /** Makes the other side read its messages. */
    private void makeItRead() throws PdException {
        raw.word(SLOT, LinkMemoryDescriptor.READ_ARM_OFFSET, PeerArmWord.of(1000, raw.count++, 1));
        write(in);
    }

    @Test
    void messagesThatAreCutShortEndTheLink() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            raw.socket.send(arena.allocate(LinkMessageDescriptor.LENGTH - 1), 0, LinkMessageDescriptor.LENGTH - 1);
        }
        makeItRead();
        assertGivenUp("a message of 31 bytes that is invalid");
    }

    @Test
    void messagesThatAreTooLongEndTheLink() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            raw.socket.send(arena.allocate(LinkMessageDescriptor.LENGTH + 1), 0, LinkMessageDescriptor.LENGTH + 1);
        }
        makeItRead();
        assertGivenUp("longer than the 32 bytes");
    }

    @Test
    void messagesOfTheHandshakeEndTheLink() throws Exception {
        raw.introduce(LinkMessageDescriptor.HELLO);
        makeItRead();
        assertGivenUp("is invalid");
    }

    @Test
    void aBellOfAnotherKindEndsTheLink() throws Exception {
        Fd event = keep(EventFd.open()).fd();
        raw.say(LinkMessageDescriptor.BELL, 1, 0, event);
        makeItRead();
        assertGivenUp("is invalid");
    }

    @Test
    void moreDescriptorsThanAMessageHasEndTheLink() throws Exception {
        Fd event = keep(EventFd.open()).fd();
        raw.say(LinkMessageDescriptor.BELL, 1, 0, event, event, event, event);
        makeItRead();
        assertGivenUp("is invalid");
    }

    @Test
    void memoryThatCanShrinkFailsOnlyTheConnectionThatUsesIt() throws Exception {
        Fd open = keep(Memory.memfd("pd-open", Memory.PageSize.NORMAL));
        Memory.resize(open, RING);
        raw.say(LinkMessageDescriptor.RING, 1, RING, open);
        raw.word(SLOT, LinkMemoryDescriptor.RING_OFFSET, LinkMemoryDescriptor.ringWord(1, 16, 1));
        raw.tail(SLOT, 1);
        PdException e = assertThrows(PdException.class, () -> read(in));
        assertTrue(e.getMessage().contains("not sealed"), e.getMessage());
        assertFalse(StreamProbe.link(in).isBroken());
    }

    @Test
    void memoryThatIsTooSmallFailsOnlyTheConnectionThatUsesIt() throws Exception {
        Fd small = keep(SharedRegion.create("pd-small", RING / 2, false)).fd();
        raw.say(LinkMessageDescriptor.RING, 1, RING, small);
        raw.word(SLOT, LinkMemoryDescriptor.RING_OFFSET, LinkMemoryDescriptor.ringWord(1, 16, 1));
        raw.tail(SLOT, 1);
        assertThrows(PdException.class, () -> read(in));
        assertFalse(StreamProbe.link(in).isBroken());
    }

    @Test
    void memoryThatWasMetCannotBeShrunk() throws Exception {
        assertEquals(
                Errno.EPERM,
                assertThrows(LinuxException.class, () -> Memory.resize(raw.own.fd(), 4096))
                        .errno());
    }

    @Test
    void ringsThatNobodyReadsTakeNoMemoryAndNoMoreDescriptorsOrMappingsThanConnectionsNeed() throws Exception {
        makeItRead();
        long before = Leaks.mappings() + Leaks.settledDescriptors();
        int told = 0;
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 50; i++) {
                SharedRegion ring = keep(SharedRegion.create("pd-ring", RING, false));
                ring.allocate(0, RING);
                assertTrue(raw.say(LinkMessageDescriptor.RING, ++told, RING, ring.fd()));
                mine.removeLast().close();
            }
            makeItRead();
        }
        assertFalse(StreamProbe.link(in).isBroken());
        // Other threads close the rings that are given up.
        await().untilAsserted(() -> {
            long held = Leaks.mappings() + Leaks.descriptors() - before;
            assertTrue(held > 50 && held < 300, held + " mappings and descriptors");
        });
        assertEquals(0, Leaks.resident("pd-ring"));
    }

    @Test
    void moreRingsThanThereCanBeEndTheLink() throws Exception {
        Fd event = keep(EventFd.open()).fd();
        int told = 0;
        while (!StreamProbe.link(in).isBroken()) {
            assertTrue(told < 200_000, "no end");
            while (!StreamProbe.link(in).isBroken() && raw.say(LinkMessageDescriptor.RING, told + 1, RING, event)) {
                told++;
            }
            if (!StreamProbe.link(in).isBroken()) {
                makeItRead();
            }
        }
        assertGivenUp("ring");
    }

    @Test
    void bellsThatAreToldAgainAndAgainTakeNoMoreDescriptorsThanThereAreNumbers() throws Exception {
        // Count the descriptors that the link opens at its first use as there before.
        makeItRead();
        int before = Leaks.settledDescriptors();
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i < 50; i++) {
                assertTrue(raw.say(LinkMessageDescriptor.BELL, 1 + i, 0, raw.bell[1].fd()));
            }
            makeItRead();
            // Wait, because a link with too many pending closings is given up.
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> Leaks.descriptors() <= before + 2 * 50);
        }
        assertFalse(StreamProbe.link(in).isBroken());
        await().untilAsserted(() -> assertEquals(before + 50, Leaks.descriptors()));
    }

    @Test
    void aFloodOfMessagesStopsNobody() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<Void> flood = CompletableFuture.runAsync(() -> {
            LinkMessage message = new LinkMessage(new Disposal());
            while (!stop.get() && !StreamProbe.link(in).isBroken()) {
                try {
                    message.send(raw.socket, LinkMessageDescriptor.BELL, 1, 0, raw.bell[1].fd());
                } catch (LinuxException e) {
                    // The other side has shut the link down.
                    return;
                }
            }
        });
        try {
            for (int i = 0; i < 500 && StreamProbe.link(in).whyGivenUp() == null; i++) {
                makeItRead();
                assertOthersAreServed();
            }
        } catch (PdException e) {
            assertNotNull(StreamProbe.link(in).whyGivenUp(), e::getMessage);
        } finally {
            stop.set(true);
            flood.join();
        }
        String why = StreamProbe.link(in).whyGivenUp();
        assertTrue(why == null || why.contains("flood"), why);
    }

    @Test
    void aClientThatMakesLinksWithoutEndIsRefused() throws Exception {
        List<RawPeer> links = new ArrayList<>();
        try {
            IOException e = assertThrows(IOException.class, () -> {
                for (int i = 0; i < 100; i++) {
                    links.add(RawPeer.meet(listener.address()));
                }
            });
            assertTrue(e.getMessage().contains("got " + LinkMessageDescriptor.REFUSE), e.getMessage());
            assertTrue(links.size() < PeerListener.MAX_LINKS_OF_ONE, "let in: " + links.size());
        } finally {
            links.forEach(RawPeer::close);
        }
        await().until(() -> {
            try (RawPeer again = RawPeer.meet(listener.address())) {
                return again.peer != null;
            } catch (IOException e) {
                return false;
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLieAboutWhenItRangChangesHowLongIsLookedForItAlone(boolean throughAnEpoll) throws Exception {
        PeerWait wait = WaitProbe.newWait(in, PdEpoll.IN, SpinMode.ADAPTIVE);
        try (WiderWait wider = new WiderWait(SpinMode.ADAPTIVE)) {
            wider.epoll.add(in, PdEpoll.IN, null);
            for (int i = 1; i <= 30; i++) {
                FutureTask<Object> waiting =
                        new FutureTask<>(() -> throughAnEpoll ? wider.await() : wait.await(Long.MAX_VALUE));
                Thread.ofPlatform().start(waiting);
                await().pollInterval(Duration.ofMillis(1))
                        .until(() -> raw.peerWord(SLOT, LinkMemoryDescriptor.READ_ARM_OFFSET) != 0);
                Thread.sleep(1);
                long asleep = System.nanoTime();
                Thread.sleep(1);
                raw.word(SLOT, LinkMemoryDescriptor.RANG_OFFSET, asleep);
                raw.tail(SLOT, i);
                waiting.get();
                assertEquals(1, in.read(ByteBuffer.allocate(8)));
            }
        }
        assertTrue(StreamProbe.wakeUpNanos(in) > 90_000, () -> StreamProbe.wakeUpNanos(in) + " ns");
        assertEquals(WakeUpCost.UNMEASURED_NS, StreamProbe.wakeUpNanos(honestIn));
        assertEquals(WakeUpCost.UNMEASURED_NS, StreamProbe.wakeUpNanos(honestOut));
    }
}
