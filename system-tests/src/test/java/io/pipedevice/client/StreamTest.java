// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streams through rings that wrap many times. */
@Timeout(60)
class StreamTest {
    private final long seed = Long.getLong("pipedevice.test.seed", System.nanoTime());

    private static <T> FutureTask<T> start(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    @ParameterizedTest
    @CsvSource({
        "4096,   4096,  65536, 2000000",
        "16384,  5000,  4096,  4000000",
        "262144, 60000, 65536, 30000000",
        "262144, 262144, 1048576, 30000000"
    })
    void randomPiecesInBothDirections(int ring, int largestBlock, int maxTransfer, long bytes) throws Exception {
        System.out.println("-Dpipedevice.test.seed=" + seed);
        try (Attached attached = new Attached(new DriverContext().maxTransfer(maxTransfer), new PdOptions());
                Attached.Pair pair = attached.pair(ring)) {
            FutureTask<Long> there = start(() -> sendAndShut(pair.client, seed, bytes, largestBlock));
            FutureTask<Long> back = start(() -> sendAndShut(pair.server, seed + 1, bytes, largestBlock));
            FutureTask<Long> arrivedThere = start(() -> RandomStream.receive(pair.server, seed + 2));
            FutureTask<Long> arrivedBack = start(() -> RandomStream.receive(pair.client, seed + 3));
            assertEquals(there.get(50, TimeUnit.SECONDS), arrivedThere.get(50, TimeUnit.SECONDS));
            assertEquals(back.get(50, TimeUnit.SECONDS), arrivedBack.get(50, TimeUnit.SECONDS));
        }
    }

    private static long sendAndShut(PdSocket socket, long seed, long bytes, int largestBlock) throws PdException {
        long checksum = RandomStream.send(socket, seed, bytes, largestBlock);
        socket.shutdownOutput();
        return checksum;
    }

    @Test
    void manyBlocksAreRefreshedInOneCall() throws Exception {
        try (Attached attached = new Attached();
                Attached.Pair pair = attached.pair(65536)) {
            PdBuffer[] blocks = new PdBuffer[64];
            for (int i = 0; i < blocks.length; i++) {
                blocks[i] = new PdBuffer();
                assertTrue(pair.client.malloc(512, blocks[i]));
            }
            assertEquals(64, pair.client.bufRefresh(blocks, 64));
            // The peer's ring holds two rounds of these. No data of the third can be sent before the peer reads.
            for (int round = 0; round < 2; round++) {
                for (PdBuffer block : blocks) {
                    assertEquals(512, pair.client.send(block, 512));
                }
                awaitReusable(pair.client, blocks, 64);
            }
            assertEquals(512, pair.client.send(blocks[7], 512));
            PdBuffer posted = blocks[7];
            assertEquals(63, pair.client.bufRefresh(blocks, 64));
            assertEquals(posted, blocks[63]);
            assertEquals(0, pair.client.bufRefresh(blocks, 0));
            Bytes.receive(pair.server, 65536 + 512);
            awaitReusable(pair.client, blocks, 64);
            for (PdBuffer block : blocks) {
                pair.client.free(block);
            }
        }
    }

    private static void awaitReusable(PdSocket socket, PdBuffer[] blocks, int count)
            throws PdException, InterruptedException {
        while (socket.bufRefresh(blocks, blocks.length) < count) {
            Thread.sleep(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void twoHundredSockets(boolean edge) throws Exception {
        System.out.println("-Dpipedevice.test.seed=" + seed);
        try (Attached attached = new Attached(new DriverContext(), new PdOptions());
                PdSocket listener = attached.listen(256)) {
            FutureTask<Integer> server = start(() -> echoServer(attached.server, listener, 200, edge));
            int bytes = 20_000;
            Random random = new Random(seed);
            PdSocket[] clients = new PdSocket[200];
            int[] sent = new int[200];
            int[] received = new int[200];
            PdEpoll epoll = attached.client.epoll();
            for (int i = 0; i < clients.length; i++) {
                clients[i] = attached.client.socket();
                clients[i].setOption(StandardSocketOptions.SO_SNDBUF, 8192);
                clients[i].setOption(StandardSocketOptions.SO_RCVBUF, 8192);
                clients[i].connect(listener.localAddress());
                epoll.add(clients[i], PdEpoll.IN | PdEpoll.OUT, i);
            }
            PdEvents events = new PdEvents(50);
            int done = 0;
            while (done < clients.length) {
                assertTrue(epoll.await(events, TimeUnit.SECONDS.toNanos(20)) > 0, "stuck: " + done + " are done");
                for (int k = 0; k < events.count(); k++) {
                    int i = (Integer) events.attachment(k);
                    if ((events.events(k) & PdEpoll.OUT) != 0) {
                        sent[i] += sendSome(clients[i], i, sent[i], bytes, random);
                        if (sent[i] == bytes) {
                            epoll.modify(clients[i], PdEpoll.IN);
                        }
                    }
                    received[i] += check(clients[i], i, received[i]);
                    if (received[i] == bytes) {
                        received[i]++;
                        done++;
                        clients[i].close();
                    }
                }
            }
            assertEquals(200 * bytes, server.get(20, TimeUnit.SECONDS));
            epoll.close();
        }
    }

    private static int sendSome(PdSocket socket, int id, int position, int bytes, Random random) throws PdException {
        PdBuffer buffer = new PdBuffer();
        int size = Math.min(bytes - position, 1 + random.nextInt(3000));
        if (size == 0 || !socket.malloc(size, buffer)) {
            return 0;
        }
        byte[] data = new byte[size];
        for (int i = 0; i < size; i++) {
            data[i] = (byte) (id * 31 + position + i);
        }
        buffer.copyFrom(0, data, 0, size);
        int sent = socket.send(buffer, size);
        socket.free(buffer);
        return sent;
    }

    private static int check(PdSocket socket, int id, int position) throws PdException {
        PdBuffer buffer = new PdBuffer();
        int length = socket.recv(4000, buffer);
        if (length <= 0) {
            assertEquals(0, length);
            return 0;
        }
        byte[] data = new byte[length];
        buffer.copyTo(0, data, 0, length);
        for (int i = 0; i < length; i++) {
            assertEquals((byte) (id * 31 + position + i), data[i], "byte " + (position + i) + " of client " + id);
        }
        socket.recvDone(length);
        return length;
    }

    /** Echoes until {@code clients} clients have connected and closed; returns the number of bytes. */
    private static int echoServer(PipeDevice device, PdSocket listener, int clients, boolean edge) throws PdException {
        int trigger = edge ? PdEpoll.ET : 0;
        PdEvents events = new PdEvents(16);
        int gone = 0;
        int bytes = 0;
        try (PdEpoll epoll = device.epoll()) {
            epoll.add(listener, PdEpoll.IN | trigger, null);
            while (gone < clients) {
                assertTrue(epoll.await(events, TimeUnit.SECONDS.toNanos(20)) > 0, "server stuck: " + gone + " gone");
                for (int k = 0; k < events.count(); k++) {
                    if (events.socket(k).equals(listener)) {
                        for (PdSocket next = listener.accept(); next != null; next = listener.accept()) {
                            epoll.add(next, PdEpoll.IN | trigger, null);
                        }
                        continue;
                    }
                    int echoed = echo(events.socket(k));
                    if (echoed < 0) {
                        gone++;
                        echoed = -1 - echoed;
                    }
                    bytes += echoed;
                }
            }
        }
        return bytes;
    }

    private static int echo(PdSocket socket) throws PdException {
        PdBuffer in = new PdBuffer();
        PdBuffer out = new PdBuffer();
        int sum = 0;
        for (int length = socket.recv(8192, in); length != 0; length = socket.recv(8192, in)) {
            if (length < 0) {
                socket.close();
                return -1 - sum;
            }
            assertTrue(socket.malloc(length, out, TimeUnit.SECONDS.toNanos(20)));
            out.memory().asSlice(out.offset(), length).copyFrom(in.asSegment());
            assertEquals(length, socket.send(out, length, Attached.PATIENCE_NS));
            socket.free(out);
            socket.recvDone(length);
            sum += length;
        }
        return sum;
    }

    @Test
    void closeDuringTransfersTouchesNobodyElse() throws Exception {
        System.out.println("-Dpipedevice.test.seed=" + seed);
        Random random = new Random(seed);
        try (Attached attached = new Attached();
                Attached.Pair witness = attached.pair(16384)) {
            FutureTask<Long> sent = start(() -> sendAndShut(witness.client, seed, 20_000_000, 4096));
            FutureTask<Long> arrived = start(() -> RandomStream.receive(witness.server, seed));
            for (int i = 0; i < 60; i++) {
                Attached.Pair pair = attached.pair(8192);
                List<FutureTask<Object>> tasks = List.of(
                        start(() -> untilClosed(() -> RandomStream.send(pair.client, seed, 1 << 30, 2000))),
                        start(() -> untilClosed(() -> RandomStream.receive(pair.server, seed))),
                        start(() -> untilClosed(() -> RandomStream.send(pair.server, seed, 1 << 30, 2000))),
                        start(() -> untilClosed(() -> RandomStream.receive(pair.client, seed))));
                Thread.sleep(random.nextInt(10));
                (random.nextBoolean() ? pair.client : pair.server).close();
                Thread.sleep(random.nextInt(3));
                pair.close();
                for (FutureTask<Object> task : tasks) {
                    task.get(50, TimeUnit.SECONDS);
                }
            }
            assertEquals(sent.get(50, TimeUnit.SECONDS), arrived.get(50, TimeUnit.SECONDS));
        }
    }

    /** Makes a call that may end only in certain ways if the socket, or its peer, is closed during it. */
    private static Object untilClosed(Callable<Object> call) throws Exception {
        try {
            return call.call();
        } catch (PdException e) {
            return e.errno();
        } catch (IllegalStateException e) {
            return e;
        }
    }

    @Test
    void readerThatReleasesLessThanTheDriverWantsIsServed() throws IOException {
        try (Attached attached = new Attached();
                Attached.Pair pair = attached.pair(4096)) {
            PdBuffer buffer = new PdBuffer();
            Bytes.send(pair.client, new byte[4096]);
            int got = 0;
            while (got < 4096) {
                got += pair.server.recv(4096, buffer, Attached.PATIENCE_NS);
            }
            Bytes.send(pair.client, new byte[2000]);
            awaitParkedSender(pair.server);
            pair.server.recvDone(100);
            assertEquals(100, pair.server.recv(4096, buffer, Attached.PATIENCE_NS));
            awaitParkedSender(pair.server);
            try (PdEpoll epoll = attached.server.epoll()) {
                epoll.add(pair.server, PdEpoll.IN, null);
                pair.server.recvDone(50);
                assertEquals(1, epoll.await(new PdEvents(1), Attached.PATIENCE_NS));
            }
            assertEquals(50, pair.server.recv(4096, buffer));
        }
    }

    /** Waits until the driver has filled the ring, and asks for a quarter of it. */
    private static void awaitParkedSender(PdSocket receiver) {
        while (((DriverSocket) receiver).core().slot.spaceWanted() == Long.MAX_VALUE) {
            Thread.onSpinWait();
        }
    }
}
