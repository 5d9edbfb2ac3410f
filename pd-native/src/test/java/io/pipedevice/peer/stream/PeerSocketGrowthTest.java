// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import java.nio.ByteBuffer;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How far a sender lets its ring grow. */
@Timeout(60)
class PeerSocketGrowthTest extends ConnectedSockets {
    @Test
    void growsOnlyAsFarAsItMay() throws PdException {
        accept();
        ByteBuffer much = ByteBuffer.allocate(4 << 20);
        int written = a.write(much);
        assertEquals(LinkMemoryDescriptor.BASE_RING_LENGTH + MAX_RING, written);
        assertEquals(0, a.readiness(PdEpoll.OUT));
        assertEquals(0, a.write(much));
        ByteBuffer in = ByteBuffer.allocate(written);
        while (in.hasRemaining()) {
            b.read(in);
        }
        assertEquals(PdEpoll.OUT, a.readiness(PdEpoll.OUT));
    }

    @Test
    void growsOnlyAsFarAsTheProgramWants() throws PdException {
        accept();
        a.sendSize(1);
        assertEquals(LinkMemoryDescriptor.BASE_RING_LENGTH + (64 << 10), a.write(bytes(1 << 20)));
        assertTrue(a.awaitWritable(1));
        assertEquals(128 << 10, a.write(bytes(1 << 20)));
        assertFalse(a.awaitWritable(1));
        readAll(b);
        a.sendSize(100_000);
        assertEquals(128 << 10, a.write(bytes(1 << 20)));
        assertTrue(a.awaitWritable(1));
        assertEquals(256 << 10, a.write(bytes(1 << 20)));
        assertEquals(0, a.write(bytes(1 << 20)));
        assertFalse(a.awaitWritable(1));
    }

    private static void readAll(PeerSocket from) throws PdException {
        ByteBuffer some = ByteBuffer.allocate(1 << 20);
        while (from.read(some.clear()) > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void carriesTheStreamWhileAnotherThreadChangesTheSizeLimit() throws Exception {
        accept();
        AtomicBoolean over = new AtomicBoolean();
        FutureTask<Void> other = new FutureTask<>(
                () -> {
                    for (int i = 0; !over.get(); i++) {
                        a.sendSize(1 << i % 20);
                    }
                },
                null);
        Thread.ofPlatform().start(other);
        try {
            for (int i = 0; i < 500; i++) {
                ByteBuffer content = bytes(1 << 18);
                writeAll(a, content);
                expect(content, b);
            }
        } finally {
            over.set(true);
            other.get();
        }
        a.sendSize(MAX_RING);
        // The ring may have grown further while more was allowed.
        assertTrue(a.write(bytes(1 << 20)) >= MAX_RING);
    }

    /** Writes in pieces as much as there is room for. */
    private static void writeAll(PeerSocket to, ByteBuffer from) throws PdException {
        do {
            from.limit(Math.min(from.capacity(), from.position() + 1000));
        } while (to.write(from) > 0);
    }

    private static void expect(ByteBuffer sent, PeerSocket by) throws PdException {
        ByteBuffer read = ByteBuffer.allocate(sent.position() + 1);
        while (by.read(read) > 0) {
            Thread.onSpinWait();
        }
        assertEquals(sent.flip(), read.flip());
    }

    @Test
    void takesAsMuchAsItMayAlsoInSmallWritesThatNobodyReads() throws PdException {
        accept();
        ByteBuffer content = bytes(1 << 20);
        writeAll(a, content);
        assertEquals(LinkMemoryDescriptor.BASE_RING_LENGTH + (64 << 10), content.position());
        assertTrue(a.awaitWritable(TimeUnit.SECONDS.toNanos(20)));
        writeAll(a, content);
        assertEquals(LinkMemoryDescriptor.BASE_RING_LENGTH + (64 << 10) + MAX_RING, content.position());
        expect(content, b);
    }

    @Test
    void aWriterSleepsForLongOnlyIfItHasTheLargestRing() throws PdException {
        accept();
        ByteBuffer first = bytes(10_000);
        writeAll(a, first);
        expect(first, b);
        ByteBuffer content = bytes(1 << 20);
        writeAll(a, content);
        assertEquals(64 << 10, content.position());
        assertEquals(0, a.readiness(PdEpoll.OUT));
        assertTrue(a.awaitWritable(TimeUnit.SECONDS.toNanos(20)));
        writeAll(a, content);
        assertEquals((64 << 10) + MAX_RING, content.position());
        assertFalse(a.awaitWritable(1));
        expect(content, b);
    }

    @Test
    void staysSmallWhereNoLargerRingCanBeHad() throws PdException {
        accept();
        here.exhausted = true;
        assertEquals(LinkMemoryDescriptor.BASE_RING_LENGTH, a.write(bytes(10_000)));
    }
}
