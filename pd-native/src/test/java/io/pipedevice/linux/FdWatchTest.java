// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FdWatchTest {
    private static final int ONCE = Epoll.IN | Epoll.ONESHOT;

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch told = new CountDownLatch(1);

    /** Keeps the watching thread, so that what happens meanwhile comes to it at once. */
    private void hold() {
        held.countDown();
        try {
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void fail() {
        throw new AssertionError("what a test throws at the watching thread");
    }

    @Test
    void newsThatFailKeepNobodyFromTheirs() throws IOException, InterruptedException {
        List<FdWatch> watches = new ArrayList<>();
        try (EventFd busy = EventFd.open();
                EventFd bad = EventFd.open();
                EventFd good = EventFd.open()) {
            watches.add(FdWatch.open(busy.fd(), ONCE, events -> hold()));
            watches.add(FdWatch.open(bad.fd(), ONCE, events -> fail()));
            watches.add(FdWatch.open(good.fd(), ONCE, events -> told.countDown()));
            busy.signal();
            held.await();
            // Told in this order.
            bad.signal();
            good.signal();
            goOn.countDown();
            assertTrue(told.await(20, TimeUnit.SECONDS), "the news were lost");
        } finally {
            goOn.countDown();
            watches.forEach(FdWatch::close);
        }
    }
}
