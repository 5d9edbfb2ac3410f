// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.WritePendingException;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Reads and writes of asynchronous channels: results, timeouts, cancellation, and the ends of a stream. */
class AsynchronousReadWriteContractTest extends AsynchronousContract {
    @Test
    void aReadThatWaitsCompletesWhenBytesArrive() throws Exception {
        Ends ends = connectAsync();
        ByteBuffer target = ByteBuffer.allocate(10);
        Completion<Integer> read = new Completion<>();
        ends.server().read(target, read, read);
        read.expectNone();
        assertEquals(3, ends.client().write(bytes(1, 2, 3)).get());
        assertEquals(3, read.value());
        assertEquals(bytes(1, 2, 3), target.flip());
    }

    @Test
    void aReadOfBytesThatAreThereCompletes() throws Exception {
        Ends ends = connectAsync();
        assertEquals(3, ends.client().write(bytes(1, 2, 3)).get());
        ByteBuffer target = ByteBuffer.allocateDirect(2);
        Completion<Integer> read = new Completion<>();
        ends.server().read(target, read, read);
        assertEquals(2, read.value());
        assertEquals(1, ends.server().read(target.clear()).get());
    }

    @Test
    void aFutureReadCompletesWhenBytesArrive() throws Exception {
        Ends ends = connectAsync();
        ByteBuffer target = ByteBuffer.allocate(10);
        Future<Integer> read = ends.client().read(target);
        assertFalse(read.isDone());
        Completion<Integer> write = new Completion<>();
        ends.server().write(bytes(7), write, write);
        assertEquals(1, write.value());
        assertEquals(1, read.get(20, TimeUnit.SECONDS));
        assertTrue(read.isDone());
        assertFalse(read.cancel(true));
        assertTrue(ends.client().isOpen());
    }

    @Test
    void scatterAndGatherMoveBytesInOrder() throws Exception {
        Ends ends = connectAsync();
        ByteBuffer[] targets = {ByteBuffer.allocate(1), ByteBuffer.allocateDirect(1), ByteBuffer.allocate(10)};
        Completion<Long> read = new Completion<>();
        ends.server().read(targets, 0, 3, 0, TimeUnit.SECONDS, read, read);
        Completion<Long> write = new Completion<>();
        ends.client()
                .write(new ByteBuffer[] {bytes(1, 2), bytes(), bytes(3, 4)}, 0, 3, 0, TimeUnit.SECONDS, write, write);
        assertEquals(4L, write.value());
        assertEquals(4L, read.value());
        assertEquals(bytes(1), targets[0].flip());
        assertEquals(bytes(2), targets[1].flip());
        assertEquals(bytes(3, 4), targets[2].flip());
    }

    @Test
    void readsAndWritesWithoutRoomCompleteAtOnce() throws Exception {
        Ends ends = connectAsync();
        assertEquals(0, ends.client().read(ByteBuffer.allocate(0)).get());
        assertEquals(0, ends.client().write(ByteBuffer.allocate(0)).get());
        Completion<Long> read = new Completion<>();
        ends.client().read(new ByteBuffer[0], 0, 0, 1, TimeUnit.SECONDS, read, read);
        assertEquals(0L, read.value());
        Completion<Long> write = new Completion<>();
        ends.client().write(new ByteBuffer[] {bytes()}, 0, 1, 1, TimeUnit.SECONDS, write, write);
        assertEquals(0L, write.value());
    }

    @Test
    void oneReadAndOneWriteMayBePending() throws Exception {
        Ends ends = connectAsync();
        Completion<Integer> read = new Completion<>();
        ends.client().read(ByteBuffer.allocate(1), read, read);
        assertThrows(ReadPendingException.class, () -> ends.client().read(ByteBuffer.allocate(1)));
        assertThrows(ReadPendingException.class, () -> ends.client().read(ByteBuffer.allocate(1), null, read));
        assertThrows(WritePendingException.class, () -> {
            // A write that took long may be complete by now.
            while (true) {
                fill(ends.client());
                ends.client().write(bytes(1));
            }
        });
        read.expectNone();
    }

    @Test
    void aWriteThatWaitsCompletesWhenThereIsRoom() throws Exception {
        Ends ends = connectAsync();
        Completion<Integer> write = fill(ends.client());
        makeRoom(write::isDone, ends.server());
        assertTrue(write.value() > 0);
    }

