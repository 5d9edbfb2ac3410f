// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.peer.rendezvous.Leaks;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The free rings that are kept, and those that are released. */
@Timeout(60)
final class SendRingsTest {
    private static final int SMALL = SendRings.MIN_SIZE;
    private static final int LARGE = 4 * SMALL;

    private final Leaks leaks = new Leaks();
    private final Disposal disposal = new Disposal();
    private final LinkMessage message = new LinkMessage(disposal);
    private UnixSocket[] link;
    private SendRings rings;

    @BeforeEach
    void open() throws LinuxException {
        link = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        rings = new SendRings(link[0], message, new PeerBudget(64, 64).share(1));
    }

    @AfterEach
    void leavesNothing() {
        rings.close();
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
    void aRingIsKeptUntilThePeerCanBeTold() throws IOException {
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
