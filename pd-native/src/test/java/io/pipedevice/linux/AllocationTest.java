// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that run when a side sleeps or wakes must not allocate. */
@Tag("allocation")
@Timeout(120)
class AllocationTest {
    private static final int CALLS = 5000;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private interface Action {
        void run() throws IOException;
    }

    @Test
    void doorbellAllocatesNothing() throws IOException {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        assertAllocatesNothing(() -> {
            assertTrue(pair[0].ring());
            assertEquals(1, pair[1].drain());
        });
        pair[1].close();
        assertAllocatesNothing(() -> {
            pair[0].ring();
            pair[0].drain();
        });
        pair[0].close();
    }

    @Test
    void waitingAllocatesNothing() throws IOException {
        try (EventFd event = EventFd.open();
                Epoll epoll = Epoll.open()) {
            Epoll.Events events = new Epoll.Events(8);
            Poll poll = new Poll(1);
            poll.add(event.fd(), Poll.IN);
            epoll.add(event.fd(), Epoll.IN, 7);
            assertAllocatesNothing(() -> {
                event.signal();
                check(epoll.await(events, 0) == 1 && events.data(0) == 7 && events.events(0) == Epoll.IN);
                check(poll.await(0) == 1 && poll.returned(0) == Poll.IN);
                check(event.drain());
                check(epoll.await(events, 0) == 0);
                epoll.modify(event.fd(), Epoll.IN, 7);
            });
        }
    }

    /** Repeats a series of calls until the compiler has optimized it and one repetition allocates nothing. */
    private void assertAllocatesNothing(Action action) throws IOException {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        long allocated;
        do {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                action.run();
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        } while (allocated > 0 && System.nanoTime() < end);
        assertEquals(0, allocated, "bytes allocated by " + CALLS + " calls");
    }

    private static void check(boolean condition) {
        if (!condition) {
            throw new AssertionError();
        }
    }
}
