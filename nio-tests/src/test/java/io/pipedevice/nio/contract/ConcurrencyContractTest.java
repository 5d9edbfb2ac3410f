// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several threads on one channel, and many channels at a time. */
class ConcurrencyContractTest extends Contract {
    private static final int RECORD = 1000;
    private static final int ENDED_OUTPUTS = 50;

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void aReaderBesideAWriter(ThreadKind kind) throws Exception {
        Connection connection = connect();
        byte[] bytes = Bytes.random(Bytes.seeded("aReaderBesideAWriter"), 4_000_000);
        Task<Object> echo = start(kind, () -> {
            ByteBuffer some = ByteBuffer.allocate(30_000);
            while (connection.server().read(some.clear()) >= 0) {
                Bytes.send(connection.server(), some.flip());
            }
            connection.server().shutdownOutput();
            return null;
        });
        Task<byte[]> reader = start(kind, () -> Bytes.receiveAll(connection.client()));
        Task<Object> writer = start(kind, () -> {
            Bytes.send(connection.client(), bytes);
            connection.client().shutdownOutput();
            return null;
        });
        writer.result();
        echo.result();
        assertArrayEquals(bytes, reader.result());
    }

    /** A blocking write from a platform thread writes all of its buffer, and no other write comes between. */
    @Test
    void writesOfSeveralThreadsDoNotInterleave() throws Exception {
        Connection connection = connect();
        int threads = 8;
        int records = 200;
        List<Task<Object>> writers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            byte[] record = new byte[RECORD];
            Arrays.fill(record, (byte) i);
            writers.add(start(() -> {
                for (int r = 0; r < records; r++) {
                    assertEquals(RECORD, connection.client().write(ByteBuffer.wrap(record)));
                }
                return null;
            }));
        }
        int[] seen = new int[threads];
        for (int r = 0; r < threads * records; r++) {
            byte[] record = Bytes.receive(connection.server(), RECORD);
            for (byte b : record) {
                assertEquals(record[0], b);
            }
            seen[record[0]]++;
        }
        for (int i = 0; i < threads; i++) {
            writers.get(i).result();
            assertEquals(records, seen[i]);
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void whatAWriterCountsArrivesThoughAnotherThreadEndsTheOutput(ThreadKind kind) throws Exception {
        Random random = Bytes.seeded("whatAWriterCountsArrivesThoughAnotherThreadEndsTheOutput");
        ByteBuffer some = ByteBuffer.allocate(50_000);
        for (int round = 0; round < ENDED_OUTPUTS; round++) {
            Connection connection = connect();
            int length = 1 + random.nextInt(200_000);
            Task<Long> writer = start(kind, () -> writeUntilShut(connection.client(), length));
            long read = 0;
            for (long enough = random.nextInt(1 << 20); read <= enough; ) {
                read += connection.server().read(some.clear());
            }
            connection.client().shutdownOutput();
            read += Bytes.receiveAll(connection.server()).length;
            assertEquals(writer.result(), read, "bytes of round " + round);
        }
    }

    private static long writeUntilShut(SocketChannel channel, int length) throws IOException {
        ByteBuffer some = ByteBuffer.allocate(length);
        long count = 0;
        try {
            while (true) {
                count += channel.write(some.clear());
            }
        } catch (ClosedChannelException e) {
            return count;
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void severalReadersGetEachByteOnce(ThreadKind kind) throws Exception {
        Connection connection = connect();
        byte[] bytes = Bytes.random(Bytes.seeded("severalReadersGetEachByteOnce"), 2_000_000);
        List<Task<long[]>> readers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int size = 1 + i * 700;
            readers.add(start(kind, () -> {
                long[] counts = new long[256];
                ByteBuffer some = ByteBuffer.allocate(size);
                while (connection.server().read(some.clear()) >= 0) {
                    count(counts, some.array(), some.position());
                }
                return counts;
            }));
        }
        Bytes.send(connection.client(), bytes);
        connection.client().shutdownOutput();
        long[] sum = new long[256];
        for (Task<long[]> reader : readers) {
            long[] counts = reader.result();
            Arrays.setAll(sum, b -> sum[b] + counts[b]);
        }
        long[] expected = new long[256];
        count(expected, bytes, bytes.length);
        assertArrayEquals(expected, sum);
    }

    @Test
    void severalThreadsAcceptEachConnectionOnce() throws Exception {
        ServerSocketChannel listener = listen();
        int each = 25;
        List<Task<Set<Object>>> acceptors = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            acceptors.add(start(() -> {
                Set<Object> peers = new HashSet<>();
                for (int n = 0; n < each; n++) {
                    peers.add(accept(listener).getRemoteAddress());
                }
                return peers;
            }));
        }
        Set<Object> expected = new HashSet<>();
        for (int n = 0; n < each * acceptors.size(); n++) {
            SocketChannel client = openClient();
            client.connect(listener.getLocalAddress());
            expected.add(client.getLocalAddress());
        }
        Set<Object> all = new HashSet<>();
        for (Task<Set<Object>> acceptor : acceptors) {
            all.addAll(acceptor.result());
        }
        assertEquals(expected, all);
    }

    @Test
    void closingAtAnyMomentCutsTheStreamAndNothingElse() throws Exception {
        Random random = Bytes.seeded("closingAtAnyMomentCutsTheStreamAndNothingElse");
        byte[] bytes = Bytes.random(random, 1_000_000);
        for (int round = 0; round < 40; round++) {
            Connection connection = connect();
            Task<Integer> writer = start(() -> untilClosed(connection.client(), bytes));
            Task<Integer> reader = start(() -> {
                ByteBuffer some = ByteBuffer.allocate(100);
                return connection.client().read(some);
            });
            byte[] prefix = Bytes.receive(connection.server(), 1 + random.nextInt(bytes.length / 2));
            connection.client().close();
            byte[] rest = Bytes.receiveAll(connection.server());
            connection.server().close();
            reader.channelWasClosed();
            int written = writer.result();
            int received = prefix.length + rest.length;
            assertTrue(written <= received, () -> written + " written before the close, " + received + " received");
            assertArrayEquals(Arrays.copyOf(bytes, prefix.length), prefix);
            assertArrayEquals(Arrays.copyOfRange(bytes, prefix.length, received), rest);
        }
    }

    @Test
    void theBlockingModeIsSwitchedWhileOthersWork() throws Exception {
        Connection connection = connect();
        byte[] bytes = Bytes.random(Bytes.seeded("theBlockingModeIsSwitchedWhileOthersWork"), 3_000_000);
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        Task<Integer> switcher = start(() -> {
            int switches = 0;
            while (!done.get()) {
                connection.configureBlocking(switches % 2 == 0);
                switches++;
                begun.countDown();
            }
            return switches;
        });
        begun.await();
        Task<Object> writer = start(() -> {
            ByteBuffer out = ByteBuffer.wrap(bytes);
            while (out.hasRemaining()) {
                int n = connection.client().write(out.limit(Math.min(bytes.length, out.position() + 5000)));
                out.limit(bytes.length);
                if (n == 0) {
                    LockSupport.parkNanos(1000);
                }
            }
            return null;
        });
        ByteBuffer in = ByteBuffer.allocate(bytes.length);
        while (in.hasRemaining()) {
            assertTrue(connection.server().read(in) >= 0);
        }
        done.set(true);
        writer.result();
        assertTrue(switcher.result() > 0);
        assertArrayEquals(bytes, in.array());
    }

    @Test
    void switchingTheModeWaitsForABlockedRead() throws Exception {
        Connection connection = connect();
        Task<Integer> reader = start(() -> connection.client().read(ByteBuffer.allocate(1)));
        reader.awaitBlockedIn("read");
        Task<Object> switcher = start(() -> connection.client().configureBlocking(false));
        switcher.awaitBlockedIn("configureBlocking");
        Bytes.send(connection.server(), "x");
        assertEquals(1, reader.result());
        switcher.result();
        assertEquals(0, connection.client().read(ByteBuffer.allocate(1)));
    }

    /** Writes the same bytes piece by piece until the channel is closed; returns the sum of the calls' results. */
    private static int untilClosed(SocketChannel channel, byte[] bytes) throws IOException {
        ByteBuffer out = ByteBuffer.wrap(bytes);
        try {
            while (out.hasRemaining()) {
                channel.write(out.limit(Math.min(bytes.length, out.position() + 777)));
                out.limit(bytes.length);
            }
        } catch (ClosedChannelException e) {
            return out.position();
        }
        return out.position();
    }

    private static void count(long[] counts, byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            counts[bytes[i] & 0xff]++;
        }
    }

