// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.pipedevice.driver.DriverContext;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.test.Asleep;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The calls that copy from and to any {@link ByteBuffer}. */
@Timeout(60)
class ReadWriteTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int RING = 16384;

    /** Number of rounds of 5000 messages each; the compilers have finished after a few. */
    private static final int ROUNDS = 60;

    private final long seed = Long.getLong("pipedevice.test.seed", System.nanoTime());
    private Attached attached;
    private Attached.Pair pair;

    @BeforeEach
    void connect() throws IOException {
        attached = new Attached();
        pair = attached.pair(RING);
    }

    @AfterEach
    void detach() {
        attached.close();
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String readText(PdSocket socket, ByteBuffer target) throws PdException {
        target.clear();
        while (target.hasRemaining()) {
            assertTrue(socket.awaitReadable(Attached.PATIENCE_NS), "nothing came");
            assertTrue(socket.read(target) > 0, "end of stream");
        }
        return StandardCharsets.UTF_8.decode(target.flip()).toString();
    }

    private static <T> FutureTask<T> start(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static PdException failure(FutureTask<?> task) throws Exception {
        try {
            throw new AssertionError("returned " + task.get(50, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return assertInstanceOf(PdException.class, e.getCause());
        }
    }

    /** Writes until no more is accepted, although the driver had time to copy. */
    private static int fill(PdSocket socket) throws PdException {
        ByteBuffer piece = ByteBuffer.allocate(1000);
        int sum = 0;
        do {
            sum += socket.write(piece.clear());
        } while (!piece.hasRemaining() || socket.awaitWritable(TimeUnit.MILLISECONDS.toNanos(50)));
        return sum;
    }

    @Test
    void everyKindOfBufferServes() throws PdException {
        ByteBuffer direct = ByteBuffer.allocateDirect(5);
        direct.put(text("dirct")).flip();
        assertEquals(5, pair.client.write(direct));
        assertEquals(4, pair.client.write(text("heap")));
        assertEquals(3, pair.client.write(text("slices").slice(1, 3)));
        assertEquals(8, pair.client.write(text("readonly").asReadOnlyBuffer()));
        assertEquals("dirctheap", readText(pair.server, ByteBuffer.allocate(9)));
        assertEquals("lic", readText(pair.server, ByteBuffer.allocateDirect(3)));
        assertEquals("readonly", readText(pair.server, ByteBuffer.allocate(20).slice(7, 8)));
    }

    @Test
    void positionsMovePastWhatWasCopied() throws PdException {
        ByteBuffer source = text("0123456789").position(2).limit(6);
        assertEquals(4, pair.client.write(source));
        assertEquals(6, source.position());
        ByteBuffer target = ByteBuffer.allocate(10).position(3).limit(7);
        assertTrue(pair.server.awaitReadable(Attached.PATIENCE_NS));
        assertEquals(4, pair.server.read(target));
        assertEquals(7, target.position());
        assertArrayEquals("\0\0\0002345\0\0\0".getBytes(StandardCharsets.UTF_8), target.array());
    }

    @Test
    void emptyBuffersDoNothing() throws PdException {
        assertEquals(0, pair.client.write(ByteBuffer.allocate(0)));
        assertEquals(1, pair.client.write(ByteBuffer.allocate(1)));
        assertTrue(pair.server.awaitReadable(Attached.PATIENCE_NS));
        assertEquals(0, pair.server.read(ByteBuffer.allocate(0)));
        assertEquals(1, pair.server.available());
        assertEquals(1, pair.server.read(ByteBuffer.allocate(9)));
        assertEquals(0, pair.server.read(ByteBuffer.allocate(9)));
        assertEquals(0, pair.server.available());
    }

    @Test
    void aReadIntoAReadOnlyBufferLosesNothing() throws PdException {
        pair.client.write(text("kept"));
        assertTrue(pair.server.awaitReadable(Attached.PATIENCE_NS));
        assertThrows(
                ReadOnlyBufferException.class,
                () -> pair.server.read(ByteBuffer.allocate(4).asReadOnlyBuffer()));
        assertEquals("kept", readText(pair.server, ByteBuffer.allocate(4)));
    }

    @Test
    void takesNoMoreThanThereIsRoomFor() throws PdException {
        int sum = fill(pair.client);
        assertTrue(sum >= 2 * RING - 2000 && sum <= 2 * RING, "both rings are full of " + sum + " bytes");
        assertEquals(0, pair.client.write(ByteBuffer.allocate(1)));
        assertFalse(pair.client.awaitWritable(0));
        ByteBuffer all = ByteBuffer.allocate(sum);
        while (all.hasRemaining()) {
            assertTrue(pair.server.awaitReadable(Attached.PATIENCE_NS));
            pair.server.read(all);
        }
        assertTrue(pair.client.awaitWritable(Attached.PATIENCE_NS));
        assertEquals(RING, writeAll(pair.client, ByteBuffer.allocate(RING)), "every block was given back");
    }

    private static int writeAll(PdSocket socket, ByteBuffer source) throws PdException {
        int sum = socket.write(source);
        while (source.hasRemaining()) {
            assertTrue(socket.awaitWritable(Attached.PATIENCE_NS), "no room");
            sum += socket.write(source);
        }
        return sum;
    }

    @ParameterizedTest
    @ValueSource(ints = {4096, 65536, 1 << 20})
    void randomSizesArriveInOrder(int ring) throws Exception {
        System.out.println("-Dpipedevice.test.seed=" + seed);
        long bytes = 40L * Math.min(ring, 1 << 18) + 12345;
        try (Attached.Pair stream = attached.pair(ring)) {
            FutureTask<Long> sent = start(() -> sendRandom(stream.client, bytes, ring));
            FutureTask<Long> received = start(() -> receiveRandom(stream.server, ring));
            assertEquals(sent.get(50, TimeUnit.SECONDS), received.get(50, TimeUnit.SECONDS));
        }
    }

    private static int randomSize(Random random, int ring) {
        return 1 + random.nextInt(random.nextInt(4) == 0 ? 2 * ring : 500);
    }

    private long sendRandom(PdSocket socket, long bytes, int ring) throws PdException {
        Random random = new Random(seed);
        CRC32C checksum = new CRC32C();
        for (long left = bytes; left > 0; ) {
            byte[] data = new byte[(int) Math.min(left, randomSize(random, ring))];
            random.nextBytes(data);
            checksum.update(data);
            ByteBuffer source = random.nextBoolean()
                    ? ByteBuffer.wrap(data)
                    : ByteBuffer.allocateDirect(data.length).put(data).flip();
            left -= writeAll(socket, source);
        }
        socket.shutdownOutput();
        return checksum.getValue();
    }

    private long receiveRandom(PdSocket socket, int ring) throws PdException {
        Random random = new Random(seed + 1);
        CRC32C checksum = new CRC32C();
        while (true) {
            ByteBuffer target = ByteBuffer.allocate(randomSize(random, ring));
            assertTrue(socket.awaitReadable(Attached.PATIENCE_NS), "nothing came");
            int length = socket.read(target);
            if (length == PdSocket.END_OF_STREAM) {
                return checksum.getValue();
            }
            assertEquals(length, target.position());
            checksum.update(target.flip());
        }
    }

    @Test
    void theEndComesAfterTheData() throws PdException {
        pair.client.write(text("last"));
        pair.client.close();
        assertEquals("last", readText(pair.server, ByteBuffer.allocate(4)));
        assertTrue(pair.server.awaitReadable(Attached.PATIENCE_NS));
        assertEquals(PdSocket.END_OF_STREAM, pair.server.read(ByteBuffer.allocate(1)));
    }

    @Test
    void readFailsAtAResetAndAfterIt() throws PdException {
        pair.client.abort();
        assertTrue(pair.server.awaitReadable(Attached.PATIENCE_NS));
        for (int i = 0; i < 2; i++) {
            assertEquals(
                    "Connection reset",
                    assertThrows(PdException.class, () -> pair.server.read(ByteBuffer.allocate(1)))
                            .getMessage());
        }
    }

    @Test
    void writeFailsAfterShutdownOutput() throws PdException {
        pair.client.shutdownOutput();
        PdException e = assertThrows(PdException.class, () -> pair.client.write(ByteBuffer.allocate(1)));
        assertEquals("Broken pipe", e.getMessage());
    }

    @Test
    void shutdownOutputEndsAWriteThatWaits() throws Exception {
        fill(pair.client);
        FutureTask<Integer> waiting = Asleep.start(() -> {
            pair.client.awaitWritable(PipeDevice.FOREVER);
            return pair.client.write(ByteBuffer.allocate(1));
        });
        pair.client.shutdownOutput();
        assertEquals(Errno.EPIPE, failure(waiting).errno());
    }

    @Test
    void shutdownInputEndsAReadThatWaits() throws Exception {
        FutureTask<Integer> waiting = Asleep.start(() -> {
            pair.server.awaitReadable(PipeDevice.FOREVER);
            return pair.server.read(ByteBuffer.allocate(1));
        });
        pair.server.shutdownInput();
        assertEquals(PdSocket.END_OF_STREAM, waiting.get(50, TimeUnit.SECONDS));
        pair.client.write(text("unheard"));
        assertEquals(PdSocket.END_OF_STREAM, pair.server.read(ByteBuffer.allocate(1)));
        assertEquals(PdSocket.END_OF_STREAM, pair.server.recv(1, new PdBuffer()));
        assertEquals(0, pair.server.available());
    }

    @Test
    void aShutInputIsReady() throws PdException {
        try (PdEpoll epoll = attached.server.epoll()) {
            epoll.add(pair.server, PdEpoll.IN, null);
            PdEvents events = new PdEvents(1);
            assertEquals(0, epoll.await(events, 0));
            pair.server.shutdownInput();
            assertEquals(1, epoll.await(events, Attached.PATIENCE_NS));
            assertEquals(PdEpoll.IN, events.events(0));
        }
    }

    @Test
    void closeEndsThoseThatWait() throws Exception {
        fill(pair.client);
        FutureTask<Boolean> writing = Asleep.start(() -> pair.client.awaitWritable(PipeDevice.FOREVER));
        FutureTask<Boolean> reading = Asleep.start(() -> pair.client.awaitReadable(PipeDevice.FOREVER));
        pair.client.close();
        assertThrows(ExecutionException.class, () -> writing.get(50, TimeUnit.SECONDS));
        assertThrows(ExecutionException.class, () -> reading.get(50, TimeUnit.SECONDS));
        assertThrows(IllegalStateException.class, () -> pair.client.write(ByteBuffer.allocate(1)));
        assertThrows(IllegalStateException.class, () -> pair.client.read(ByteBuffer.allocate(1)));
    }

    @Test
    void aWritableSocketIsOneWhoseRefusalIsOver() throws PdException {
        try (PdEpoll epoll = attached.client.epoll()) {
            epoll.add(pair.client, PdEpoll.OUT, null);
            PdEvents events = new PdEvents(1);
            assertEquals(1, epoll.await(events, 0));
            int sum = fill(pair.client);
            assertEquals(0, epoll.await(events, 0));
            readText(pair.server, ByteBuffer.allocate(sum));
            assertEquals(1, epoll.await(events, Attached.PATIENCE_NS));
            assertTrue(pair.client.write(ByteBuffer.allocate(1000)) > 0);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(300)
    void readAndWriteAllocateNothing(boolean direct) throws IOException {
        // The driver stays awake, so no thread has to ring, and everything happens in memory.
        DriverContext awake = new DriverContext().spinNs(TimeUnit.SECONDS.toNanos(10));
        ByteBuffer source = direct ? ByteBuffer.allocateDirect(3000) : ByteBuffer.allocate(3000);
        ByteBuffer target = direct ? ByteBuffer.allocateDirect(3000) : ByteBuffer.allocate(3000);
        long least = Long.MAX_VALUE;
        try (Attached busy = new Attached(awake, new PdOptions());
                Attached.Pair stream = busy.pair()) {
            // The loop counts rounds, not seconds: on busy processors a round takes longer, but no more rounds are
            // needed.
            for (int i = 0; least > 0 && i < ROUNDS; i++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                exchange(stream, source, target);
                least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
        }
        assertEquals(0, least, "bytes allocated by 5000 messages");
    }

    private static void exchange(Attached.Pair stream, ByteBuffer source, ByteBuffer target) throws PdException {
        for (int i = 0; i < 5000; i++) {
            stream.client.write(source.clear());
            target.clear();
            while (target.hasRemaining()) {
                if (stream.server.read(target) == 0) {
                    LockSupport.parkNanos(1);
                }
            }
        }
    }
}
