// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.memory.RingBuffer;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rings that use more of their memory as their traffic needs it. */
@Timeout(180)
final class GrowingRingsTest {
    private static final int RING = 1 << 20;

    private Attached attached;

    private void attach(DriverContext context) throws IOException {
        attach(context, new PdOptions());
    }

    private void attach(DriverContext context, PdOptions options) throws IOException {
        attached = new Attached(context, options.growingRings(true).closesIdle(true));
    }

    @AfterEach
    void detach() {
        attached.close();
    }

    /** Receives so many bytes, if they come. */
    private static int received(PdSocket socket, int bytes) throws PdException {
        ByteBuffer target = ByteBuffer.allocate(bytes);
        while (target.hasRemaining() && socket.awaitReadable(Attached.PATIENCE_NS)) {
            socket.read(target);
        }
        return target.position();
    }

    @ParameterizedTest
    @ValueSource(ints = {RingBuffer.MIN_SIZE, 16 << 10, 64 << 10, RING, RingBuffer.MAX_SIZE})
    void aStreamArrivesWholeAndInOrderWhileItsRingsGrow(int ring) throws Exception {
        long seed = Long.getLong("pipedevice.test.seed", System.nanoTime());
        System.out.println("-Dpipedevice.test.seed=" + seed);
        Random random = new Random(seed);
        attach(new DriverContext());
        for (int connection = 0; connection < 20; connection++) {
            // At first each connection moves little at a time, so that it grows in any state of its rings.
            int bytes = 1 + random.nextInt(3 * ring);
            int largest = 1 + random.nextInt(random.nextBoolean() ? 6000 : ring);
            long content = random.nextLong();
            try (Attached.Pair pair = attached.pair(ring)) {
                FutureTask<Void> sender =
                        started(() -> send(pair.client, new Random(content), bytes, new Random(content + 1), largest));
                receive(pair.server, new Random(content), bytes, new Random(content + 2), largest);
                sender.get(50, TimeUnit.SECONDS);
            }
        }
    }

    private static void send(PdSocket socket, Random content, int bytes, Random sizes, int largest) throws PdException {
        for (int sent = 0; sent < bytes; ) {
            ByteBuffer message = ByteBuffer.allocate(Math.min(bytes - sent, 1 + sizes.nextInt(largest)));
            while (message.hasRemaining()) {
                message.put((byte) content.nextInt());
            }
            message.flip();
            sent += message.remaining();
            while (message.hasRemaining()) {
                if (socket.write(message) == 0) {
                    assertTrue(socket.awaitWritable(Attached.PATIENCE_NS), "no room");
                }
            }
        }
    }

    private static void receive(PdSocket socket, Random content, int bytes, Random sizes, int largest)
            throws PdException {
        for (int received = 0; received < bytes; ) {
            ByteBuffer target = ByteBuffer.allocate(1 + sizes.nextInt(largest));
            assertTrue(socket.awaitReadable(Attached.PATIENCE_NS), "nothing came");
            assertTrue(socket.read(target) > 0);
            target.flip();
            received += target.remaining();
            while (target.hasRemaining()) {
                assertEquals((byte) content.nextInt(), target.get());
            }
        }
    }

    @Test
    void aConnectionTakesAsMuchAsItsRingsHoldWhereverItsReaderStops() throws Exception {
        long seed = Long.getLong("pipedevice.test.seed", System.nanoTime());
        System.out.println("-Dpipedevice.test.seed=" + seed);
        Random random = new Random(seed);
        attach(new DriverContext());
        for (int connection = 0; connection < 20; connection++) {
            try (Attached.Pair pair = attached.pair(RING)) {
                int ahead = 0;
                for (int i = 0; i < 50; i++) {
                    ahead += pair.client.write(ByteBuffer.allocate(1 + random.nextInt(3000)));
                    if (random.nextInt(3) > 0) {
                        int some = random.nextInt(ahead + 1);
                        assertEquals(some, received(pair.server, some));
                        ahead -= some;
                    }
                }
                ByteBuffer much = ByteBuffer.allocate(4 * RING);
                long deadline = System.nanoTime() + Attached.PATIENCE_NS;
                while (much.position() + ahead < RING * 3 / 2 && System.nanoTime() < deadline) {
                    if (pair.client.write(much) == 0) {
                        pair.client.awaitWritable(1_000_000);
                    }
                }
                assertTrue(much.position() + ahead >= RING * 3 / 2, () -> much.position() + " bytes were taken");
            }
        }
    }

