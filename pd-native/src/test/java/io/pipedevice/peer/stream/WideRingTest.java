// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream whose peer does not read goes through a ring that is larger than those of other streams. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class WideRingTest {
    private static final int SLOT = 7;
    private static final int GENERATION = 3;
    private static final int BASE = LinkMemoryDescriptor.BASE_RING_LENGTH;
    private static final int MIDDLE = 64 << 10;
    private static final int READ = 256 << 10;
    private static final int WIDE = 1 << 20;
    private static final InetSocketAddress A = TestAddresses.loopback(1);
    private static final InetSocketAddress B = TestAddresses.loopback(2);

    private final byte[] content = new byte[8 * WIDE];
    private final ByteBuffer rest = ByteBuffer.wrap(content);
    private final ByteBuffer read = ByteBuffer.allocate(content.length);
    private FakeLink here;
    private FakeLink there;
    private PeerSocket a;
    private PeerSocket b;

    @BeforeEach
    void connect() throws IOException {
        new Random(1).nextBytes(content);
        FakeLink[] links = FakeLink.pair();
        here = links[0];
        there = links[1];
        a = open(here, A, B);
        b = open(there, B, A);
    }

    private static PeerSocket open(FakeLink link, InetSocketAddress from, InetSocketAddress to) {
        link.open(SLOT, GENERATION);
        return new PeerSocket(link, SLOT, GENERATION, from, to, new RingLimits(READ, WIDE));
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
        here.close();
        there.close();
    }

    /** Writes in pieces, as a program that does not wait, until it can get no more room. */
    private int fill(int piece) throws PdException {
        int before = rest.position();
        do {
            rest.limit(Math.min(content.length, rest.position() + piece));
            a.write(rest);
            while (rest.hasRemaining() && a.makesRoom()) {
                a.write(rest);
            }
            assertTrue(rest.position() < content.length, "there was room for everything");
        } while (!rest.hasRemaining());
        return rest.position() - before;
    }

    private void write(int length) throws PdException {
        rest.limit(rest.position() + length);
        while (rest.hasRemaining()) {
            assertTrue(a.write(rest) > 0 || a.awaitWritable(TimeUnit.SECONDS.toNanos(20)));
        }
    }

    private void readAll() throws PdException {
        read.limit(rest.position());
        while (read.hasRemaining()) {
            assertTrue(b.read(read) > 0);
        }
        assertEquals(
                ByteBuffer.wrap(content, 0, rest.position()), read.duplicate().flip());
    }

    private int largest() {
        return here.ownRings.values().stream()
                .mapToInt(ring -> (int) ring.size())
                .max()
                .orElse(BASE);
    }

    private int ring() {
        int slot = LinkMemoryDescriptor.slot(SLOT);
        long one = here.own().getAcquire(slot + LinkMemoryDescriptor.ringOffset(1));
        long other = here.own().getAcquire(slot + LinkMemoryDescriptor.ringOffset(2));
        return LinkMemoryDescriptor.ringLength(LinkMemoryDescriptor.later(one, other));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, BASE, 10_000, MIDDLE})
    void aNonBlockingWriterGetsTheWideRing(int piece) throws IOException {
        int taken = fill(piece);
        assertTrue(taken > WIDE + MIDDLE, "only " + taken);
        assertEquals(WIDE, ring());
        assertFalse(a.makesRoom());
        readAll();
    }

    @Test
    void aWaitingWriterGetsItWhenItsPeerReadsNothing() throws IOException {
        write(BASE + MIDDLE);
        write(WIDE);
        assertEquals(WIDE, ring());
        readAll();
    }

    @Test
    void itIsLeftWhenEverythingIsRead() throws IOException {
        fill(BASE);
        readAll();
        assertEquals(0, given(WIDE));
        write(1);
        assertEquals(READ, ring());
        assertEquals(1, given(WIDE));
        readAll();
    }

    private long given(int length) {
        return here.given.stream()
                .filter(ring -> ring.bytes().capacity() == length)
                .count();
    }

    @Test
    void itIsGivenBackWhenNobodyWritesAnyMore() throws IOException {
        fill(BASE);
        assertFalse(here.wide.leaveIfIdle());
        assertFalse(here.wide.leaveIfIdle(), "it is not read");
        readAll();
        write(0);
        assertTrue(here.wide.leaveIfIdle());
        assertEquals(1, given(WIDE));
        assertEquals(BASE, ring());
        assertTrue(here.wide.leaveIfIdle());
        write(100);
        assertTrue(fill(BASE) > WIDE);
        readAll();
        rest.limit(rest.position() + 1);
        a.write(rest);
        assertTrue(here.wide.leaveIfIdle(), "the write has left it");
        readAll();
    }

    @Test
    void itIsKeptForAWhile() throws IOException {
        fill(BASE);
        readAll();
        assertFalse(here.wide.leaveIfIdle(), "something was written since it was looked at last");
        assertEquals(WIDE, ring());
        assertTrue(here.wide.leaveIfIdle());
        assertEquals(BASE, ring());
    }

    @Test
    void itIsKeptWhileSomethingLiesThere() throws IOException {
        int taken = fill(BASE);
        read.limit(taken - 1);
        while (read.hasRemaining()) {
            b.read(read);
        }
        write(100);
        assertEquals(WIDE, ring());
        readAll();
        write(100);
        assertEquals(READ, ring());
    }

    /** Each round has as much room as the one before. */
    @Test
    void thereIsAsMuchRoomAgain() throws IOException {
        for (int i = 0; i < 5; i++) {
            int taken = fill(BASE);
            assertTrue(taken >= WIDE, "only " + taken);
            readAll();
        }
    }

    @Test
    void aStreamThatIsReadStaysInRingsThatFitTheCaches() throws IOException {
        while (rest.position() < 6 * WIDE) {
            write(READ / 2);
            readAll();
        }
        assertTrue(largest() <= READ, "a ring of " + largest());
    }

    /** A program that does not wait needs no wide ring either, as long as its peer reads. */
    @Test
    void shortBurstsThatAreReadNeedNoWideRing() throws IOException {
        write(2);
        readAll();
        for (int i = 0; i < 100; i++) {
            for (int j = 0; j < 4; j++) {
                rest.limit(rest.position() + BASE);
                a.write(rest);
                while (rest.hasRemaining()) {
                    assertTrue(a.makesRoom());
                    a.write(rest);
                }
            }
            readAll();
        }
        assertTrue(largest() <= READ, "a ring of " + largest());
    }

    @Test
    void withoutMemoryForItTheStreamKeepsItsOtherRings() throws IOException {
        write(BASE + 1);
        here.exhausted = true;
        assertEquals(MIDDLE - 1, fill(BASE));
        assertFalse(a.makesRoom());
        readAll();
        assertTrue(fill(BASE) > 0);
        here.exhausted = false;
        readAll();
        assertTrue(fill(BASE) > WIDE);
        here.exhausted = true;
        readAll();
        // The stream can only go back to the base ring.
        write(1);
        assertEquals(BASE, ring());
        readAll();
    }

    @Test
    void aBufferThatTheProgramAsksForBoundsBoth() throws IOException {
        a.sendSize(1);
        assertEquals(BASE + MIDDLE + 2 * MIDDLE, fill(BASE));
        readAll();
    }
}
