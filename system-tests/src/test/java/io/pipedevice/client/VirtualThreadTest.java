// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.test.HeldWatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Virtual threads that wait for a socket park, and no wake-up is lost. */
@Timeout(60)
class VirtualThreadTest {
    private static final int ROUNDS = 2_000;

    private Attached attached;

    @BeforeEach
    void attachWithoutSpinning() throws IOException {
        attached = new Attached(new DriverContext().spinNs(0), new PdOptions().spinMicros(0));
    }

    @AfterEach
    void detach() {
        attached.close();
    }

    private static <T> FutureTask<T> start(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread.ofVirtual().start(task);
        return task;
    }

    /** Starts a call that waits, and returns when its thread has parked. */
    private static <T> FutureTask<T> parked(Callable<T> call) {
        return parked(call, new AtomicReference<>());
    }

    private static <T> FutureTask<T> parked(Callable<T> call, AtomicReference<Thread> thread) {
        FutureTask<T> task = new FutureTask<>(call);
        thread.set(Thread.ofVirtual().start(task));
        awaitParked(thread.get());
        return task;
    }

    private static void awaitParked(Thread thread) {
        Awaitility.await()
                .until(() -> EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING)
                        .contains(thread.getState()));
    }

    private static <T> T get(FutureTask<T> task) throws Exception {
        return task.get(20, TimeUnit.SECONDS);
    }

    private static PdException failure(FutureTask<?> task) throws Exception {
        try {
            throw new AssertionError("returned " + get(task));
        } catch (ExecutionException e) {
            return (PdException) e.getCause();
        }
    }

    /** Varies the timing of a race. */
    private static void pause() {
        int spins = ThreadLocalRandom.current().nextInt(200);
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
    }

    @Test
    void leavesItsCarrierToOthers() throws Exception {
        List<Attached.Pair> pairs = new ArrayList<>();
        List<FutureTask<String>> readers = new ArrayList<>();
        for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
            Attached.Pair pair = attached.pair(4096);
            pairs.add(pair);
            readers.add(parked(() -> Bytes.receiveText(pair.server, 2)));
        }
        CountDownLatch ran = new CountDownLatch(1);
        Thread.ofVirtual().start(ran::countDown);
        assertTrue(ran.await(50, TimeUnit.SECONDS), "all carriers are occupied");
        for (Attached.Pair pair : pairs) {
            Bytes.send(pair.client, "go");
        }
        for (FutureTask<String> reader : readers) {
            assertEquals("go", get(reader));
        }
        pairs.forEach(Attached.Pair::close);
    }

    @Test
    void isWokenByDataAndRoomAndConnections() throws Exception {
        try (PdSocket listener = attached.listen(4);
                PdSocket client = attached.client.socket()) {
            FutureTask<PdSocket> accepting = parked(() -> listener.accept(PipeDevice.FOREVER));
            client.connect(listener.localAddress());
            assertNotNull(get(accepting));
        }
        try (Attached.Pair pair = attached.pair(4096)) {
            PdBuffer filled = new PdBuffer();
            while (pair.client.malloc(2048, filled, TimeUnit.MILLISECONDS.toNanos(50))) {
                assertEquals(2048, pair.client.send(filled, 2048));
                pair.client.free(filled);
            }
            PdBuffer more = new PdBuffer();
            FutureTask<Boolean> sending = parked(() -> pair.client.malloc(4096, more, PipeDevice.FOREVER));
            Bytes.receive(pair.server, 8192);
            assertTrue(get(sending));
        }
    }

    @Test
    void waitsNoLongerThanItsTime() throws Exception {
        try (Attached.Pair pair = attached.pair()) {
            long nanos = TimeUnit.MILLISECONDS.toNanos(30);
            long start = System.nanoTime();
            assertEquals(0, get(start(() -> pair.server.recv(1, new PdBuffer(), nanos))));
            assertTrue(System.nanoTime() - start >= nanos, "came back early");
        }
        try (PdSocket listener = attached.listen(4)) {
            assertNull(get(start(() -> listener.accept(TimeUnit.MILLISECONDS.toNanos(5)))));
        }
    }

    @Test
    void isWokenByClose() throws Exception {
        try (Attached.Pair pair = attached.pair()) {
            FutureTask<Integer> receiving = parked(() -> pair.server.recv(1, new PdBuffer(), PipeDevice.FOREVER));
            pair.server.close();
            assertEquals(Errno.EBADF, failure(receiving).errno());
        }
    }

    @Test
    void isWokenByTheEndOfTheDriver() throws Exception {
        Attached.Pair pair = attached.pair();
        PdSocket listener = attached.listen(4);
        FutureTask<Integer> receiving = parked(() -> pair.server.recv(1, new PdBuffer(), PipeDevice.FOREVER));
        FutureTask<PdSocket> accepting = parked(() -> listener.accept(PipeDevice.FOREVER));
        attached.driver.close();
        assertEquals(Errno.ENODEV, failure(receiving).errno());
        assertEquals(Errno.ENODEV, failure(accepting).errno());
    }

    @Test
    void isNotEndedByInterruptButKeepsIt() throws Exception {
        try (Attached.Pair pair = attached.pair()) {
            AtomicReference<Thread> thread = new AtomicReference<>();
            FutureTask<Boolean> receiving = parked(
                    () -> {
                        assertEquals("x", Bytes.receiveText(pair.server, 1));
                        return Thread.interrupted();
                    },
                    thread);
            thread.get().interrupt();
            awaitParked(thread.get());
            assertFalse(receiving.isDone());
            Bytes.send(pair.client, "x");
            assertTrue(get(receiving), "the interrupt was lost");
        }
    }

    @Test
    void noWakeUpIsLost() throws Exception {
        List<Attached.Pair> pairs = new ArrayList<>();
        List<FutureTask<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Attached.Pair pair = attached.pair(4096);
            pairs.add(pair);
            tasks.add(start(() -> {
                for (int k = 0; k < ROUNDS; k++) {
                    Bytes.send(pair.server, Bytes.receive(pair.server, 1));
                    pause();
                }
                return 0;
            }));
            tasks.add(start(() -> {
                for (int k = 0; k < ROUNDS; k++) {
                    Bytes.send(pair.client, new byte[] {(byte) k});
                    pause();
                    assertEquals((byte) k, Bytes.receive(pair.client, 1)[0], "round " + k);
                }
                return 0;
            }));
        }
        for (FutureTask<Integer> task : tasks) {
            assertEquals(0, task.get(50, TimeUnit.SECONDS));
        }
        pairs.forEach(Attached.Pair::close);
    }

    /** More armings than the event ring can hold, while only the armed thread itself takes the events out. */
    @Test
    void eventsOfItsArmingsDoNotPileUp() throws Exception {
        try (Attached small = new Attached(
                        new DriverContext().spinNs(0),
                        new PdOptions().maxSockets(4).spinMicros(0));
                Attached.Pair pair = small.pair(4096)) {
            HeldWatch.during(() -> exchangeOften(pair));
        }
    }

    private static void exchangeOften(Attached.Pair pair) throws Exception {
        for (int i = 0; i < 150; i++) {
            // No thread receives on the doorbell now, so each wait ends by its own timeout.
            FutureTask<Integer> reader =
                    new FutureTask<>(() -> pair.server.recv(1, new PdBuffer(), TimeUnit.MILLISECONDS.toNanos(8)));
            Thread thread = Thread.ofVirtual().start(reader);
            while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
                Thread.onSpinWait();
            }
            Bytes.send(pair.client, "x");
            int received = get(reader);
            pair.server.recvDone(received == 1 ? 1 : pair.server.recv(1, new PdBuffer(), PipeDevice.FOREVER));
        }
    }

    @Test
    void wakeupEndsTheWaitForAnEpollInstance() throws Exception {
        try (PdEpoll epoll = attached.client.epoll()) {
            FutureTask<Integer> wait = start(() -> epoll.await(new PdEvents(1), PipeDevice.FOREVER));
            letItSleep();
            epoll.wakeup();
            assertEquals(0, get(wait));
        }
    }

    @Test
    void closeEndsTheWaitForAnEpollInstance() throws Exception {
        PdEpoll epoll = attached.client.epoll();
        FutureTask<Integer> wait = start(() -> epoll.await(new PdEvents(1), PipeDevice.FOREVER));
        letItSleep();
        epoll.close();
        assertThrows(ExecutionException.class, () -> get(wait));
    }

    /**
     * A thread that keeps its carrier looks as if it ran. If it does not sleep after this, what follows wakes it all
     * the same.
     */
    private static void letItSleep() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(200);
    }
}
