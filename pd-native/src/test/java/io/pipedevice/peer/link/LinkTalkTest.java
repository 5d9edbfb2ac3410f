// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Disposal;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.rendezvous.NetworkProbe;
import io.pipedevice.peer.rendezvous.PeerListener;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.ring.SendRing;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.RingLink;
import io.pipedevice.peer.stream.StreamProbe;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.Dispatcher;
import io.pipedevice.peer.wait.ReadyWriter;
import io.pipedevice.peer.wait.WaitProbe;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.TestAddresses;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bells that peers ring across a link, and larger rings that pass over it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LinkTalkTest {
    private static final int SIZE = 64 << 10;

    private final Leaks leaks = new Leaks();
    private final PeerNetwork server = unswept();
    private final PeerNetwork client = unswept();
    private final List<Bell> bells = new ArrayList<>();
    private final Map<Bell, ArrayDeque<Integer>> cookies = new HashMap<>();
    private PeerListener listener;
    private PeerSocket out;
    private PeerSocket in;

    /** A network whose links read nothing and release nothing by themselves. */
    private static PeerNetwork unswept() {
        Sweeper none = new Sweeper(1, task -> {
            throw new InternalError("the test lets no thread be created");
        });
        return NetworkProbe.network(10_000, new Disposal(), none);
    }

    @BeforeEach
    void connect() throws Exception {
        listener = server.listen(TestAddresses.loopback(1), 8);
        out = client.meet(listener.address()).connect(TestAddresses.loopback(2), listener.address());
        in = listener.accept();
    }

    @AfterEach
    void leavesNothing() {
        out.close();
        in.close();
        listener.close();
        client.close();
        server.close();
        bells.forEach(Bell::close);
        leaks.awaitNone();
    }

    private Bell bell() throws PdException {
        Bell bell = WaitProbe.openBell();
        bells.add(bell);
        return bell;
    }

    /** The cookie of the next ring of a bell; -1 if there is none. */
    private int cookie(Bell bell) {
        ArrayDeque<Integer> received = cookies.computeIfAbsent(bell, b -> new ArrayDeque<>());
        if (received.isEmpty()) {
            assertTrue(WaitProbe.drain(bell, received::add));
        }
        return received.isEmpty() ? -1 : received.poll();
    }

    @Test
    void theRightBellIsRungWithTheCookie() throws Exception {
        Bell first = bell();
        Bell second = bell();
        int one = StreamProbe.link(out).numberOf(first);
        int two = StreamProbe.link(out).numberOf(second);
        assertNotEquals(one, two);
        assertEquals(one, StreamProbe.link(out).numberOf(first));
        StreamProbe.link(in).ring(PeerArmWord.of(two, 1, 4711), ReadyWriter.Announcement.NONE);
        assertEquals(4711, cookie(second));
        assertEquals(-1, cookie(first));
        StreamProbe.link(in).ring(PeerArmWord.of(one, 2, PeerArmWord.MAX_COOKIE), ReadyWriter.Announcement.NONE);
        assertEquals(PeerArmWord.MAX_COOKIE, cookie(first));
    }

    @Test
    void theDispatcherHasABellOnEveryLink() throws Exception {
        assertEquals(PeerArmWord.DISPATCHER, StreamProbe.link(out).numberOf(Dispatcher.bell()));
    }

    @Test
    void aBellThatThereIsNotIsNotRung() {
        StreamProbe.link(in).ring(PeerArmWord.of(17, 1, 1), ReadyWriter.Announcement.NONE);
        StreamProbe.link(in).ring(1, ReadyWriter.Announcement.NONE);
        assertTrue(!StreamProbe.link(in).isBroken());
    }

    @Test
    void aBellThatReplacesAClosedOneIsRung() throws Exception {
        Bell old = bell();
        int number = StreamProbe.link(out).numberOf(old);
        StreamProbe.link(in).ring(PeerArmWord.of(number, 1, 1), ReadyWriter.Announcement.NONE);
        old.close();
        Bell young = bell();
        assertEquals(number, StreamProbe.link(out).numberOf(young));
        StreamProbe.link(in).ring(PeerArmWord.of(number, 2, 2), ReadyWriter.Announcement.NONE);
        assertEquals(2, cookie(young));
    }

    @Test
    void aBellThatIsFullIsCounted() throws Exception {
        Bell bell = bell();
        int number = StreamProbe.link(out).numberOf(bell);
        long before = StreamProbe.link(in).own().getAcquire(LinkMemoryDescriptor.OVERFLOW_OFFSET);
        int rings = 0;
        while (StreamProbe.link(out).peer().getAcquire(LinkMemoryDescriptor.OVERFLOW_OFFSET) == before) {
            StreamProbe.link(in).ring(PeerArmWord.of(number, rings, 7), ReadyWriter.Announcement.NONE);
            rings++;
        }
        int received = 0;
        while (cookie(bell) == 7) {
            received++;
        }
        assertEquals(rings - 1, received);
    }

    @Test
    void aLinkAnnouncesALimitedNumberOfBells() throws Exception {
        int announced = 0;
        while (StreamProbe.link(out).numberOf(bell()) != RingLink.NO_BELL) {
            announced++;
        }
        assertTrue(announced < PeerArmWord.MAX_BELLS);
        assertTrue(announced > 32, "only " + announced);
    }

    @Test
    void aBellIsAnnouncedOnceThePeerHasReadTheEarlierOnes() throws Exception {
        Bell last = bell();
        while (StreamProbe.link(out).numberOf(last) != RingLink.NO_BELL) {
            last = bell();
        }
        assertFalse(StreamProbe.arm(out, PdEpoll.IN, last, 1, 5));
        in.write(ByteBuffer.allocate(1));
        assertTrue(StreamProbe.arm(out, PdEpoll.IN, last, 2, 5));
        in.write(ByteBuffer.allocate(1));
        assertEquals(5, cookie(last));
    }

    @Test
    void theNumbersOfClosedBellsAreUsedAgain() throws Exception {
        int descriptors = Leaks.settledDescriptors();
        for (int i = 1; i < 3 * PeerArmWord.MAX_BELLS; i++) {
            Bell bell = bell();
            int number = StreamProbe.link(out).numberOf(bell);
            assertTrue(number == 1, "number " + number);
            StreamProbe.link(in).ring(PeerArmWord.of(number, i, i), ReadyWriter.Announcement.NONE);
            assertEquals(i, cookie(bell));
            bell.close();
        }
        await().untilAsserted(() -> assertTrue(Leaks.descriptors() <= descriptors + 1));
    }

    @Test
    void anArmedListenerIsRungOnceByEachArming() throws Exception {
        Bell bell = bell();
        assertTrue(WaitProbe.arm(listener, PdEpoll.IN, bell, 1, 99));
        PeerLink link = (ClientLink) StreamProbe.link(out);
        PeerSocket second = link.connect(TestAddresses.loopback(3), listener.address());
        PeerSocket third = link.connect(TestAddresses.loopback(4), listener.address());
        assertEquals(99, cookie(bell));
        assertEquals(-1, cookie(bell));
        assertTrue(WaitProbe.arm(listener, PdEpoll.IN, bell, 2, 98));
        second.close();
        third.close();
        link.connect(TestAddresses.loopback(5), listener.address()).close();
        assertEquals(98, cookie(bell));
        WaitProbe.disarm(listener, PdEpoll.IN);
        link.connect(TestAddresses.loopback(5), listener.address()).close();
        assertEquals(-1, cookie(bell));
    }

    @Test
    void aLinkThatComesLaterIsArmedToo() throws Exception {
        Bell bell = bell();
        assertTrue(WaitProbe.arm(listener, PdEpoll.IN, bell, 1, 99));
        try (PeerNetwork late = NetworkProbe.network(10_000)) {
            ClientLink link = (ClientLink) late.meet(listener.address());
            await().until(() -> link.peer().getAcquire(LinkMemoryDescriptor.ACCEPT_ARM_OFFSET) != 0);
            link.connect(TestAddresses.loopback(3), listener.address()).close();
            assertEquals(99, cookie(bell));
        }
    }

    @Test
    void aLargerRingIsReadByThePeerAlsoAfterTheSendersEnd() throws Exception {
        SendRing ring = StreamProbe.link(out).rings().take(SIZE);
        ring.bytes().put(SIZE - 1, (byte) 42);
        out.close();
        client.close();
        await().until(() -> StreamProbe.link(in).isBroken());
        ByteBuffer seen = StreamProbe.link(in).rings().ofPeer(ring.number(), SIZE);
        assertEquals(42, seen.get(SIZE - 1));
        assertTrue(seen.isReadOnly());
        assertThrows(PdException.class, () -> StreamProbe.link(in).rings().ofPeer(ring.number(), SIZE * 2));
        assertThrows(PdException.class, () -> StreamProbe.link(in).rings().ofPeer(ring.number() + 1, SIZE));
    }

    @Test
    void aRingThatIsGivenBackServesTheNextOne() throws Exception {
        SendRing ring = StreamProbe.link(out).rings().take(SIZE);
        StreamProbe.link(out).rings().give(ring);
        assertEquals(ring, StreamProbe.link(out).rings().take(SIZE));
        assertNotEquals(ring, StreamProbe.link(out).rings().take(SIZE));
    }

    @Test
    void aRingIsFreeWhenThePeersSlotIsAnotherConnectionsAlready() throws Exception {
        ByteBuffer much = ByteBuffer.allocate(10_000);
        in.write(much);
        assertTrue(much.position() > LinkMemoryDescriptor.BASE_RING_LENGTH, "no larger ring was needed");
        in.close();
        out.close();
        PeerLink link = client.meet(listener.address());
        boolean isAgain = false;
        // Connections use the first slots in turn.
        while (!isAgain) {
            try (PeerSocket next = link.connect(TestAddresses.loopback(3), listener.address());
                    PeerSocket accepted = listener.accept()) {
                isAgain = StreamProbe.slot(out) == StreamProbe.slot(next);
                if (isAgain) {
                    assertEquals(
                            1, StreamProbe.link(accepted).rings().take(SIZE).number());
                }
            }
        }
    }

    @Test
    void ringsThatAreNotNeededAreGivenUpByBothSides() throws Exception {
        List<SendRing> rings = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            rings.add(StreamProbe.link(out).rings().take(1 << 20));
            StreamProbe.link(in).rings().ofPeer(rings.get(i).number(), 1 << 20);
        }
        assertEquals(4 + 32, Leaks.mappings());
        rings.forEach(StreamProbe.link(out).rings()::give);
        assertEquals(4 + 8 + 16, Leaks.mappings());
        listener.close();
        in.close();
        assertEquals(4 + 8 + 8, Leaks.mappings());
    }

    @Test
    void aRingThatIsTakenBackStaysWhileItsBytesAreHandedOut() throws Exception {
        out.write(ByteBuffer.wrap(new byte[10_000]).put(9_999, (byte) 42));
        PdBuffer base = new PdBuffer();
        PdBuffer larger = new PdBuffer();
        assertEquals(LinkMemoryDescriptor.BASE_RING_LENGTH, in.recv(20_000, base));
        assertEquals(10_000 - base.length(), in.recv(20_000, larger));
        byte[] last = new byte[1];
        takeBackRings();
        StreamProbe.link(in).rings().ofPeer(10, 1 << 20);
        assertThrows(PdException.class, () -> StreamProbe.link(in).rings().ofPeer(1, SIZE));
        larger.copyTo(larger.length() - 1, last, 0, 1);
        assertEquals(42, last[0]);
        long mappings = Leaks.mappings();
        in.close();
        assertThrows(IllegalStateException.class, () -> larger.copyTo(0, last, 0, 1));
        assertEquals(mappings - 1, Leaks.mappings());
    }

    /** Takes back ring 1, which the other side has not read: no honest peer does that. */
    private void takeBackRings() {
        List<SendRing> rings = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            rings.add(StreamProbe.link(out).rings().take(1 << 20));
        }
        StreamProbe.link(out).rings().give(new SendRing(1, ByteBuffer.allocate(SIZE)));
        rings.forEach(StreamProbe.link(out).rings()::give);
    }

    @Test
    void noMoreRingsWhileThePeerReadsNothing() {
        SendRing ring = StreamProbe.link(out).rings().take(SIZE);
        int count = 0;
        while (ring != null) {
            count++;
            ring = StreamProbe.link(out).rings().take(SIZE);
        }
        assertTrue(count > 32, "only " + count);
        assertNull(StreamProbe.link(out).rings().take(SIZE));
        assertArrayEquals(new boolean[] {false, false}, new boolean[] {
            StreamProbe.link(out).isBroken(), StreamProbe.link(in).isBroken()
        });
    }
}
