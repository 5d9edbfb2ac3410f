// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.ring;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.test.Leaks;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rings that a peer announces while this process has no room for another mapping. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PeerRingsTest {
    private static final int SIZE = 64 << 10;
    private static final int NUMBER = 1;

    private final Leaks leaks = new Leaks();
    private final Disposal disposal = new Disposal();
    private final LinkMessage message = new LinkMessage(disposal);
    private final PeerRings rings = new PeerRings(disposal, () -> 1, new PeerBudget(8, 8).share(1), this::map);
    private boolean full = true;
    private UnixSocket[] pair;
    private SharedRegion ring;

    @BeforeEach
    void open() throws IOException {
        pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        ring = SharedRegion.create("pd-ring", SIZE, false);
        ring.allocate(0, SIZE);
        ring.memory().set(ValueLayout.JAVA_BYTE, SIZE - 1, (byte) 42);
    }

    @AfterEach
    void leavesNothing() {
        rings.close();
        message.dropDescriptors();
        ring.close();
        pair[0].close();
        pair[1].close();
        disposal.close();
        leaks.awaitNone();
    }

    private SharedRegion map(Fd fd, long size) throws LinuxException {
        if (full) {
            throw new LinuxException("mmap", Errno.ENOMEM);
        }
        return SharedRegion.map(fd, size);
    }

    private void announce(long size, Fd... fds) throws IOException {
        assertTrue(message.send(pair[0], LinkMessageDescriptor.RING, NUMBER, size, fds));
        assertEquals(LinkMessageDescriptor.LENGTH, message.receive(pair[1]));
        rings.learn(message);
    }

    private int errno() {
        return assertThrows(PdException.class, () -> rings.get(NUMBER, SIZE)).errno();
    }

    @Test
    void aRingThatCouldNotBeMappedIsMappedAtItsNextUse() throws Exception {
        announce(SIZE, ring.fd());
        assertEquals(Errno.ENOMEM, errno());
        assertEquals(Errno.ENOMEM, errno());
        full = false;
        int descriptors = Leaks.settledDescriptors();
        assertEquals(42, rings.get(NUMBER, SIZE).region.memory().get(ValueLayout.JAVA_BYTE, SIZE - 1));
        assertEquals(descriptors - 1, Leaks.descriptors());
    }

    @Test
    void aRingIsMappedWhenItIsReadAndNotWhenItIsAnnounced() throws Exception {
        full = false;
        long mappings = Leaks.mappings();
        announce(SIZE, ring.fd());
        assertEquals(mappings, Leaks.mappings());
        rings.get(NUMBER, SIZE);
        assertEquals(mappings + 1, Leaks.mappings());
    }

    @Test
    void aRingIsMappedToFreeItsDescriptor() throws Exception {
        full = false;
        announce(SIZE, ring.fd());
        int descriptors = Leaks.settledDescriptors();
        assertTrue(rings.freeDescriptor());
        assertEquals(descriptors - 1, Leaks.descriptors());
        assertFalse(rings.freeDescriptor());
    }

    @Test
    void aRingWhoseOwnerHasNotAllocatedItIsRefused() throws Exception {
        full = false;
        try (SharedRegion sparse = SharedRegion.create("pd-ring", SIZE, false)) {
            announce(SIZE, sparse.fd());
            PdException e = assertThrows(PdException.class, () -> rings.get(NUMBER, SIZE));
            assertTrue(e.getMessage().contains("has not allocated"), e.getMessage());
        }
    }

    @Test
    void aRingThatWasNeverMappedIsTakenBack() throws Exception {
        int descriptors = Leaks.settledDescriptors();
        announce(SIZE, ring.fd());
        assertTrue(rings.knows(NUMBER));
        assertFalse(rings.isEmpty());
        announce(0);
        assertFalse(rings.knows(NUMBER));
        assertTrue(rings.isEmpty());
        await().until(() -> Leaks.descriptors() == descriptors);
    }
}