    @Test
    void invalidCallsAreRefused() throws Exception {
        Ends ends = connectAsync();
        Completion<Integer> none = new Completion<>();
        ByteBuffer readOnly = ByteBuffer.allocate(1).asReadOnlyBuffer();
        assertThrows(IllegalArgumentException.class, () -> ends.client().read(readOnly));
        assertThrows(IllegalArgumentException.class, () -> ends.client().read(readOnly, none, none));
        assertThrows(
                IllegalArgumentException.class,
                () -> ends.client()
                        .read(new ByteBuffer[] {readOnly}, 0, 1, 0, TimeUnit.SECONDS, none, new Completion<Long>()));
        assertThrows(NullPointerException.class, () -> ends.client().read(ByteBuffer.allocate(1), none, null));
        assertThrows(NullPointerException.class, () -> ends.client().write(ByteBuffer.allocate(1), none, null));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> ends.client().read(new ByteBuffer[1], 1, 1, 0, TimeUnit.SECONDS, none, new Completion<Long>()));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> ends.client().write(new ByteBuffer[1], 0, 2, 0, TimeUnit.SECONDS, none, new Completion<Long>()));
        AsynchronousSocketChannel unconnected = openAsyncClient(null);
        assertThrows(NotYetConnectedException.class, () -> unconnected.read(ByteBuffer.allocate(1)));
        assertThrows(NotYetConnectedException.class, () -> unconnected.write(ByteBuffer.allocate(1)));
        assertThrows(NotYetConnectedException.class, unconnected::shutdownInput);
        assertThrows(NotYetConnectedException.class, unconnected::shutdownOutput);
    }

    @Test
    void aReadWhoseTimeIsOverFailsAndIsTheLastOne() throws Exception {
        Ends ends = connectAsync();
        Completion<Integer> read = new Completion<>();
        ends.client().read(ByteBuffer.allocate(1), 10, TimeUnit.MILLISECONDS, read, read);
        assertEquals("InterruptedByTimeoutException: null", read.failure());
        assertEquals(
                "Reading not allowed due to timeout or cancellation",
                assertThrows(IllegalStateException.class, () -> ends.client().read(ByteBuffer.allocate(1)))
                        .getMessage());
        assertTrue(ends.client().isOpen());
        assertEquals(1, ends.client().write(bytes(1)).get());
        assertEquals(1, ends.server().read(ByteBuffer.allocate(1)).get());
    }

    @Test
    void aScatteringReadWhoseTimeIsOverFails() throws Exception {
        Ends ends = connectAsync();
        Completion<Long> read = new Completion<>();
        ends.client().read(new ByteBuffer[] {ByteBuffer.allocate(1)}, 0, 1, 10, TimeUnit.MILLISECONDS, read, read);
        assertEquals("InterruptedByTimeoutException: null", read.failure());
    }

    @Test
    void aWriteWhoseTimeIsOverFailsAndIsTheLastOne() throws Exception {
        Ends ends = connectAsync();
        Completion<Integer> write = fill(ends.client());
        makeRoom(write::isDone, ends.server());
        Completion<Integer> late = new Completion<>();
        do {
            late = new Completion<>();
            ends.client().write(ByteBuffer.allocate(1 << 20), 50, TimeUnit.MILLISECONDS, late, late);
        } while (!late.hasFailed());
        assertEquals("InterruptedByTimeoutException: null", late.failure());
        assertEquals(
                "Writing not allowed due to timeout or cancellation",
                assertThrows(IllegalStateException.class, () -> ends.client().write(bytes(1)))
                        .getMessage());
    }

    @Test
    void aTimeoutDoesNotMatterOnceTheReadIsDone() throws Exception {
        long millis = 20;
        Ends ends = connectAsync();
        while (!readsWithin(millis, ends)) {
            // A busy machine.
            millis *= 2;
            ends = connectAsync();
        }
        Thread.sleep(2 * millis);
        Completion<Integer> next = new Completion<>();
        ends.client().read(ByteBuffer.allocate(1), -1, TimeUnit.MILLISECONDS, next, next);
        ends.server().write(bytes(1)).get();
        assertEquals(1, next.value());
    }

    @Test
    void aTimeoutIsThatOfItsOwnRead() throws Exception {
        long millis = 20;
        Ends ends = connectAsync();
        while (!readsWithin(millis, ends)) {
            // A busy machine.
            millis *= 2;
            ends = connectAsync();
        }
        Completion<Integer> endless = new Completion<>();
        ends.client().read(ByteBuffer.allocate(1), endless, endless);
        Thread.sleep(2 * millis);
        ends.server().write(bytes(1)).get();
        assertEquals(1, endless.value());
        assertTrue(readsWithin(100_000, ends));
        Completion<Integer> late = new Completion<>();
        ends.client().read(ByteBuffer.allocate(1), 10, TimeUnit.MILLISECONDS, late, late);
        assertEquals("InterruptedByTimeoutException: null", late.failure());
    }

    private static boolean readsWithin(long millis, Ends ends) throws Exception {
        Completion<Integer> read = new Completion<>();
        ends.client().read(ByteBuffer.allocate(1), millis, TimeUnit.MILLISECONDS, read, read);
        ends.server().write(bytes(1)).get();
        return !read.hasFailed();
    }

    @Test
    void aCancelledReadIsTheLastOne() throws Exception {
        Ends ends = connectAsync();
        Future<Integer> read = ends.client().read(ByteBuffer.allocate(1));
        assertTrue(read.cancel(false));
        assertTrue(read.isCancelled());
        assertTrue(read.isDone());
        assertFalse(read.cancel(true));
        assertThrows(CancellationException.class, read::get);
        assertTrue(ends.client().isOpen());
        assertThrows(IllegalStateException.class, () -> ends.client().read(ByteBuffer.allocate(1)));
        assertEquals(1, ends.client().write(bytes(1)).get());
    }

    @Test
    void aCancellationThatMayInterruptClosesTheChannel() throws Exception {
        Ends ends = connectAsync();
        Future<Integer> read = ends.client().read(ByteBuffer.allocate(1));
        assertTrue(read.cancel(true));
        assertThrows(CancellationException.class, () -> read.get(1, TimeUnit.SECONDS));
        assertFalse(ends.client().isOpen());
        assertEquals(-1, ends.server().read(ByteBuffer.allocate(1)).get());
    }

    @Test
    void closeEndsPendingOperations() throws Exception {
        AsynchronousSocketChannel closed = closeWhileTheyWait();
        closed.close();
        Completion<Integer> late = new Completion<>();
        closed.read(ByteBuffer.allocate(1), late, late);
        assertEquals("ClosedChannelException: null", late.failure());
        Future<Integer> later = closed.write(bytes(1));
        assertEquals(
                "java.nio.channels.ClosedChannelException",
                assertThrows(ExecutionException.class, later::get).getMessage());
    }

    /** Closes a channel with a read and a write that wait. A write that only took long is no such write. */
    private AsynchronousSocketChannel closeWhileTheyWait() throws Exception {
        while (true) {
            Ends ends = connectAsync();
            Completion<Integer> read = new Completion<>();
            ends.client().read(ByteBuffer.allocate(1), read, read);
            Completion<Integer> write = fill(ends.client());
            ends.client().close();
            assertEquals("AsynchronousCloseException: null", read.failure());
            if (write.hasFailed()) {
                assertEquals("AsynchronousCloseException: null", write.failure());
                return ends.client();
            }
        }
    }

    @Test
    void aReadAtTheEndOfTheStream() throws Exception {
        Ends ends = connectAsync();
        Completion<Integer> read = new Completion<>();
        ends.server().read(ByteBuffer.allocate(1), read, read);
        ends.client().shutdownOutput();
        assertEquals(-1, read.value());
        assertEquals(-1, ends.server().read(ByteBuffer.allocate(1)).get());
        assertEquals(1, ends.server().write(bytes(1)).get());
        assertEquals(1, ends.client().read(ByteBuffer.allocate(2)).get());
        Completion<Integer> write = new Completion<>();
        ends.client().write(bytes(1), write, write);
        assertEquals("ClosedChannelException: null", write.failure());
    }

    @Test
    void shutdownInputEndsAPendingRead() throws Exception {
        Ends ends = connectAsync();
        Completion<Integer> read = new Completion<>();
        ends.client().read(ByteBuffer.allocate(1), read, read);
        ends.client().shutdownInput();
        assertEquals(-1, read.value());
        assertEquals(-1, ends.client().read(ByteBuffer.allocate(1)).get());
        assertEquals(-1, ends.client().read(ByteBuffer.allocate(0)).get());
    }

    @Test
    void bothDirectionsAtOnceWithRandomSizes() throws Exception {
        long seed = Long.getLong("pipedevice.test.seed", System.nanoTime());
        Ends ends = connectAsync(openClientGroup(2), openServerGroup(1));
        AsynchronousStream up = new AsynchronousStream(ends.client(), ends.server(), new Random(seed), 5_000_000);
        AsynchronousStream down = new AsynchronousStream(ends.server(), ends.client(), new Random(~seed), 3_000_000);
        up.start();
        down.start();
        up.expectAll(seed);
        down.expectAll(seed);
    }
}
