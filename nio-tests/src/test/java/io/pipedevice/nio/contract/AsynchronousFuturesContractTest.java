// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Threads that wait for futures. PipeDevice lets such a thread poll after some waits, so each test has made some round
 * trips before.
 */
class AsynchronousFuturesContractTest extends AsynchronousContract {
    private static final int TRIPS = 50;
    private static final int PAIRS = 4;

    /** A connection whose client belongs to a group, with some round trips behind it. */
    private Ends used(AsynchronousChannelGroup clients, AsynchronousChannelGroup servers) throws Exception {
        Ends ends = connectAsync(clients, servers);
        trips(ends, TRIPS, new Random(0));
        return ends;
    }

    /** Sends a byte there and back by futures of one thread, and sleeps now and then. */
    private static void trips(Ends ends, int count, Random random) throws Exception {
        ByteBuffer byteOfOne = ByteBuffer.allocateDirect(1);
        for (int i = 0; i < count; i++) {
            Future<Integer> arrival = ends.server().read(byteOfOne.clear());
            assertEquals(1, ends.client().write(bytes(i)).get());
            assertEquals(1, arrival.get());
            Future<Integer> answer = ends.client().read(byteOfOne.clear());
            assertEquals(1, ends.server().write(bytes(i + 1)).get());
            assertEquals(1, answer.get(20, TimeUnit.SECONDS));
            assertEquals((byte) (i + 1), byteOfOne.get(0));
            if (random.nextInt(20) == 0) {
                Thread.sleep(random.nextInt(4));
            }
        }
    }

    /** A thread that waits for a future, most likely already. */
    private Task<Integer> waitFor(Future<Integer> future) throws Exception {
        Task<Integer> waiting = start(future::get);
        Thread.sleep(20);
        return waiting;
    }

    @Test
    void threadsThatShareAGroupAllGetTheirResults() throws Exception {
        AsynchronousChannelGroup clients = openClientGroup(1);
        AsynchronousChannelGroup servers = openServerGroup(2);
        List<Task<Object>> all = new ArrayList<>();
        for (int pair = 0; pair < PAIRS; pair++) {
            Ends ends = used(clients, servers);
            Random random = Bytes.seeded("threadsThatShareAGroupAllGetTheirResults " + pair);
            all.add(start(() -> {
                trips(ends, 10 * TRIPS, random);
                return null;
            }));
        }
        for (Task<Object> each : all) {
            each.resultWithin(100);
        }
    }

    @Test
    void anInterruptEndsTheWaitAndNotTheOperation() throws Exception {
        Ends ends = used(openClientGroup(1), openServerGroup(1));
        Future<Integer> read = ends.client().read(ByteBuffer.allocate(1));
        Task<Integer> waiting = waitFor(read);
        waiting.interrupt();
        waiting.failure(InterruptedException.class);
        ends.server().write(bytes(1)).get();
        assertEquals(1, read.get(20, TimeUnit.SECONDS));
        trips(ends, TRIPS, new Random(1));
    }

    @Test
    void aCancellationEndsTheWait() throws Exception {
        Ends ends = used(openClientGroup(1), openServerGroup(1));
        Future<Integer> read = ends.client().read(ByteBuffer.allocate(1));
        Task<Integer> waiting = waitFor(read);
        assertTrue(read.cancel(false));
        waiting.failure(CancellationException.class);
    }

    @Test
    void aCloseEndsTheWait() throws Exception {
        Ends ends = used(openClientGroup(1), openServerGroup(1));
        Future<Integer> read = ends.client().read(ByteBuffer.allocate(1));
        Task<Integer> waiting = waitFor(read);
        ends.client().close();
        Throwable cause = waiting.failure(ExecutionException.class).getCause();
        assertInstanceOf(AsynchronousCloseException.class, cause);
    }

    @Test
    void theEndOfTheGroupEndsTheWait() throws Exception {
        AsynchronousChannelGroup clients = openClientGroup(1);
        Ends ends = used(clients, openServerGroup(1));
        Future<Integer> read = ends.client().read(ByteBuffer.allocate(1));
        Task<Integer> waiting = waitFor(read);
        clients.shutdownNow();
        assertInstanceOf(
                AsynchronousCloseException.class,
                waiting.failure(ExecutionException.class).getCause());
        assertTrue(clients.awaitTermination(20, TimeUnit.SECONDS));
    }

    @Test
    void aWaitWithATimeoutEnds() throws Exception {
        Ends ends = used(openClientGroup(1), openServerGroup(1));
        Future<Integer> read = ends.client().read(ByteBuffer.allocate(1));
        assertThrows(TimeoutException.class, () -> read.get(0, TimeUnit.SECONDS));
        assertThrows(TimeoutException.class, () -> read.get(1, TimeUnit.NANOSECONDS));
        long begun = System.nanoTime();
        assertThrows(TimeoutException.class, () -> read.get(30, TimeUnit.MILLISECONDS));
        assertTrue(System.nanoTime() - begun >= TimeUnit.MILLISECONDS.toNanos(30));
        ends.server().write(bytes(1)).get();
        assertEquals(1, read.get(20, TimeUnit.SECONDS));
    }

