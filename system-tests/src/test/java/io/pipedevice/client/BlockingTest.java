// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.test.Asleep;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that wait: they return on their event, end at their timeout, and fail when the socket is closed. */
@Timeout(60)
class BlockingTest {
    private static final long MILLIS_50 = TimeUnit.MILLISECONDS.toNanos(50);

    private Attached attached;
    private Attached.Pair pair;

    @BeforeEach
    void connect() throws IOException {
        attached = new Attached();
        pair = attached.pair(16384);
    }

    @AfterEach
    void detach() {
        attached.close();
    }

    private static PdException failure(FutureTask<?> task) throws Exception {
        try {
            throw new AssertionError("returned " + task.get(50, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return assertInstanceOf(PdException.class, e.getCause());
        }
    }

    @Test
    void timesOut() throws PdException {
        long start = System.nanoTime();
        assertEquals(0, pair.client.recv(1, new PdBuffer(), MILLIS_50));
        try (PdSocket listener = attached.listen(1)) {
            assertNull(listener.accept(MILLIS_50));
        }
        try (PdEpoll epoll = attached.client.epoll()) {
            assertEquals(0, epoll.await(new PdEvents(1), MILLIS_50));
        }
        PdBuffer all = new PdBuffer();
        assertTrue(pair.client.malloc(16384, all));
        assertFalse(pair.client.malloc(1, new PdBuffer(), MILLIS_50));
        long elapsed = System.nanoTime() - start;
        assertTrue(elapsed >= 4 * MILLIS_50, "took only " + elapsed + " ns");
    }

    @Test
    void recvWakes() throws Exception {
        FutureTask<byte[]> waiting = Asleep.start(() -> Bytes.receive(pair.server, 3));
        Bytes.send(pair.client, new byte[] {1, 2, 3});
        assertArrayEquals(new byte[] {1, 2, 3}, waiting.get(50, TimeUnit.SECONDS));
    }

    @Test
    void acceptWakes() throws Exception {
        try (PdSocket listener = attached.listen(4)) {
            FutureTask<PdSocket> one = Asleep.start(() -> listener.accept(PipeDevice.FOREVER));
            FutureTask<PdSocket> two = Asleep.start(() -> listener.accept(PipeDevice.FOREVER));
            attached.client.socket().connect(listener.localAddress());
            attached.client.socket().connect(listener.localAddress());
            assertNotNull(one.get(50, TimeUnit.SECONDS));
            assertNotNull(two.get(50, TimeUnit.SECONDS));
        }
    }

    @Test
    void sendWaitsWhileTooManyAreOnTheirWay() throws Exception {
        PdBuffer buffer = new PdBuffer();
        assertTrue(pair.client.malloc(16, buffer));
        int posted = 0;
        while (pair.client.send(buffer, 16, TimeUnit.SECONDS.toNanos(1)) == 16) {
            posted++;
        }
        assertEquals(
                16384 / 16 + PdSocket.MAX_BLOCKS, posted, "the peer's ring, and the sends that may be outstanding");
        assertFalse(pair.client.bufRefresh(buffer));
        FutureTask<Integer> waiting = Asleep.start(() -> pair.client.send(buffer, 16, PipeDevice.FOREVER));
        Bytes.receive(pair.server, 16384);
        assertEquals(16, waiting.get(50, TimeUnit.SECONDS));
    }

    @Test
    void closeWakesEveryAccept() throws Exception {
        PdSocket listener = attached.listen(4);
        FutureTask<PdSocket> one = Asleep.start(() -> listener.accept(PipeDevice.FOREVER));
        FutureTask<PdSocket> two = Asleep.start(() -> listener.accept(PipeDevice.FOREVER));
        listener.close();
        assertEquals(Errno.EBADF, failure(one).errno());
        assertEquals(Errno.EBADF, failure(two).errno());
    }

    @Test
    void closeOfAnEpollInstanceWakesItsWaiter() throws Exception {
        PdEpoll epoll = attached.client.epoll();
        FutureTask<Integer> waiting = Asleep.start(() -> epoll.await(new PdEvents(1), PipeDevice.FOREVER));
        epoll.close();
        assertEquals(Errno.EBADF, failure(waiting).errno());
    }

    @Test
    void releaseWakesEverybody() throws Exception {
        PdSocket listener = attached.listen(4);
        PdEpoll epoll = attached.server.epoll();
        FutureTask<PdSocket> accepting = Asleep.start(() -> listener.accept(PipeDevice.FOREVER));
        FutureTask<Integer> receiving = Asleep.start(() -> pair.server.recv(1, new PdBuffer(), PipeDevice.FOREVER));
        FutureTask<Integer> waiting = Asleep.start(() -> epoll.await(new PdEvents(1), PipeDevice.FOREVER));
        attached.server.close();
        failure(accepting);
        failure(receiving);
        failure(waiting);
    }

    @Test
    void wakeupEndsOneWait() throws Exception {
        try (PdEpoll epoll = attached.client.epoll()) {
            PdEvents events = new PdEvents(1);
            FutureTask<Integer> waiting = Asleep.start(() -> epoll.await(events, PipeDevice.FOREVER));
            epoll.wakeup();
            assertEquals(0, waiting.get(50, TimeUnit.SECONDS));
            epoll.wakeup();
            epoll.wakeup();
            assertEquals(0, epoll.await(events, PipeDevice.FOREVER));
            long start = System.nanoTime();
            assertEquals(0, epoll.await(events, MILLIS_50));
            assertTrue(System.nanoTime() - start >= MILLIS_50, "two wakeups ended two waits");
        }
    }

    @Test
    void addDuringAWaitIsSeen() throws Exception {
        try (PdEpoll epoll = attached.client.epoll()) {
            PdEvents events = new PdEvents(4);
            FutureTask<Integer> waiting = Asleep.start(() -> epoll.await(events, PipeDevice.FOREVER));
            epoll.add(pair.client, PdEpoll.OUT, "attachment");
            assertEquals(1, waiting.get(50, TimeUnit.SECONDS));
            assertSame(pair.client, events.socket(0));
            assertEquals("attachment", events.attachment(0));
            assertEquals(PdEpoll.OUT, events.events(0));
        }
    }

    @Test
    void sleepingCallsUseNoProcessorTime() throws Exception {
        FutureTask<Integer> receiving = Asleep.start(() -> pair.server.recv(1, new PdBuffer(), PipeDevice.FOREVER));
        PdEpoll epoll = attached.client.epoll();
        epoll.add(pair.client, PdEpoll.IN, null);
        FutureTask<Integer> waiting = Asleep.start(() -> epoll.await(new PdEvents(1), PipeDevice.FOREVER));
        double least = Double.MAX_VALUE;
        // A machine that does other things may charge some of their time to these threads.
        for (int i = 0; least >= 0.005 && i < 10; i++) {
            double before = threadsCpuSeconds();
            Thread.sleep(500);
            least = Math.min(least, threadsCpuSeconds() - before);
        }
        assertTrue(least < 0.005, "sleeping threads and driver used " + least + " s");
        pair.server.close();
        failure(receiving);
        assertEquals(1, waiting.get(50, TimeUnit.SECONDS));
        epoll.close();
    }

    /** Processor time of the driver's thread and of the threads of {@link Asleep}. */
    private static double threadsCpuSeconds() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (ThreadInfo info : threads.dumpAllThreads(false, false)) {
            if (info.getThreadName().startsWith(Asleep.NAME)
                    || info.getThreadName().equals("pd-driver")) {
                sum += Math.max(0, threads.getThreadCpuTime(info.getThreadId()));
            }
        }
        return sum * 1e-9;
    }
}
