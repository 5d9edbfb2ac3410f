// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.EventFd;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An epoll instance as part of a wait that also ends for other reasons. */
@Timeout(60)
class WiderWaitTest {
    private static final long OTHER = 7;
    private static final long FIRST = 100;
    private static final int ROUNDS = 5_000;

    /** Far longer than a wake-up takes: a sleep that lasts half of it has missed one. */
    private static final int SLEEP_MS = 30_000;

    private final PdEvents events = new PdEvents(8);
    private final Epoll.Events happened = new Epoll.Events(8);
    private Attached attached;
    private Epoll set;
    private EventFd other;
    private DriverEpoll epoll;

    @BeforeEach
    void attachWithoutSpinning() throws IOException {
        attached = new Attached(new DriverContext().spinNs(0), new PdOptions().spinMicros(0));
        set = Epoll.open();
        other = EventFd.open();
        set.add(other.fd(), Epoll.IN, OTHER);
        epoll = (DriverEpoll) attached.server.epoll();
        epoll.join(set, FIRST);
    }

    @AfterEach
    void detach() {
        epoll.part();
        epoll.close();
        set.close();
        other.close();
        attached.close();
    }

    /** Runs one round; returns whether the other descriptor was found. */
    private boolean round(long millis) throws IOException {
        if (epoll.look(events) > 0) {
            return false;
        }
        boolean found = false;
        if (epoll.beforeSleep(events)) {
            int count = set.await(happened, millis);
            for (int i = 0; i < count; i++) {
                if (happened.data(i) == OTHER) {
                    found = true;
                } else {
                    epoll.happened((int) (happened.data(i) - FIRST));
                }
            }
        }
        epoll.afterSleep();
        return found;
    }

    /** Runs a limited number of rounds until there are events. */
    private void awaitEvents() throws IOException {
        for (int i = 0; i < 10; i++) {
            assertFalse(round(SLEEP_MS));
            if (events.count() > 0) {
                return;
            }
        }
        throw new AssertionError("nothing in ten rounds");
    }

    @Test
    void endsForSocketsAndForOthers() throws IOException {
        try (Attached.Pair pair = attached.pair()) {
            epoll.add(pair.server, PdEpoll.IN, "server");
            assertFalse(round(0));
            other.signal();
            assertTrue(round(SLEEP_MS));
            assertTrue(other.drain());
            Bytes.send(pair.client, "data");
            awaitEvents();
            assertEquals("server", events.attachment(0));
            assertEquals(PdEpoll.IN, events.events(0));
            assertEquals("data", Bytes.receiveText(pair.server, 4));
        }
    }

    @Test
    void endsWhenASocketIsAdded() throws Exception {
        try (Attached.Pair pair = attached.pair()) {
            CountDownLatch begun = new CountDownLatch(1);
            FutureTask<Integer> waiting = new FutureTask<>(() -> {
                begun.countDown();
                awaitEvents();
                return events.events(0);
            });
            Thread thread = new Thread(waiting);
            thread.setDaemon(true);
            thread.start();
            begun.await();
            epoll.add(pair.server, PdEpoll.OUT, null);
            assertEquals(PdEpoll.OUT, waiting.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void endsWhenTheDriverIsGoneAndReportsEverySocketFromThenOn() throws IOException {
        Attached.Pair one = attached.pair();
        Attached.Pair two = attached.pair();
        epoll.add(one.server, PdEpoll.IN, null);
        epoll.add(two.server, PdEpoll.IN, null);
        assertFalse(round(0));
        attached.driver.close();
        for (int i = 0; i < 10 && events.count() < 2; i++) {
            assertFalse(round(SLEEP_MS));
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(2, epoll.look(events));
            assertEquals(PdEpoll.ERR, events.events(0) & PdEpoll.ERR);
        }
        assertEquals(0, set.await(happened, 0), "the dead driver's descriptors are still watched");
    }

    @Test
    void keepsOthersFromWaiting() throws IOException {
        assertThrows(IllegalStateException.class, () -> epoll.await(events, 0));
        assertThrows(IllegalStateException.class, () -> epoll.join(set, 0));
        epoll.part();
        assertEquals(0, epoll.await(events, 0));
        assertEquals(0, set.await(happened, 0));
        epoll.join(set, FIRST);
    }

    @Test
    void noWakeUpIsLost() throws Exception {
        try (Attached.Pair pair = attached.pair(4096)) {
            epoll.add(pair.server, PdEpoll.IN, null);
            FutureTask<Integer> client = new FutureTask<>(() -> {
                for (int i = 0; i < ROUNDS; i++) {
                    Bytes.send(pair.client, new byte[] {(byte) i});
                    pause();
                    assertEquals((byte) i, Bytes.receive(pair.client, 1)[0]);
                }
                return 0;
            });
            Thread thread = new Thread(client);
            thread.setDaemon(true);
            thread.start();
            for (int i = 0; i < ROUNDS; i++) {
                long start = System.nanoTime();
                awaitEvents();
                assertTrue(
                        System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(SLEEP_MS / 2), "lost in round " + i);
                Bytes.send(pair.server, Bytes.receive(pair.server, 1));
                pause();
            }
            assertEquals(0, client.get(50, TimeUnit.SECONDS));
        }
    }

    /** Varies the timing of the race. */
    private static void pause() {
        int spins = ThreadLocalRandom.current().nextInt(200);
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
    }
}
