// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.SpinMode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits, also those that sleep, do not allocate. */
@Tag("allocation")
@Timeout(120)
class WaitAllocationTest {
    private static final int CALLS = 2000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final PlayedSource source = new PlayedSource();

    private interface Action {
        void run() throws IOException;
    }

    @Test
    void aThreadThatSleepsAllocatesNothing() throws IOException, InterruptedException {
        PlayedSource back = new PlayedSource();
        Thread echo = Thread.ofPlatform().start(() -> echo(back));
        PeerWait wait = sleeper(source);
        PeerWait timed = sleeper(source);
        assertAllocatesNothing(() -> {
            back.publish(PdEpoll.IN);
            wait.await(Long.MAX_VALUE);
            source.take(PdEpoll.IN);
            back.publish(PdEpoll.IN);
            timed.await(Long.MAX_VALUE - 1);
            source.take(PdEpoll.IN);
        });
        back.endWaits();
        echo.join();
    }

    private static PeerWait sleeper(PlayedSource source) {
        return new PeerWait(source, PdEpoll.IN, SpinMode.NEVER);
    }

    /** Answers until its source's waits end. */
    private void echo(PlayedSource asked) {
        PeerWait wait = sleeper(asked);
        try {
            while (true) {
                wait.await(Long.MAX_VALUE);
                asked.take(PdEpoll.IN);
                source.publish(PdEpoll.IN);
            }
        } catch (PdException e) {
            return;
        }
    }

    @Test
    void anEpollInstanceAllocatesNothing() throws IOException {
        try (PeerEpoll epoll = new PeerEpoll(SpinMode.ADAPTIVE)) {
            PdEvents events = new PdEvents(8);
            epoll.add(source, PdEpoll.IN, null);
            assertAllocatesNothing(() -> {
                epoll.look(events);
                epoll.spin(() -> false);
                epoll.beforeSleep(events);
                source.publish(PdEpoll.IN);
                epoll.happened(0);
                epoll.afterSleep();
                assertEquals(1, epoll.look(events));
                source.take(PdEpoll.IN);
                epoll.modify(source, PdEpoll.IN);
            });
        }
    }

    /** Repeats a series of calls until the compiler has optimized it and one repetition allocates nothing. */
    private void assertAllocatesNothing(Action action) throws IOException {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        long allocated;
        do {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                action.run();
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        } while (allocated > 0 && System.nanoTime() < end);
        assertEquals(0, allocated, "bytes in " + CALLS + " calls");
    }
}
