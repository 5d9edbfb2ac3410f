// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.RingBudget;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.test.Leaks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The free rings that are kept, and those that are released. */
@Timeout(60)
final class SendRingsTest {
    private static final int SMALL = SendRings.MIN_SIZE;
    private static final int LARGE = 4 * SMALL;
    private static final int BUDGET = 16 << 20;

    private final Leaks leaks = new Leaks();
    private final Disposal disposal = new Disposal();
    private final LinkMessage message = new LinkMessage(disposal);
    private final RingBudget budget = new RingBudget(BUDGET);
    private UnixSocket[] link;
    private SendRings rings;

    @BeforeEach
    void open() throws LinuxException {
        link = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        rings = new SendRings(link[0], message, new PeerBudget(64, 64).share(1), budget);
    }

    @AfterEach
    void leavesNothing() {
        rings.close();
        assertEquals(0, budget.used());
        link[0].close();
        link[1].close();
        disposal.close();
        leaks.awaitNone();
    }

    @Test
    void aFreeRingOutlastsOneSweep() throws IOException {
        rings.give(rings.take(SMALL));
        rings.sweep();
        assertTrue(rings.hasFree());
        assertEquals(1, Leaks.mappings());
        rings.sweep();
        assertFalse(rings.hasFree());
        assertEquals(0, Leaks.mappings());
    }

    @Test
    void whatIsWantedBetweenSweepsStays() throws IOException {
        SendRing wanted = rings.take(SMALL);
        SendRing larger = rings.take(LARGE);
        rings.give(wanted);
        rings.give(larger);
        for (int i = 0; i < 5; i++) {
            assertSame(wanted, rings.take(SMALL));
            rings.give(wanted);
            rings.sweep();
        }
        assertEquals(1, Leaks.mappings());
    }

    @Test
    void theMostThatWereWantedAtATimeStay() throws IOException {
        SendRing[] all = {rings.take(SMALL), rings.take(SMALL), rings.take(SMALL)};
        for (SendRing ring : all) {
            rings.give(ring);
        }
        rings.sweep();
        SendRing one = rings.take(SMALL);
        SendRing two = rings.take(SMALL);
        rings.give(one);
        rings.give(two);
        rings.give(rings.take(SMALL));
        rings.sweep();
        assertEquals(2, Leaks.mappings());
    }

    @Test
    void freeRingsOfTheSizeOfThoseInUseAreKept() throws IOException {
        SendRing[] all = {rings.take(4 << 20), rings.take(4 << 20), rings.take(4 << 20), rings.take(4 << 20)};
        for (int i = 0; i < 3; i++) {
            rings.give(all[i]);
        }
        assertEquals(4, Leaks.mappings());
        rings.give(all[3]);
        assertEquals(2, Leaks.mappings());
    }

    /** More than the peer permits. */
    @Test
    void noMoreFreeRingsAreKept() throws IOException {
        rings.close();
        rings = new SendRings(link[0], message, new PeerBudget(1024, 1024).share(1), budget);
        rings.take(4 << 20);
        List<SendRing> all = new ArrayList<>();
        while (all.size() <= PeerRings.MOST_FREE) {
            all.add(rings.take(SMALL));
            link[1].drain();
        }
        for (SendRing ring : all) {
            rings.give(ring);
        }
        assertEquals(PeerRings.MOST_FREE + 1, Leaks.mappings());
    }

    @Test
    void aRingIsSmallerWhereTheBudgetHasNoRoomForTheWantedOne() {
        assertEquals(2 << 20, rings.take(4 << 20, SMALL, null).bytes().capacity());
        assertEquals(1 << 20, rings.take(4 << 20, SMALL, null).bytes().capacity());
        assertEquals(3 << 20, budget.used());
        assertNull(rings.take(4 << 20, 2 << 20, null));
        assertEquals(3 << 20, budget.used());
    }

    @Test
    void freeRingsOfTheLinkGiveWayToTheWantedOne() throws IOException {
        for (int i = 0; i < 3; i++) {
            assertNotNull(rings.take(4 << 20));
        }
        SendRing last = rings.take(4 << 20);
        assertEquals(BUDGET, budget.used());
        assertNull(rings.take(SMALL));
        assertNull(rings.take(SMALL, SMALL, null));
        rings.give(last);
        assertEquals(BUDGET, budget.used());
        assertEquals(SMALL, rings.take(SMALL, SMALL, null).bytes().capacity());
        assertEquals((12 << 20) + SMALL, budget.used());
    }

    @Test
    void aRingThatCannotBeAnnouncedDoesNotCount() throws IOException {
        while (message.send(link[0], LinkMessageDescriptor.RING, 99, 0)) {
            Thread.onSpinWait();
        }
        assertNull(rings.take(SMALL));
        assertNull(rings.take(SMALL, SMALL, null));
        assertEquals(0, budget.used());
        link[1].drain();
    }

    @Test
    void aRingWithoutAMappingForItDoesNotCount() {
        for (int i = 0; i < 32; i++) {
            assertNotNull(rings.take(SMALL));
        }
        assertNull(rings.take(SMALL));
        assertEquals(32 * SMALL, budget.used());
    }

    @Test
    void aRingIsKeptUntilThePeerCanBeNotified() throws IOException {
        rings.give(rings.take(SMALL));
        while (message.send(link[0], LinkMessageDescriptor.RING, 99, 0)) {
            Thread.onSpinWait();
        }
        rings.sweep();
        rings.sweep();
        assertEquals(1, Leaks.mappings());
        link[1].drain();
        rings.sweep();
        assertEquals(0, Leaks.mappings());
    }
}