    @Test
    void aFutureForWhichNoThreadWaitsIsDone() throws Exception {
        AsynchronousChannelGroup clients = openClientGroup(1);
        AsynchronousChannelGroup servers = openServerGroup(1);
        Ends other = connectAsync(clients, servers);
        Ends ends = used(clients, servers);
        Future<Integer> read = ends.client().read(ByteBuffer.allocate(1));
        Future<Integer> never = other.client().read(ByteBuffer.allocate(1));
        Task<Integer> waiting = start(never::get);
        ends.server().write(bytes(1)).get();
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(read::isDone);
        other.server().write(bytes(1)).get();
        assertEquals(1, waiting.result());
        Future<Integer> last = ends.client().read(ByteBuffer.allocate(1));
        ends.server().write(bytes(1)).get();
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(last::isDone);
    }

    @Test
    void aHandlerIsCalledWhileAThreadWaitsForAFuture() throws Exception {
        AsynchronousChannelGroup clients = openClientGroup(1);
        AsynchronousChannelGroup servers = openServerGroup(1);
        Ends other = connectAsync(clients, servers);
        Ends ends = used(clients, servers);
        Task<Integer> waiting = waitFor(ends.client().read(ByteBuffer.allocate(1)));
        Completion<Integer> read = new Completion<>();
        other.client().read(ByteBuffer.allocate(1), read, read);
        other.server().write(bytes(1)).get();
        assertEquals(1, read.value());
        ends.server().write(bytes(1)).get();
        assertEquals(1, waiting.result());
        trips(ends, TRIPS, new Random(3));
    }

    /** The write completes at once, by a thread that is not of the group. */
    @Test
    void aHandlerThatNeedNotWaitIsCalledWhileAThreadWaitsForAFuture() throws Exception {
        Ends ends = used(openClientGroup(1), openServerGroup(1));
        Task<Integer> waiting = waitFor(ends.client().read(ByteBuffer.allocate(1)));
        Completion<Integer> write = new Completion<>();
        ends.client().write(bytes(1), write, write);
        assertEquals(1, write.value());
        assertEquals(1, ends.server().read(ByteBuffer.allocate(1)).get());
        ends.server().write(bytes(1)).get();
        assertEquals(1, waiting.result());
    }

    @Test
    void writesWithHandlersAndReadsWithFutures() throws Exception {
        Ends ends = used(openClientGroup(1), openServerGroup(1));
        ByteBuffer target = ByteBuffer.allocateDirect(1);
        for (int i = 0; i < TRIPS; i++) {
            Completion<Integer> write = new Completion<>();
            ends.client().write(bytes(i), write, write);
            assertEquals(1, ends.server().read(target.clear()).get());
            Future<Integer> answer = ends.client().read(target.clear());
            assertEquals(1, write.value());
            ends.server().write(bytes(i)).get();
            assertEquals(1, answer.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void futuresAreDoneWhileHandlersWaitForABusyExecutor() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        closeLater(executor::shutdownNow);
        AsynchronousChannelGroup clients =
                AsynchronousProviders.of(pairing.client()).openAsynchronousChannelGroup(executor, 0);
        AsynchronousChannelGroup servers = openServerGroup(1);
        Ends first = connectAsync(clients, servers);
        Ends second = connectAsync(clients, servers);
        Ends third = connectAsync(clients, servers);
        CountDownLatch go = new CountDownLatch(1);
        closeLater(go::countDown);
        executor.execute(() -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Completion<Integer> waits = new Completion<>();
        first.client().read(ByteBuffer.allocate(1), waits, waits);
        first.server().write(bytes(1)).get();
        Thread.sleep(20);
        Future<Integer> read = second.client().read(ByteBuffer.allocate(1));
        second.server().write(bytes(1)).get();
        assertEquals(1, read.get(20, TimeUnit.SECONDS));
        Future<Integer> other = third.client().read(ByteBuffer.allocate(1));
        third.server().write(bytes(1)).get();
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(other::isDone);
        waits.expectNone();
        go.countDown();
        assertEquals(1, waits.value());
    }

    @Test
    void aWriteThatNoThreadWaitsForGoesOnWhileAThreadWaitsForARead() throws Exception {
        Ends ends = used(openClientGroup(1), openServerGroup(1));
        AsynchronousSocketChannel client = ends.client();
        Future<Integer> write = fillByFutures(client);
        Task<Integer> waiting = start(() -> client.read(ByteBuffer.allocate(1)).get());
        makeRoom(write::isDone, ends.server());
        ends.server().write(bytes(1)).get();
        assertEquals(1, waiting.result());
    }

    /** Writes until a write has to wait; that write. */
    private static Future<Integer> fillByFutures(AsynchronousSocketChannel channel) {
        Future<Integer> write = channel.write(ByteBuffer.allocate(1 << 20));
        while (write.isDone()) {
            write = channel.write(ByteBuffer.allocate(1 << 20));
        }
        return write;
    }
}