    /** Configuring a channel waits for the lock, but its holder reads and writes as any other thread. */
    @Test
    void theHolderOfTheBlockingLockMayWait() throws Exception {
        Connection connection = connect();
        SocketChannel channel = connection.client();
        ByteBuffer[] one = {ByteBuffer.allocate(1)};
        holderWaits(connection, () -> channel.read(one));
        holderWaits(connection, () -> channel.socket().getInputStream().read());
        channel.socket().setSoTimeout(20_000);
        holderWaits(connection, () -> channel.socket().getInputStream().read());
        byte[] much = new byte[32 << 20];
        Task<Object> writer = start(() -> {
            synchronized (channel.blockingLock()) {
                channel.socket().getOutputStream().write(much);
                assertEquals(much.length, channel.write(new ByteBuffer[] {ByteBuffer.wrap(much)}));
            }
            return null;
        });
        writer.awaitBlockedIn("write");
        Bytes.receive(connection.server(), 2 * much.length);
        writer.result();
    }

    private void holderWaits(Connection connection, Callable<? extends Number> read) throws Exception {
        Task<Number> reader = start(() -> {
            synchronized (connection.client().blockingLock()) {
                return read.call();
            }
        });
        reader.awaitBlockedIn("read");
        Bytes.send(connection.server(), "\1");
        assertEquals(1, reader.result().intValue());
    }
}
