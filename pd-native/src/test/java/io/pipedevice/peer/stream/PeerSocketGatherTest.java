// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Gathered writes: one publication and one ring for all of the buffers. */
@Timeout(60)
class PeerSocketGatherTest extends ConnectedSockets {
    private static ByteBuffer[] parts(ByteBuffer all, int length) {
        ByteBuffer[] parts = new ByteBuffer[all.capacity() / length];
        Arrays.setAll(parts, i -> all.slice(i * length, length));
        return parts;
    }

    /** The bytes that b found at each ring; it goes to sleep again at once. */
    private List<Integer> findsWhenRung() {
        List<Integer> found = new ArrayList<>();
        here.whenRung = () -> {
            try {
                found.add(b.available());
            } catch (PdException e) {
                throw new IllegalStateException(e);
            }
            b.arm(PdEpoll.IN, null, 2 + found.size(), 0);
        };
        b.arm(PdEpoll.IN, null, 1, 0);
        return found;
    }

    @Test
    void ringsASleeperOnceForAGatheredWriteAndForAllOfIt() throws PdException {
        accept();
        List<Integer> found = findsWhenRung();
        ByteBuffer sent = bytes(1000);
        assertEquals(1000, a.write(parts(sent, 10), 0, 100));
        assertEquals(List.of(1000), found);
        assertReads(sent, b);
    }

    @Test
    void publishesAGatheredWriteOnceAlsoWhenTheRingGrowsMeanwhile() throws PdException {
        accept();
        List<Integer> found = findsWhenRung();
        ByteBuffer sent = bytes(10_000);
        assertEquals(10_000, a.write(parts(sent, 1000), 0, 10));
        assertEquals(List.of(10_000), found);
        assertReads(sent, b);
    }

    @Test
    void publishesWhatOfAGatheredWriteFoundRoom() throws PdException {
        accept();
        here.exhausted = true;
        List<Integer> found = findsWhenRung();
        ByteBuffer sent = bytes(10_000);
        ByteBuffer[] parts = parts(sent, 1000);
        assertEquals(LinkMemoryDescriptor.BASE_RING_LENGTH, a.write(parts, 0, 10));
        assertEquals(List.of(LinkMemoryDescriptor.BASE_RING_LENGTH), found);
        assertEquals(96, parts[4].position());
        assertEquals(0, parts[5].position());
        assertEquals(0, a.readiness(PdEpoll.OUT));
        assertReads(sent.slice(0, LinkMemoryDescriptor.BASE_RING_LENGTH), b);
        assertEquals(10_000 - LinkMemoryDescriptor.BASE_RING_LENGTH, writeAll(parts, sent));
    }

    /** Writes the rest while b reads, and returns the number of bytes. */
    private long writeAll(ByteBuffer[] parts, ByteBuffer sent) throws PdException {
        int from = LinkMemoryDescriptor.BASE_RING_LENGTH;
        long sum = 0;
        while (parts[parts.length - 1].hasRemaining()) {
            long written = a.write(parts, 0, parts.length);
            assertReads(sent.slice(from + (int) sum, (int) written), b);
            sum += written;
        }
        return sum;
    }

    @Test
    void publishesWhatWasTakenBeforeAnException() throws PdException {
        accept();
        ByteBuffer gone;
        try (Arena arena = Arena.ofConfined()) {
            gone = arena.allocate(10).asByteBuffer();
        }
        ByteBuffer sent = bytes(10);
        ByteBuffer[] parts = {sent.slice(), gone};
        assertThrows(IllegalStateException.class, () -> a.write(parts, 0, 2));
        assertEquals(0, parts[0].remaining());
        assertEquals(10, b.available());
        assertReads(sent, b);
    }

    @Test
    void aGatheredWriteToAClosedPeerIsOneWrite() throws PdException {
        accept();
        b.close();
        ByteBuffer[] parts = parts(bytes(100), 10);
        assertEquals(100, a.write(parts, 0, 10));
        assertEquals(0, parts[9].remaining());
        assertEquals(
                Errno.EPIPE,
                assertThrows(PdException.class, () -> a.write(parts(bytes(100), 10), 0, 10))
                        .errno());
    }
}
