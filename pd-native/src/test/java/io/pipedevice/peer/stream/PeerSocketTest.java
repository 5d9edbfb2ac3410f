// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.wait.PeerEpoll;
import io.pipedevice.peer.wait.WaitProbe;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PeerSocketTest extends ConnectedSockets {
    @Test
    void carriesWhatWasWrittenBeforeTheOtherSideAccepted() throws PdException {
        ByteBuffer sent = bytes(100_000);
        assertEquals(100_000, a.write(sent));
        accept();
        assertReads(sent, b);
        assertEquals(0, b.read(ByteBuffer.allocate(1)));
    }

    @Test
    void aWaitForNothingSleepsAlsoWhenThePeerIsGone() throws PdException {
        try (PeerEpoll epoll = WaitProbe.newEpoll(SpinMode.NEVER)) {
            PdEvents events = new PdEvents(1);
            epoll.add(a, 0, null);
            here.broken = true;
            assertEquals(0, epoll.look(events));
            assertTrue(epoll.beforeSleep(events));
            epoll.afterSleep();
        }
    }

    @Test
    void ignoresAnEarlierConnectionInItsSlot() throws PdException {
        there.open(SLOT, GENERATION - 1);
        int offset = LinkMemoryDescriptor.slot(SLOT);
        there.own().setRelease(offset + LinkMemoryDescriptor.TAIL_OFFSET, 99);
        there.own()
                .setRelease(offset + LinkMemoryDescriptor.STATE_OFFSET, LinkMemoryDescriptor.state(GENERATION - 1, 15));
        assertEquals(0, a.read(ByteBuffer.allocate(1)));
        assertEquals(0, a.available());
        assertEquals(0, a.readiness(PdEpoll.IN));
        assertEquals(1, a.write(bytes(1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 1000, 4096, 5000, 65536, 1_000_000})
    void carriesAStreamOfMessages(int length) throws Exception {
        accept();
        long total = Math.min(16L << 20, length * 100_000L) / length * length;
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(total, length));
        ByteBuffer in = ByteBuffer.allocateDirect(70_000);
        long position = 0;
        while (position < total) {
            in.clear();
            if (b.read(in) == 0) {
                b.awaitReadable(Long.MAX_VALUE);
                continue;
            }
            in.flip();
            while (in.hasRemaining()) {
                assertEquals((byte) ((position * 31) >> 3), in.get());
                position++;
            }
        }
        writer.get(50, TimeUnit.SECONDS);
        assertEquals(0, b.available());
    }

    private void write(long total, int length) {
        ByteBuffer out = ByteBuffer.allocateDirect(length);
        try {
            for (long position = 0; position < total; ) {
                out.clear();
                while (out.hasRemaining()) {
                    out.put((byte) ((position++ * 31) >> 3));
                }
                out.flip();
                while (out.hasRemaining()) {
                    if (a.write(out) == 0) {
                        a.awaitWritable(Long.MAX_VALUE);
                    }
                }
            }
        } catch (PdException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void readsWhatCameAfterWhatTheReadBeforeHadLeft() throws PdException {
        accept();
        assertEquals(10, b.write(bytes(10)));
        assertEquals(4, a.read(ByteBuffer.allocate(4)));
        assertEquals(20, b.write(bytes(20)));
        assertEquals(26, a.available());
        assertEquals(20, b.write(bytes(20)));
        assertEquals(46, a.read(ByteBuffer.allocate(100)));
    }

    @Test
    void ringsOncePerArming() throws PdException {
        accept();
        b.arm(PdEpoll.IN, null, 1, 0);
        a.write(bytes(1));
        a.write(bytes(1));
        assertEquals(1, here.rings.get());
        b.arm(PdEpoll.IN, null, 2, 0);
        a.write(bytes(1));
        assertEquals(2, here.rings.get());
        b.disarm(PdEpoll.IN);
        a.write(bytes(1));
        assertEquals(2, here.rings.get());
    }

    @Test
    void readsThePeersProcessorAfterThePeersFirstWait() {
        accept();
        assertFalse(a.sharesProcessor(1), "the peer has not said where it is");
        assertTrue(b.sharesProcessor(1));
        assertFalse(b.sharesProcessor(0));
        assertTrue(a.sharesProcessor(0));
        assertFalse(a.sharesProcessor(-1));
        assertFalse(b.sharesProcessor(-1), "the kernel tells neither thread its processor");
    }

    @Test
    void ringsForAWriterWhenAQuarterIsFree() throws PdException {
        accept();
        here.exhausted = true;
        a.write(bytes(5000));
        a.arm(PdEpoll.OUT, null, 1, 0);
        b.read(ByteBuffer.allocate(700));
        assertEquals(0, there.rings.get());
        b.read(ByteBuffer.allocate(1000));
        assertEquals(1, there.rings.get());
        assertEquals(PdEpoll.OUT, a.readiness(PdEpoll.OUT));
    }

    /** A read that has copied bytes before it finds the wrong switch does not report the failure. */
    @Test
    void aSwitchThatCannotBeIsFoundByTheNextReadToo() throws PdException {
        a.write(bytes(100));
        accept();
        assertEquals(50, b.read(ByteBuffer.allocate(50)));
        int slot = LinkMemoryDescriptor.slot(SLOT);
        here.own().setRelease(slot + LinkMemoryDescriptor.switchOffset(1), 10);
        here.own().setRelease(slot + LinkMemoryDescriptor.ringOffset(1), LinkMemoryDescriptor.ringWord(1, 16, 1));
        here.own().setRelease(slot + LinkMemoryDescriptor.TAIL_OFFSET, 150);
        assertEquals(50, b.read(ByteBuffer.allocate(100)));
        PdException e = assertThrows(PdException.class, () -> b.read(ByteBuffer.allocate(100)));
        assertEquals(Errno.EPROTO, e.errno());
    }

    /** Values that no honest peer writes, in any word, cause an error or nothing, but no damage. */
    @Test
    void survivesAnyWordOfThePeer() throws PdException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] words = {
            LinkMemoryDescriptor.TAIL_OFFSET,
            LinkMemoryDescriptor.ringOffset(1),
            LinkMemoryDescriptor.switchOffset(1),
            LinkMemoryDescriptor.ringOffset(2),
            LinkMemoryDescriptor.switchOffset(2),
            LinkMemoryDescriptor.HEAD_OFFSET,
            LinkMemoryDescriptor.READ_ARM_OFFSET,
            LinkMemoryDescriptor.WRITE_ARM_OFFSET
        };
        for (int round = 0; round < 2000; round++) {
            int generation = 10 + round;
            here.open(SLOT, generation);
            there.open(SLOT, generation);
            PeerSocket socket = new PeerSocket(here, SLOT, generation, A, B, RingLimits.of(MAX_RING));
            for (int step = 0; step < 20; step++) {
                int word = words[random.nextInt(words.length)];
                long value =
                        random.nextBoolean() ? random.nextLong() : random.nextLong(-10, 1 << random.nextInt(1, 30));
                boolean ring = word == LinkMemoryDescriptor.ringOffset(1) || word == LinkMemoryDescriptor.ringOffset(2);
                if (ring && random.nextBoolean()) {
                    value = LinkMemoryDescriptor.ringWord(
                            random.nextInt(3), random.nextInt(1 << 9), 1 + random.nextInt(3));
                }
                there.own().setRelease(LinkMemoryDescriptor.slot(SLOT) + word, value);
                try {
                    int n = random.nextInt(10_000);
                    long count = switch (random.nextInt(3)) {
                        case 0 -> socket.read(ByteBuffer.allocate(n));
                        case 1 -> socket.write(ByteBuffer.allocate(n));
                        default ->
                            socket.write(
                                    new ByteBuffer[] {ByteBuffer.allocate(n / 2), ByteBuffer.allocate(n - n / 2)},
                                    0,
                                    2);
                    };
                    assertTrue(count >= 0 && count <= 10_000, "seed " + seed);
                    socket.readiness(PdEpoll.IN | PdEpoll.OUT);
                    socket.available();
                } catch (PdException e) {
                    assertEquals(Errno.EPROTO, e.errno(), "seed " + seed);
                }
            }
        }
    }
}
