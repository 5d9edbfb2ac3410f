// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DoorbellTest {
    private UnixSocket ringer;
    private UnixSocket sleeper;

    private void open(UnixSocket.Type type) throws IOException {
        UnixSocket[] pair = UnixSocket.pair(type);
        ringer = pair[0];
        sleeper = pair[1];
    }

    @AfterEach
    void close() {
        ringer.close();
        sleeper.close();
    }

    @ParameterizedTest
    @EnumSource(UnixSocket.Type.class)
    void aRingWakesAndIsDrained(UnixSocket.Type type) throws IOException {
        open(type);
        assertEquals(0, sleeper.drain());
        assertTrue(ringer.ring());
        Poll poll = new Poll(1);
        poll.add(sleeper.fd(), Poll.IN);
        assertEquals(1, poll.await(-1));
        assertEquals(1, sleeper.drain());
        assertEquals(0, poll.await(0));
        assertEquals(0, sleeper.drain());
    }

    @ParameterizedTest
    @EnumSource(UnixSocket.Type.class)
    void ringingAFullDoorbellCountsAsRung(UnixSocket.Type type) throws IOException {
        open(type);
        try (Arena arena = Arena.ofConfined()) {
            var byteOfData = arena.allocate(1);
            while (ringer.send(byteOfData, 0, 1) != UnixSocket.WOULD_BLOCK) {
                assertTrue(ringer.fd().isOpen());
            }
        }
        for (int i = 0; i < 1000; i++) {
            assertTrue(ringer.ring());
        }
        Poll poll = new Poll(1);
        poll.add(sleeper.fd(), Poll.IN);
        int drains = 0;
        while (poll.await(0) == 1) {
            int count = sleeper.drain();
            assertTrue(count > 0 && count <= UnixSocket.DRAIN_LIMIT, "drained " + count);
            drains++;
        }
        assertTrue(drains > 0);
        assertEquals(0, sleeper.drain());
        assertTrue(ringer.ring());
        assertEquals(1, sleeper.drain());
    }

    @ParameterizedTest
    @EnumSource(UnixSocket.Type.class)
    void aPeerThatIsGoneCannotBeRung(UnixSocket.Type type) throws IOException {
        open(type);
        sleeper.close();
        assertFalse(ringer.ring());
        assertEquals(-1, ringer.drain());
    }

    @ParameterizedTest
    @EnumSource(UnixSocket.Type.class)
    void aPeerThatWentWithoutListeningIsGoneToo(UnixSocket.Type type) throws IOException {
        open(type);
        assertTrue(ringer.ring());
        sleeper.close();
        // The kernel reports the reset once, then a broken pipe.
        assertFalse(ringer.ring());
        assertFalse(ringer.ring());
        assertEquals(-1, ringer.drain());
    }

    @ParameterizedTest
    @EnumSource(UnixSocket.Type.class)
    void drainSeesTheEndBehindTheLastRing(UnixSocket.Type type) throws IOException {
        open(type);
        assertTrue(ringer.ring());
        ringer.close();
        assertEquals(-1, sleeper.drain());
        assertEquals(-1, sleeper.drain());
    }

    @ParameterizedTest
    @EnumSource(UnixSocket.Type.class)
    void aClosedDoorbellNeitherRingsNorReceives(UnixSocket.Type type) throws IOException {
        open(type);
        ringer.close();
        sleeper.close();
        assertFalse(ringer.ring());
        assertEquals(-1, sleeper.drain());
    }
}
