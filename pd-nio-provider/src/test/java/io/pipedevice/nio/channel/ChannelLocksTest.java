// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ChannelLocksTest {
    @Test
    void thePendingEndOfTheOutputComesBeforeTheClose() throws InterruptedException {
        ChannelLocks locks = new ChannelLocks();
        List<String> done = new ArrayList<>();
        CountDownLatch writes = new CountDownLatch(1);
        CountDownLatch leaves = new CountDownLatch(1);
        Thread writer = Thread.ofPlatform().start(() -> {
            locks.write().lock();
            writes.countDown();
            awaitUninterrupted(leaves);
            locks.write().unlock();
        });
        writes.await();
        locks.endWhenNobodyWrites(() -> done.add("end"));
        locks.closeWhenIdle(() -> done.add("close"));
        assertEquals(List.of(), done);
        leaves.countDown();
        writer.join();
        // The writer has left, but has not looked for the pending end.
        locks.closeWhenIdle(() -> done.add("close"));
        locks.endIfWanted();
        assertEquals(List.of("end", "close"), done);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
