// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.ring.RingLimits;
import io.pipedevice.peer.wait.PlayedSource;
import io.pipedevice.peer.wait.WiderWait;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A writer that never blocks also gets the largest ring, when it would have to wait for a peer that does not read. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class GrantedRoomTest {
    private static final int SLOT = 7;
    private static final int GENERATION = 3;
    private static final int PIECE = LinkMemoryDescriptor.BASE_RING_LENGTH;
    private static final int MIDDLE_RING = 64 << 10;
    private static final int MAX_RING = 1 << 20;

    /** More looks than those after which a source is quiet. */
    private static final int MANY_LOOKS = 200;

    private static final InetSocketAddress A = TestAddresses.loopback(1);
    private static final InetSocketAddress B = TestAddresses.loopback(2);

    private final byte[] content = new byte[2 * MAX_RING];
    private final ByteBuffer rest = ByteBuffer.wrap(content);
    private FakeLink here;
    private FakeLink there;
    private PeerSocket a;
    private PeerSocket b;
    private WiderWait wait;

    @BeforeEach
    void connect() throws IOException {
        new Random(1).nextBytes(content);
        FakeLink[] links = FakeLink.pair();
        here = links[0];
        there = links[1];
        a = open(here, SLOT, A, B);
        b = open(there, SLOT, B, A);
    }

    private static PeerSocket open(FakeLink link, int slot, InetSocketAddress from, InetSocketAddress to) {
        link.open(slot, GENERATION);
        PeerSocket socket = new PeerSocket(link, slot, GENERATION, from, to, RingLimits.of(MAX_RING));
        link.socket = socket;
        return socket;
    }

    private void watch(SpinMode mode) throws IOException {
        wait = new WiderWait(mode);
        wait.epoll.add(a, PdEpoll.OUT, null);
    }

    @AfterEach
    void close() {
        wait.close();
        a.close();
        b.close();
        here.close();
        there.close();
    }

    /** Writes in pieces until a write finds no room. */
    private void fill() throws PdException {
        int written;
        do {
            rest.limit(Math.min(content.length, rest.position() + PIECE));
            written = a.write(rest);
        } while (written > 0);
        assertTrue(rest.hasRemaining(), "there was room for everything");
    }

    private int filled() {
        return rest.position();
    }

    /** Whether the wait reports the writer when the caller has found nothing and is about to sleep. */
    private boolean isReportedBeforeSleep() throws PdException {
        // A thread that was preempted since the last look finds it now.
        if (wait.epoll.look(wait.events) > 0) {
            return isReported();
        }
        wait.epoll.beforeSleep(wait.events);
        wait.epoll.afterSleep();
        return isReported();
    }

    private boolean isReported() {
        for (int i = 0; i < wait.events.count(); i++) {
            if (wait.events.source(i) == a) {
                assertEquals(PdEpoll.OUT, wait.events.events(i));
                return true;
            }
        }
        return false;
    }

    /** Asserts that a state that does not change keeps no thread awake. */
    private void assertSleeps(SpinMode mode) throws PdException {
        for (int i = 0; i < MANY_LOOKS; i++) {
            assertEquals(0, wait.epoll.look(wait.events));
            assertFalse(wait.epoll.spin(() -> false));
            // A thread that always spins never sleeps, but finds nothing.
            assertEquals(mode != SpinMode.ALWAYS, wait.epoll.beforeSleep(wait.events));
            wait.epoll.afterSleep();
            assertEquals(0, wait.events.count());
        }
    }

    private void assertReadsAll() throws PdException {
        ByteBuffer read = ByteBuffer.allocate(filled());
        while (read.hasRemaining()) {
            assertTrue(b.read(read) > 0);
        }
        assertEquals(ByteBuffer.wrap(content, 0, filled()), read.flip());
        assertEquals(0, b.read(ByteBuffer.allocate(1)));
    }

    @ParameterizedTest
    @EnumSource(SpinMode.class)
    void aWriterWithAFullRingIsReportedBeforeSleepAndWritesToTheLargest(SpinMode mode) throws IOException {
        fill();
        assertEquals(PIECE + MIDDLE_RING, filled());
        watch(mode);
        assertEquals(0, wait.epoll.look(wait.events), "the peer may read on in a moment");
        assertTrue(isReportedBeforeSleep());
        fill();
        assertEquals(PIECE + MIDDLE_RING + MAX_RING, filled());
        assertFalse(isReportedBeforeSleep());
        assertReadsAll();
    }

    @ParameterizedTest
    @EnumSource(SpinMode.class)
    void aWriterWhosePeerReadsNothingGetsMuchOutBeforeItHasToWait(SpinMode mode) throws IOException {
        watch(mode);
        int rounds = 0;
        while (wait.epoll.look(wait.events) > 0 || isReportedBeforeSleep()) {
            fill();
            assertTrue(++rounds < 10, "a busy loop");
        }
        assertTrue(filled() > 600_000, "only " + filled());
        assertReadsAll();
    }

    /** The writer writes two pieces whenever it is reported. */
    @ParameterizedTest
    @EnumSource(SpinMode.class)
    void aWriterThatNobodyHasAcceptedGetsAsMuchOut(SpinMode mode) throws IOException {
        a.close();
        a = open(here, SLOT + 1, A, B);
        watch(mode);
        while (filled() < 600_000 && (wait.epoll.look(wait.events) > 0 || isReportedBeforeSleep())) {
            rest.limit(rest.position() + 2 * PIECE);
            assertTrue(a.write(rest) > 0, "it was reported as writable");
        }
        assertTrue(filled() >= 600_000, "only " + filled());
        b.close();
        b = open(there, SLOT + 1, B, A);
        assertReadsAll();
    }

    /**
     * A piece that is larger than the present ring takes the last ring that the peer can be notified of before it
     * reads.
     */
    @Test
    void aPieceThatIsLargerThanTheRingGoesToTheLargestAtOnce() throws IOException {
        watch(SpinMode.NEVER);
        rest.limit(2 * PIECE);
        a.write(rest);
        rest.limit(2 * PIECE + 2 * MIDDLE_RING);
        a.write(rest);
        assertTrue(a.makesRoom());
        a.write(rest);
        fill();
        assertTrue(filled() > 600_000, "only " + filled());
        assertReadsAll();
    }

    @ParameterizedTest
    @EnumSource(SpinMode.class)
    void aWriterThatHasFilledTheLargestRingWaitsForItsPeer(SpinMode mode) throws IOException {
        watch(mode);
        fill();
        assertTrue(isReportedBeforeSleep());
        fill();
        assertSleeps(mode);
        assertReadsAll();
        assertEquals(1, wait.await());
        assertTrue(isReported());
    }

    @ParameterizedTest
    @EnumSource(SpinMode.class)
    void aWriterWithoutMemoryForALargerRingWaitsForItsPeer(SpinMode mode) throws IOException {
        watch(mode);
        here.exhausted = true;
        fill();
        assertEquals(PIECE, filled());
        assertTrue(isReportedBeforeSleep());
        fill();
        assertEquals(PIECE, filled());
        assertSleeps(mode);
        assertReadsAll();
        assertEquals(1, wait.await());
        assertTrue(isReported());
    }

    @ParameterizedTest
    @EnumSource(SpinMode.class)
    void aWriterAtItsSizeLimitWaitsForItsPeer(SpinMode mode) throws IOException {
        watch(mode);
        a.sendSize(1);
        fill();
        assertEquals(PIECE + MIDDLE_RING, filled());
        assertTrue(isReportedBeforeSleep());
        fill();
        assertEquals(PIECE + MIDDLE_RING + 2 * MIDDLE_RING, filled());
        assertSleeps(mode);
    }

    @ParameterizedTest
    @EnumSource(SpinMode.class)
    void aSocketWithoutInterestInWritingIsNotReported(SpinMode mode) throws IOException {
        watch(mode);
        fill();
        wait.epoll.modify(a, PdEpoll.IN);
        assertSleeps(mode);
        wait.epoll.modify(a, PdEpoll.OUT);
        assertTrue(isReportedBeforeSleep());
    }

    /** Another source is always ready, so that the caller never sleeps. */
    @ParameterizedTest
    @EnumSource
    void aBusyNeighbourDoesNotKeepItFromTheLargest(SpinMode mode) throws IOException {
        PlayedSource busy = new PlayedSource();
        busy.publish(PdEpoll.IN);
        watch(mode);
        wait.epoll.add(busy, PdEpoll.IN, null);
        fill();
        for (int i = 0; i < MANY_LOOKS && !isReported(); i++) {
            assertTrue(wait.epoll.look(wait.events) > 0);
        }
        fill();
        assertEquals(PIECE + MIDDLE_RING + MAX_RING, filled());
    }
}
