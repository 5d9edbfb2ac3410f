// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.ring.SendRings;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.StreamProbe;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.WaitProbe;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.TestAddresses;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that were busy once give their larger rings back when they are quiet. */
@Timeout(60)
final class ShrinkingTest {
    private static final int PATIENCE_MS = 10_000;

    /** The mappings that stay on both sides: two memories of the link, and the free rings that it keeps. */
    private static final int KEPT = 4 + 2 * ((4 << 20) / SendRings.MIN_SIZE);

    private final Leaks leaks = new Leaks();
    private final PeerNetwork server = new PeerNetwork(PATIENCE_MS);
    private final PeerNetwork client = new PeerNetwork(PATIENCE_MS);
    private final List<PeerSocket> out = new ArrayList<>();
    private final List<PeerSocket> in = new ArrayList<>();
    private final Random random = new Random(7);
    private Bell bell;
    private long generation;

    @BeforeEach
    void open() throws PdException {
        bell = WaitProbe.openBell();
    }

    @AfterEach
    void leavesNothing() {
        out.forEach(PeerSocket::close);
        in.forEach(PeerSocket::close);
        client.close();
        server.close();
        bell.close();
        leaks.awaitNone();
    }

    private void connect(int count) throws Exception {
        PeerListener listener = server.listen(TestAddresses.loopback(1), count);
        for (int i = 0; i < count; i++) {
            out.add(client.meet(listener.address()).connect(TestAddresses.loopback(2), listener.address()));
            in.add(listener.accept());
        }
    }

    /** Sends to a sleeping reader, and checks the bytes that arrive. */
    private void exchange(int i, int length) throws PdException {
        byte[] content = new byte[length];
        random.nextBytes(content);
        StreamProbe.arm(in.get(i), PdEpoll.IN, bell, ++generation, 0);
        ByteBuffer source = ByteBuffer.wrap(content);
        ByteBuffer target = ByteBuffer.allocate(length);
        while (target.hasRemaining()) {
            out.get(i).write(source);
            in.get(i).read(target);
        }
        assertEquals(source.rewind(), target.flip());
    }

    private boolean allExchange(int length) throws PdException {
        for (int i = 0; i < out.size(); i++) {
            exchange(i, length);
        }
        return true;
    }

    @Test
    void manyThatWereBusyOnceNeedNoMoreMemoryThanIdleOnes() throws Exception {
        connect(1000);
        allExchange(10_000);
        assertTrue(Leaks.mappings() >= 2 * 1000, "they have larger rings");
        await().until(() -> allExchange(100) && Leaks.mappings() <= KEPT);
        allExchange(20_000);
        assertTrue(Leaks.mappings() >= 2 * 1000, "they have larger rings again");
    }

    @Test
    void burstsKeepTheirRing() throws Exception {
        connect(1);
        long start = System.nanoTime();
        exchange(0, 10_000);
        long mappings = Leaks.mappings();
        long last = start;
        boolean wasHeldUp = false;
        // The pauses between the bursts are full of small messages.
        while (last - start < 3 * StreamProbe.QUIET_NS) {
            exchange(0, 10_000);
            for (int i = 0; i < 1000; i++) {
                exchange(0, 10);
            }
            long now = System.nanoTime();
            // On a machine that does other things a pause may be as long as a quiet time.
            wasHeldUp |= now - last > StreamProbe.QUIET_NS / 2;
            last = now;
            assertTrue(wasHeldUp || LinkMemoryDescriptor.ringNumber(ringWord()) == 1);
        }
        assertTrue(wasHeldUp || mappings == Leaks.mappings());
        await().atMost(20, TimeUnit.SECONDS).until(() -> {
            exchange(0, 10);
            return LinkMemoryDescriptor.ringNumber(ringWord()) == 0;
        });
    }

    /** Without its ring, the large write would need another one at once. */
    @Test
    void aLargeWriteAfterAQuietTimeKeepsItsRing() throws Exception {
        connect(1);
        exchange(0, 10_000);
        long ring = ringWord();
        findNotNeeded();
        exchange(0, 10_000);
        assertEquals(ring, ringWord());
        findNotNeeded();
        exchange(0, 10);
        assertEquals(0, LinkMemoryDescriptor.ringNumber(ringWord()));
    }

    /** A peer that reads nothing yet can be notified of only one more ring, which should be the largest. */
    @Test
    void smallWritesAfterAQuietTimeLeaveTheLargestRingForAWaitingWriter() throws Exception {
        connect(1);
        exchange(0, 10_000);
        findNotNeeded();
        byte[] content = new byte[1 << 20];
        random.nextBytes(content);
        ByteBuffer rest = ByteBuffer.wrap(content);
        fillInPieces(rest);
        assertTrue(out.getFirst().makesRoom());
        fillInPieces(rest);
        assertTrue(rest.position() > 600_000, "only " + rest.position());
        ByteBuffer target = ByteBuffer.allocate(rest.position());
        while (target.hasRemaining()) {
            assertTrue(in.getFirst().read(target) > 0);
        }
        assertEquals(rest.flip(), target.flip());
    }

    private void fillInPieces(ByteBuffer rest) throws PdException {
        int written;
        do {
            rest.limit(Math.min(rest.capacity(), rest.position() + 100));
            written = out.getFirst().write(rest);
        } while (written > 0);
    }

    private void findNotNeeded() throws Exception {
        exchange(0, 10);
        TimeUnit.NANOSECONDS.sleep(StreamProbe.QUIET_NS + StreamProbe.QUIET_NS / 10);
        exchange(0, 10);
    }

    private long ringWord() {
        PeerSocket socket = out.getFirst();
        int slot = LinkMemoryDescriptor.slot(StreamProbe.slot(socket));
        LinkMemory own = StreamProbe.link(socket).own();
        return LinkMemoryDescriptor.later(
                own.getAcquire(slot + LinkMemoryDescriptor.ringOffset(1)),
                own.getAcquire(slot + LinkMemoryDescriptor.ringOffset(2)));
    }
}
