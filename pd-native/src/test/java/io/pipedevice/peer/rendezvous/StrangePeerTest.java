// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.StreamProbe;
import io.pipedevice.peer.wait.PeerWait;
import io.pipedevice.peer.wait.WaitProbe;
import io.pipedevice.peer.wait.WakeUpCost;
import io.pipedevice.peer.wait.WiderWait;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that make a proper link and then break the protocol. Another client is served in every case. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class StrangePeerTest extends StrangeConnection {
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
    void anUnknownRingNumberFailsTheConnection() throws Exception {
        raw.word(SLOT, LinkMemoryDescriptor.RING_OFFSET, LinkMemoryDescriptor.ringWord(17, 16, 1));
        raw.tail(SLOT, 1);
        assertFails();
    }

    @Test
    void anInvalidRingSizeFailsTheConnection() throws Exception {
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
    void moreConnectionsThanTheBacklogHoldsEndTheLinkAndLeaveTheListenerNotReady() throws Exception {
        raw.memory.setRelease(LinkMemoryDescriptor.POSTED_OFFSET, 1000);
        assertEquals(PdEpoll.IN, listener.readiness(PdEpoll.IN));
        assertNull(listener.accept());
        assertEquals(0, listener.readiness(PdEpoll.IN));
        assertGivenUp("connections in a backlog");
    }

    @Test
    void aSlotInUseEndsTheLinkAndLeavesTheListenerNotReady() throws Exception {
        raw.connect(SLOT, GENERATION + 1, TestAddresses.loopback(3), listener.address());
        assertNull(listener.accept());
        assertEquals(0, listener.readiness(PdEpoll.IN));
        assertGivenUp("is used twice");
    }

    @Test
    void invalidConnectionEntriesAreSkipped() throws Exception {
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
    void aClosedBellDoesNotBreakTheLink() throws Exception {
        raw.bell[0].close();
        raw.word(SLOT, LinkMemoryDescriptor.READ_ARM_OFFSET, PeerArmWord.of(PeerArmWord.DISPATCHER, 1, 1));
        write(in);
        assertFalse(StreamProbe.link(in).isBroken());
    }

    @Test
    void aFullBellIsCountedAndDoesNotBreakTheLink() throws Exception {
        for (int i = 1; i < 2000; i++) {
            raw.word(SLOT, LinkMemoryDescriptor.READ_ARM_OFFSET, PeerArmWord.of(PeerArmWord.DISPATCHER, i, 1));
            write(in);
        }
        assertTrue(raw.peer.getAcquire(LinkMemoryDescriptor.OVERFLOW_OFFSET) > 0);
        assertFalse(StreamProbe.link(in).isBroken());
    }

    @Test
    void aPeerThatNeverReadsStopsTheWriter() throws Exception {
        ByteBuffer much = ByteBuffer.allocate(8 << 20);
        // After a wait of a millisecond, a writer gets the last ring.
        while (in.write(much) > 0 || in.awaitWritable(10_000_000)) {
            assertTrue(much.hasRemaining(), "no end");
        }
        assertTrue(much.position() < 6 << 20, "took " + much.position());
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
            assertTrue(links.size() < ListenerLinks.MAX_LINKS_OF_ONE, "let in: " + links.size());
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
    void aForgedRingTimestampChangesTheSpinOfItsOwnConnectionOnly(boolean throughAnEpoll) throws Exception {
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