    @Test
    void connectionsWhoseRingsHaveNoMemoryToGrowGoOn() throws Exception {
        // By their size, all receive rings of the server need 200 MB.
        attach(new DriverContext().maxMemory(20 << 20));
        List<PdSocket> sockets = new ArrayList<>();
        try (PdSocket listener = attached.server.socket()) {
            listener.setOption(StandardSocketOptions.SO_RCVBUF, RING).setOption(StandardSocketOptions.SO_SNDBUF, 4096);
            listener.bind(Attached.loopback(0));
            listener.listen(4);
            for (int i = 0; i < 200; i++) {
                PdSocket client = attached.client.socket();
                sockets.add(client);
                client.setOption(StandardSocketOptions.SO_RCVBUF, 4096)
                        .setOption(StandardSocketOptions.SO_SNDBUF, 64 << 10);
                client.connect(listener.localAddress());
                sockets.add(listener.accept(Attached.PATIENCE_NS));
            }
            for (int i = 0; i < sockets.size(); i += 2) {
                PdSocket from = sockets.get(i);
                // The rings of the first ones grow and take the memory. Through those of the others fewer bytes go,
                // because
                // each 4 KB of them cost a wake-up.
                int bytes = i < sockets.size() / 5 ? RING : RING / 16;
                FutureTask<Void> sender = started(() -> send(from, new Random(1), bytes, new Random(2), bytes));
                receive(sockets.get(i + 1), new Random(1), bytes, new Random(3), bytes);
                sender.get(50, TimeUnit.SECONDS);
            }
        } finally {
            sockets.forEach(PdSocket::close);
        }
    }

    @Test
    void connectionsWhoseSendRingsHaveNoMemoryToGrowGoOn() throws Exception {
        // By their size, all send rings of the client need 4 MB.
        attach(new DriverContext(), new PdOptions().sendMemory(2 << 20));
        List<Attached.Pair> pairs = new ArrayList<>();
        try {
            for (int i = 0; i < 64; i++) {
                pairs.add(attached.pair(64 << 10));
            }
            for (Attached.Pair pair : pairs) {
                FutureTask<Void> sender =
                        started(() -> send(pair.client, new Random(1), RING / 4, new Random(2), RING / 4));
                receive(pair.server, new Random(1), RING / 4, new Random(3), RING);
                sender.get(50, TimeUnit.SECONDS);
            }
        } finally {
            pairs.forEach(Attached.Pair::close);
        }
    }

    @Test
    void ringsGrowWhileTheRingOfRequestsIsFull() throws Exception {
        attach(new DriverContext(), new PdOptions().requestDepth(64));
        List<Attached.Pair> pairs = new ArrayList<>();
        List<FutureTask<Void>> tasks = new ArrayList<>();
        try {
            for (int i = 0; i < 32; i++) {
                pairs.add(attached.pair(RING));
            }
            for (Attached.Pair pair : pairs) {
                tasks.add(started(() -> send(pair.client, new Random(1), RING / 2, new Random(2), 500)));
                tasks.add(started(() -> receive(pair.server, new Random(1), RING / 2, new Random(3), RING)));
            }
            for (FutureTask<Void> task : tasks) {
                task.get(20, TimeUnit.SECONDS);
            }
        } finally {
            pairs.forEach(Attached.Pair::close);
        }
    }

    /** What a thread of its own does. */
    private interface Work {
        void run() throws PdException;
    }

    private static FutureTask<Void> started(Work work) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            work.run();
            return null;
        });
        Thread.ofPlatform().start(task);
        return task;
    }

    @Test
    void partsOfGrowingRingsAreNotLent() throws Exception {
        attach(new DriverContext());
        try (Attached.Pair pair = attached.pair()) {
            PdBuffer buffer = new PdBuffer();
            assertThrows(IllegalStateException.class, () -> pair.client.malloc(100, buffer));
            assertThrows(IllegalStateException.class, () -> pair.server.recv(100, buffer));
        }
    }
}
