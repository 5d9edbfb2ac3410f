// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.test.Together;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FdWatchTest {
    private static final int ONCE = Epoll.IN | Epoll.ONESHOT;

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch delivered = new CountDownLatch(1);

    /** Blocks the watching thread, so that it receives all later events together. */
    private void hold() {
        held.countDown();
        try {
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void watchesOfSeveralThreadsReportEachItsOwnEvents() throws Exception {
        Together.run(thread -> {
            for (int round = 0; round < 500; round++) {
                Semaphore seen = new Semaphore(0);
                try (EventFd own = EventFd.open();
                        FdWatch watch = FdWatch.open(own.fd(), ONCE, events -> seen.release())) {
                    own.signal();
                    assertTrue(seen.tryAcquire(20, TimeUnit.SECONDS), "the first event was lost");
                    watch.modify(ONCE);
                    assertTrue(seen.tryAcquire(20, TimeUnit.SECONDS), "the second event was lost");
                    assertEquals(0, seen.availablePermits(), "an event of another descriptor");
                }
            }
        });
    }

    private static void fail() {
        throw new AssertionError("thrown by a handler of the test");
    }

    @Test
    void aHandlerThatThrowsLosesNoOtherEvent() throws IOException, InterruptedException {
        List<FdWatch> watches = new ArrayList<>();
        try (EventFd busy = EventFd.open();
                EventFd bad = EventFd.open();
                EventFd good = EventFd.open()) {
            watches.add(FdWatch.open(busy.fd(), ONCE, events -> hold()));
            watches.add(FdWatch.open(bad.fd(), ONCE, events -> fail()));
            watches.add(FdWatch.open(good.fd(), ONCE, events -> delivered.countDown()));
            busy.signal();
            held.await();
            // The events are reported in this order.
            bad.signal();
            good.signal();
            goOn.countDown();
            assertTrue(delivered.await(20, TimeUnit.SECONDS), "the event was lost");
        } finally {
            goOn.countDown();
            watches.forEach(FdWatch::close);
        }
    }
}
