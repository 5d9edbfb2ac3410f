// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ReceiveRegionsTest {
    private static final int SIZE = 1 << 16;

    private UnixSocket[] control;
    private Link link;
    private SharedRegion drivers;
    private int refusals;

    @BeforeEach
    void open() throws IOException {
        control = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        link = new Link(control[0]);
        drivers = SharedRegion.create("pd-test", 2 * SIZE, false);
    }

    @AfterEach
    void close() {
        drivers.close();
        control[0].close();
        control[1].close();
    }

    private ReceiveRegions regions() {
        return new ReceiveRegions(link, (fd, size) -> {
            if (refusals > 0) {
                refusals--;
                throw new LinuxException("mmap", Errno.ENOMEM);
            }
            return SharedRegion.map(fd, size);
        });
    }

    private static ControlMessage answer(int region, long offset) {
        return new ControlMessage().receiveRing(region, offset, SIZE, 2 * SIZE).ringStart(SIZE);
    }

    /** The region's descriptor, passed as with an answer. */
    private Fd passed() throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(1);
            ReceivedFds fds = new ReceivedFds();
            control[1].send(one, 0, 1, drivers.fd());
            control[0].receive(one, 0, 1, fds, true);
            return fds.take(0);
        }
    }

    @Test
    void aRegionThatCouldNotBeMappedIsMappedForTheNextRing() throws IOException {
        refusals = 1;
        try (ReceiveRegions regions = regions()) {
            PdException e = assertThrows(PdException.class, () -> regions.take(answer(3, 0), passed()));
            assertEquals(Errno.ENOMEM, e.errno());
            assertFalse(link.isBroken());
            // The driver sends the descriptor only once.
            ReceiveRegions.Ring ring = regions.take(answer(3, SIZE), null);
            drivers.memory().set(ValueLayout.JAVA_INT, SIZE, 42);
            assertEquals(42, ring.memory.get(ValueLayout.JAVA_INT, 0));
            regions.give(ring);
        }
    }

    @Test
    void aRegionThatIsNeverMappedIsGivenUpWithItsNumber() throws IOException {
        refusals = Integer.MAX_VALUE;
        Fd fd = passed();
        try (ReceiveRegions regions = regions()) {
            assertThrows(PdException.class, () -> regions.take(answer(3, 0), fd));
            regions.dropped(3);
            assertThrows(LinuxException.class, () -> Memory.status(fd), "closed");
        }
    }

    @Test
    void aRegionThatWasNeverSentBreaksTheProtocol() throws IOException {
        try (ReceiveRegions regions = regions()) {
            PdException e = assertThrows(PdException.class, () -> regions.take(answer(3, 0), null));
            assertEquals(Errno.EPROTO, e.errno());
            assertTrue(link.isBroken());
        }
    }
}
