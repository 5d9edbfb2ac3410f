// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.DriverPageDescriptor;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.protocol.StatusPageDescriptor;
import io.pipedevice.queue.CommandType;
import io.pipedevice.queue.EntryRingProducer;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each event of the driver reaches its recipient, whichever thread takes it out of the ring. */
@Timeout(60)
class EventQueueTest {
    private static final int DEPTH = 64;
    private static final int MAX_SOCKETS = 8;
    private static final Set<Thread.State> ON_ITS_WAY = EnumSet.of(Thread.State.NEW, Thread.State.RUNNABLE);

    private static Pages pages() throws IOException {
        return new Pages(
                region(LibPageDescriptor.length(DEPTH, MAX_SOCKETS)),
                region(DriverPageDescriptor.length(MAX_SOCKETS)),
                region(StatusPageDescriptor.length()),
                DEPTH,
                MAX_SOCKETS);
    }

    private static SharedRegion region(long length) throws IOException {
        SharedRegion region = SharedRegion.create("pd-test", length, false);
        region.allocate(0, region.size());
        return region;
    }

    private static Thread.State awaitRest(Thread thread) {
        Awaitility.await().until(() -> !ON_ITS_WAY.contains(thread.getState()));
        return thread.getState();
    }

    @Test
    void settleWaitsForAnEventThatAnotherThreadHandsOut() throws Exception {
        ReceiveRegions regions = new ReceiveRegions(null);
        try (Pages pages = pages()) {
            EventQueue queue = new EventQueue(pages, new SocketTable<>(MAX_SOCKETS), regions);
            EntryRingProducer driver = new EntryRingProducer(
                    pages.driver.memory().asSlice(DriverPageDescriptor.EVENTS_OFFSET),
                    DriverPageDescriptor.eventDepth(MAX_SOCKETS),
                    pages.lib.memory(),
                    LibPageDescriptor.EVENTS_CONSUMED_OFFSET);
            assertEquals(EntryRingProducer.PUBLISHED, driver.offer(CommandType.REGION_DROPPED, 1, 0, 0, 0, 0, 0));
            FutureTask<Void> drained = new FutureTask<>(queue::drain, null);
            FutureTask<Void> settled = new FutureTask<>(queue::settle, null);
            Thread other = new Thread(drained);
            Thread settling = new Thread(settled);
            synchronized (regions) {
                other.start();
                assertEquals(Thread.State.BLOCKED, awaitRest(other), "it cannot hand the event out");
                assertFalse(queue.hasEvents());
                settling.start();
                assertEquals(Thread.State.WAITING, awaitRest(settling), "the event is not handed out");
            }
            drained.get();
            settled.get();
        }
    }
}
