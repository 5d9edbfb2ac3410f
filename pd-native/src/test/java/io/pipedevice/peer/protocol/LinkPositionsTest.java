// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.Memory;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LinkPositionsTest {
    private static final int LAST = LinkPositions.SLOTS_AT_ONCE + 44;

    private SharedRegion region;
    private LinkMemory memory;
    private LinkPages pages;
    private final LinkPositions positions = new LinkPositions();

    @BeforeEach
    void create() throws IOException {
        region = SharedRegion.create("link", LinkPages.length(), false);
        LinkPages.allocate(region, 0, LinkMemoryDescriptor.HEADER_LENGTH);
        memory = new LinkMemory(region.memory());
        pages = new LinkPages(region, region);
    }

    @AfterEach
    void close() {
        region.close();
    }

    private void set(int slot, int word, long value) {
        memory.setRelease(LinkMemoryDescriptor.slot(slot) + word, value);
    }

    private void connect(int slot, int generation) throws IOException {
        pages.connection(slot);
        SlotSetup.open(memory, slot, generation);
        memory.increment(LinkMemoryDescriptor.CONNECTIONS_OFFSET);
    }

    private void read() throws IOException {
        positions.begin(region.fd());
        while (positions.next(region.fd())) {
            assertTrue(positions.isValid());
        }
    }

    private void assertRead(long connections, long sent, long received) throws IOException {
        read();
        assertTrue(positions.isValid());
        assertEquals(
                List.of(connections, sent, received),
                List.of(positions.connections(), positions.sent(), positions.received()));
    }

    @Test
    void theBytesOfAllConnectionsOfAllSlotsAreAddedUp() throws IOException {
        assertRead(0, 0, 0);
        connect(0, 1);
        set(0, LinkMemoryDescriptor.TAIL_OFFSET, 100);
        set(0, LinkMemoryDescriptor.HEAD_OFFSET, 10);
        assertRead(1, 100, 10);
        connect(0, 2);
        assertRead(2, 100, 10);
        set(0, LinkMemoryDescriptor.TAIL_OFFSET, 7);
        connect(0, 3);
        set(0, LinkMemoryDescriptor.HEAD_OFFSET, 5);
        connect(LAST, 1);
        set(LAST, LinkMemoryDescriptor.TAIL_OFFSET, 1000);
        assertRead(4, 1107, 15);
    }

    @Test
    void aConnectionThatIsRefusedLosesNothing() throws IOException {
        connect(3, 1);
        set(3, LinkMemoryDescriptor.TAIL_OFFSET, 9);
        SlotSetup.refuse(memory, 3, 1);
        assertRead(1, 9, 0);
    }

    @Test
    void aReaderAllocatesNoPage() throws IOException {
        connect(0, 1);
        long allocated = Memory.status(region.fd()).allocatedBytes();
        memory.setRelease(LinkMemoryDescriptor.USED_SLOTS_OFFSET, LinkMemoryDescriptor.MAX_CONNECTIONS);
        assertRead(1, 0, 0);
        assertEquals(allocated, Memory.status(region.fd()).allocatedBytes());
    }

    @Test
    void invalidWordsAreRejected() throws IOException {
        connect(0, 1);
        for (int word : List.of(
                LinkMemoryDescriptor.TAIL_OFFSET,
                LinkMemoryDescriptor.SENT_BEFORE_OFFSET,
                LinkMemoryDescriptor.HEAD_OFFSET,
                LinkMemoryDescriptor.RECEIVED_BEFORE_OFFSET)) {
            set(0, word, -1);
            read();
            assertFalse(positions.isValid(), "word " + word);
            set(0, word, 0);
        }
        set(0, LinkMemoryDescriptor.TAIL_OFFSET, Long.MAX_VALUE);
        set(1, LinkMemoryDescriptor.SENT_BEFORE_OFFSET, 1);
        read();
        assertFalse(positions.isValid(), "the sum is too large");
        set(0, LinkMemoryDescriptor.TAIL_OFFSET, 0);
        for (long slots : new long[] {-1, LinkMemoryDescriptor.MAX_CONNECTIONS + 1L, Long.MIN_VALUE}) {
            memory.setRelease(LinkMemoryDescriptor.USED_SLOTS_OFFSET, slots);
            positions.begin(region.fd());
            assertFalse(positions.isValid());
            assertFalse(positions.next(region.fd()), "nothing is read");
        }
        memory.setRelease(LinkMemoryDescriptor.USED_SLOTS_OFFSET, 16);
        memory.setRelease(LinkMemoryDescriptor.CONNECTIONS_OFFSET, -5);
        read();
        assertFalse(positions.isValid());
    }

    /** Publishes how much it is about to send, before it does. Returns all of it. */
    private long sendInManyConnections(int count) throws IOException {
        long all = 0;
        for (int i = 1; i <= count; i++) {
            connect(0, i);
            long until = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(10);
            while (System.nanoTime() - until < 0) {
                Thread.onSpinWait();
            }
            all += 1000 + i;
            memory.setRelease(LinkMemoryDescriptor.POSTED_OFFSET, all);
            set(0, LinkMemoryDescriptor.TAIL_OFFSET, 1000 + i);
        }
        return all;
    }

    @Test
    void aReaderNeverFindsMoreThanWasSent() throws Exception {
        int count = 50_000;
        pages.connection(0);
        FutureTask<Long> owner = new FutureTask<>(() -> sendInManyConnections(count));
        new Thread(owner, "owner").start();
        while (!owner.isDone()) {
            read();
            long most = memory.getAcquire(LinkMemoryDescriptor.POSTED_OFFSET);
            assertTrue(positions.isValid());
            assertTrue(positions.sent() <= most, () -> positions.sent() + " of " + most);
        }
        assertRead(count, owner.get(), 0);
    }
}
