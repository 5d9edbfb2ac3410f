// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that are sent from blocks and received in place, and their ends. */
@Timeout(60)
abstract class InPlaceStreamContract extends InPlaceFixture {
    private final long seed = Long.getLong("pipedevice.test.seed", System.nanoTime());

    InPlaceStreamContract(Placement placement) {
        super(placement);
    }

    @Test
    void dataFlowBothWays() throws PdException {
        Bytes.send(client, "ping");
        assertEquals("ping", Bytes.receiveText(server, 4));
        Bytes.send(server, "pong");
        assertEquals("pong", Bytes.receiveText(client, 4));
    }

    @Test
    void endOfStreamComesAfterTheData() throws PdException {
        byte[] data = new byte[50_000];
        data[49_999] = 7;
        Bytes.send(client, data);
        client.close();
        assertEquals(7, Bytes.receive(server, 50_000)[49_999]);
        assertEquals(PdSocket.END_OF_STREAM, Bytes.receiveEnd(server));
        assertEquals(PdSocket.END_OF_STREAM, Bytes.receiveEnd(server));
    }

    @Test
    void halfCloseLeavesTheOtherDirection() throws PdException {
        Bytes.send(client, "question");
        client.shutdownOutput();
        client.shutdownOutput();
        assertEquals("question", Bytes.receiveText(server, 8));
        assertEquals(PdSocket.END_OF_STREAM, Bytes.receiveEnd(server));
        Bytes.send(server, "answer");
        assertEquals("answer", Bytes.receiveText(client, 6));
        server.shutdownOutput();
        assertEquals(PdSocket.END_OF_STREAM, Bytes.receiveEnd(client));
    }

    @Test
    void closeWithUnreadDataResetsThePeer() throws Exception {
        Bytes.send(client, "unread");
        PdBuffer buffer = new PdBuffer();
        assertEquals(2, server.recv(2, buffer, Attached.PATIENCE_NS));
        server.close();
        PdException reset = assertThrows(PdException.class, () -> Bytes.receiveEnd(client));
        assertEquals(Errno.ECONNRESET, reset.errno());
        assertEquals("Connection reset", reset.getMessage());
    }

    @Test
    void dataThatWereHandedOutCountAsRead() throws PdException {
        Bytes.send(client, "read");
        assertEquals(4, server.recv(100, new PdBuffer(), Attached.PATIENCE_NS));
        server.close();
        assertEquals(PdSocket.END_OF_STREAM, Bytes.receiveEnd(client));
    }

    @Test
    void dataBeforeAResetArriveFirst() throws PdException {
        Bytes.send(client, "last words");
        assertEquals(4, Bytes.receive(server, 4).length);
        client.abort();
        assertEquals("words", Bytes.receiveText(server, 6).strip());
        PdException reset = assertThrows(PdException.class, () -> Bytes.receiveEnd(server));
        assertEquals("Connection reset", reset.getMessage());
    }

    @Test
    void sendToAClosedPeerBreaksThePipe() throws Exception {
        server.close();
        assertEquals(PdSocket.END_OF_STREAM, Bytes.receiveEnd(client));
        PdBuffer buffer = new PdBuffer();
        PdException broken = assertThrows(PdException.class, () -> {
            for (int i = 0; i < 1000; i++) {
                Bytes.send(client, "anybody there?");
                TimeUnit.MILLISECONDS.sleep(1);
            }
        });
        assertEquals(Errno.EPIPE, broken.errno());
        assertEquals("Broken pipe", broken.getMessage());
        assertTrue(client.malloc(10, buffer), "blocks can still be taken");
        // After the end of the stream a reader still sees the end, as with TCP.
        assertEquals(PdSocket.END_OF_STREAM, Bytes.receiveEnd(client));
    }

    @Test
    void blocksOnTheirWayAtAResetAreNotRefreshed() throws Exception {
        PdBuffer buffer = new PdBuffer();
        assertTrue(client.malloc(RING, buffer));
        assertEquals(RING, client.send(buffer, RING));
        assertEquals(RING, client.send(buffer, RING));
        // If it were closed before data arrive, the peer would see the end first, and later data would be a broken
        // pipe.
        assertTrue(server.awaitReadable(Attached.PATIENCE_NS));
        server.close();
        PdException reset = assertThrows(PdException.class, () -> {
            while (!client.bufRefresh(buffer)) {
                Thread.onSpinWait();
            }
        });
        assertEquals(Errno.ECONNRESET, reset.errno());
        client.free(buffer);
    }

    private static <T> FutureTask<T> start(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 5000, RING})
    void randomPiecesInBothDirections(int largestBlock) throws Exception {
        System.out.println("-Dpipedevice.test.seed=" + seed);
        FutureTask<Long> there = start(() -> sendAndShut(client, seed, largestBlock));
        FutureTask<Long> back = start(() -> sendAndShut(server, seed + 1, largestBlock));
        FutureTask<Long> arrivedThere = start(() -> RandomStream.receive(server, seed + 2));
        FutureTask<Long> arrivedBack = start(() -> RandomStream.receive(client, seed + 3));
        assertEquals(there.get(50, TimeUnit.SECONDS), arrivedThere.get(50, TimeUnit.SECONDS));
        assertEquals(back.get(50, TimeUnit.SECONDS), arrivedBack.get(50, TimeUnit.SECONDS));
    }

    private static long sendAndShut(PdConnection socket, long seed, int largestBlock) throws PdException {
        long checksum = RandomStream.send(socket, seed, 10_000_000, largestBlock);
        socket.shutdownOutput();
        return checksum;
    }

    /** Random sequences of copies and blocks, of reads and in-place receives. The stream has the order of the calls. */
    @Test
    void bothKindsOfCallsAreMixed() throws Exception {
        System.out.println("-Dpipedevice.test.seed=" + seed);
        FutureTask<Long> sent = start(() -> sendMixed(client));
        FutureTask<Long> received = start(() -> receiveMixed(server));
        assertEquals(sent.get(50, TimeUnit.SECONDS), received.get(50, TimeUnit.SECONDS));
    }

    private long sendMixed(PdConnection socket) throws PdException {
        Random random = new Random(seed);
        CRC32C checksum = new CRC32C();
        PdBuffer block = new PdBuffer();
        // First make only copies, so that the stream has changed rings before the first block.
        int untilBlocks = random.nextInt(200_000);
        for (int sum = 0; sum < 5_000_000; ) {
            byte[] data = new byte[1 + random.nextInt(random.nextInt(4) == 0 ? 20_000 : 200)];
            random.nextBytes(data);
            checksum.update(data);
            if (sum < untilBlocks || random.nextBoolean()) {
                ByteBuffer source = ByteBuffer.wrap(data);
                while (source.hasRemaining()) {
                    if (socket.write(source) == 0) {
                        assertTrue(socket.awaitWritable(Attached.PATIENCE_NS), "no room");
                    }
                }
            } else {
                assertTrue(socket.malloc(data.length, block, Attached.PATIENCE_NS), "no room");
                block.copyFrom(0, data, 0, data.length);
                assertEquals(data.length, socket.send(block, data.length, Attached.PATIENCE_NS));
                socket.free(block);
            }
            sum += data.length;
        }
        socket.shutdownOutput();
        return checksum.getValue();
    }

    private long receiveMixed(PdConnection socket) throws PdException {
        Random random = new Random(seed + 1);
        CRC32C checksum = new CRC32C();
        PdBuffer received = new PdBuffer();
        while (true) {
            assertTrue(socket.awaitReadable(Attached.PATIENCE_NS), "nothing came");
            int most = 1 + random.nextInt(10_000);
            if (random.nextBoolean()) {
                ByteBuffer target = ByteBuffer.allocate(most);
                if (socket.read(target) == PdSocket.END_OF_STREAM) {
                    return checksum.getValue();
                }
                checksum.update(target.flip());
            } else {
                int sum = 0;
                int length;
                while ((length = socket.recv(most, received)) > 0) {
                    checksum.update(received.asByteBuffer());
                    sum += length;
                }
                socket.recvDone(sum);
            }
        }
    }

    @Test
    void blocksArriveInTheOrderOfTheirSends() throws PdException {
        PdBuffer[] blocks = new PdBuffer[3];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = new PdBuffer();
            assertTrue(client.malloc(2, blocks[i]));
            blocks[i].copyFrom(0, new byte[] {(byte) ('a' + i), (byte) ('A' + i)}, 0, 2);
        }
        client.send(blocks[2], 2);
        client.send(blocks[0], 1, 1);
        client.send(blocks[2], 1);
        client.send(blocks[1], 2);
        assertEquals("cCAcbB", Bytes.receiveText(server, 6));
    }

    @Test
    void keptBlocksAreSentAgainWhenTheyAreRefreshed() throws Exception {
        PdBuffer[] blocks = new PdBuffer[8];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = new PdBuffer();
            assertTrue(client.malloc(RING / blocks.length, blocks[i]));
        }
        FutureTask<byte[]> received = start(() -> Bytes.receive(server, 50 * RING));
        for (int sent = 0; sent < 50 * blocks.length; ) {
            int reusable = client.bufRefresh(blocks, blocks.length);
            for (int i = 0; i < reusable && sent < 50 * blocks.length; i++) {
                byte[] data = new byte[RING / blocks.length];
                Arrays.fill(data, (byte) sent++);
                blocks[i].copyFrom(0, data, 0, data.length);
                assertEquals(data.length, client.send(blocks[i], data.length));
            }
        }
        byte[] all = received.get(20, TimeUnit.SECONDS);
        for (int i = 0; i < all.length; i++) {
            assertEquals((byte) (i / (RING / blocks.length)), all[i]);
        }
    }

    @Test
    void whatIsHandedOutStaysUntilItIsReleased() throws PdException {
        byte[] data = new byte[RING / 2];
        new Random(seed).nextBytes(data);
        ByteBuffer source = ByteBuffer.wrap(data);
        while (source.hasRemaining()) {
            assertTrue(client.awaitWritable(Attached.PATIENCE_NS));
            client.write(source);
        }
        List<ByteBuffer> pieces = new ArrayList<>();
        int sum = 0;
        while (sum < data.length) {
            PdBuffer received = new PdBuffer();
            int length = server.recv(1000, received, Attached.PATIENCE_NS);
            pieces.add(received.asByteBuffer());
            sum += length;
        }
        while (client.write(ByteBuffer.allocate(1000)) > 0) {
            Thread.onSpinWait();
        }
        int at = 0;
        for (ByteBuffer piece : pieces) {
            assertEquals(ByteBuffer.wrap(data, at, piece.remaining()), piece);
            at += piece.remaining();
        }
        server.recvDone(sum);
        assertArrayEquals(new byte[3000], Bytes.receive(server, 3000));
    }

    @Test
    void blocksAreFreedInAnyOrder() throws Exception {
        System.out.println("-Dpipedevice.test.seed=" + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            List<PdBuffer> blocks = new ArrayList<>();
            byte[] expected = new byte[RING];
            int sum = 0;
            PdBuffer next = new PdBuffer();
            int size = 1 + random.nextInt(2000);
            while (client.malloc(size, next)) {
                byte[] data = new byte[size];
                random.nextBytes(data);
                next.copyFrom(0, data, 0, size);
                blocks.add(next);
                System.arraycopy(data, 0, expected, sum, size);
                sum += size;
                next = new PdBuffer();
                size = 1 + random.nextInt(2000);
            }
            for (PdBuffer block : blocks) {
                assertEquals(block.length(), client.send(block, block.length()));
            }
            Collections.shuffle(blocks, random);
            for (PdBuffer block : blocks) {
                client.free(block);
            }
            assertArrayEquals(Arrays.copyOf(expected, sum), Bytes.receive(server, sum));
            PdBuffer all = new PdBuffer();
            assertTrue(client.malloc(RING, all, Attached.PATIENCE_NS), "everything is free again");
            client.free(all);
        }
    }

    @Test
    void severalBuffersOfOneWriteArriveAtOnce() throws PdException {
        for (int round = 0; round < 20; round++) {
            byte[] data = new byte[1000];
            new Random(round).nextBytes(data);
            ByteBuffer[] parts = new ByteBuffer[100];
            Arrays.setAll(parts, i -> ByteBuffer.wrap(data, i * 10, 10));
            assertEquals(1000, client.write(parts, 0, 100));
            assertTrue(server.awaitReadable(Attached.PATIENCE_NS));
            assertEquals(1000, server.available());
            ByteBuffer read = ByteBuffer.allocate(1000);
            assertEquals(1000, server.read(read));
            assertArrayEquals(data, read.array());
        }
    }
}
