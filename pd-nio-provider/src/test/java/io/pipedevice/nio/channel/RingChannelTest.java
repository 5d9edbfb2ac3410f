// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.nio.PipeDeviceSelectorProvider;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two channels of this JVM that meet through its own driver. */
@Timeout(60)
class RingChannelTest {
    private static final SelectorProvider PROVIDER = new PipeDeviceSelectorProvider();

    private final long seed = Long.getLong("pipedevice.test.seed", System.nanoTime());
    private ServerSocketChannel server;
    private SocketChannel client;
    private SocketChannel accepted;

    @BeforeEach
    void connect() throws IOException {
        server = PROVIDER.openServerSocketChannel();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        client = PROVIDER.openSocketChannel();
        assertTrue(client.connect(server.getLocalAddress()));
        accepted = server.accept();
        assertTrue(client.toString().endsWith(" rings]"), client.toString());
        assertTrue(accepted.toString().endsWith(" rings]"), accepted.toString());
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        accepted.close();
        server.close();
    }

    private static <T> FutureTask<T> start(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static Throwable failure(FutureTask<?> task) {
        return assertThrows(ExecutionException.class, () -> task.get(50, TimeUnit.SECONDS))
                .getCause();
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String read(SocketChannel from, int count) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(count);
        while (target.hasRemaining()) {
            assertTrue(from.read(target) > 0, "end of stream");
        }
        return StandardCharsets.UTF_8.decode(target.flip()).toString();
    }

    @Test
    void bothEndsReportTheSameAddresses() throws IOException {
        assertEquals(client.getLocalAddress(), accepted.getRemoteAddress());
        assertEquals(client.getRemoteAddress(), accepted.getLocalAddress());
        assertEquals(server.getLocalAddress(), client.getRemoteAddress());
    }

    @Test
    void echoes() throws IOException {
        assertEquals(5, client.write(text("hello")));
        assertEquals("hello", read(accepted, 5));
        assertEquals(6, accepted.write(new ByteBuffer[] {text("wo"), text(""), text("rld!")}));
        ByteBuffer[] parts = {ByteBuffer.allocate(1), ByteBuffer.allocate(0), ByteBuffer.allocate(9)};
        long length = 0;
        while (length < 6) {
            length += client.read(parts);
        }
        assertEquals('w', parts[0].get(0));
        assertEquals(5, parts[2].position());
    }

    @Test
    void nonBlockingChannelsEcho() throws IOException {
        server.configureBlocking(false);
        assertNull(server.accept());
        try (SocketChannel other = PROVIDER.openSocketChannel()) {
            other.configureBlocking(false);
            assertFalse(other.connect(server.getLocalAddress()));
            assertTrue(other.isConnectionPending());
            assertTrue(other.finishConnect());
            try (SocketChannel mine = server.accept()) {
                mine.configureBlocking(false);
                ByteBuffer target = ByteBuffer.allocate(9);
                assertEquals(0, mine.read(target));
                assertEquals(4, other.write(text("ping")));
                Awaitility.await().until(() -> mine.read(target) == 4);
                assertEquals(0, mine.read(target));
                other.shutdownOutput();
                Awaitility.await().until(() -> mine.read(target) == -1);
            }
        }
    }

    @Test
    void aBlockingWriteWritesEverything() throws Exception {
        System.out.println("-Dpipedevice.test.seed=" + seed);
        byte[] data = new byte[10_000_000];
        new Random(seed).nextBytes(data);
        CRC32C expected = new CRC32C();
        expected.update(data);
        FutureTask<Integer> writing = start(() -> {
            int count = client.write(ByteBuffer.wrap(data));
            client.shutdownOutput();
            return count;
        });
        CRC32C arrived = new CRC32C();
        ByteBuffer target = ByteBuffer.allocateDirect(100_000);
        while (accepted.read(target.clear()) >= 0) {
            arrived.update(target.flip());
        }
        assertEquals(data.length, writing.get(50, TimeUnit.SECONDS));
        assertEquals(expected.getValue(), arrived.getValue());
    }

    @Test
    void closeEndsABlockedRead() throws Exception {
        FutureTask<Integer> reading = start(() -> client.read(ByteBuffer.allocate(1)));
        awaitBlocked(reading);
        client.close();
        assertInstanceOf(AsynchronousCloseException.class, failure(reading));
        assertEquals(-1, accepted.read(ByteBuffer.allocate(1)));
    }

    @Test
    void closeEndsABlockedWrite() throws Exception {
        FutureTask<Integer> writing = start(() -> {
            while (true) {
                client.write(ByteBuffer.allocate(1 << 20));
            }
        });
        awaitBlocked(writing);
        client.close();
        assertInstanceOf(ClosedChannelException.class, failure(writing));
    }

    @Test
    void closeEndsABlockedAccept() throws Exception {
        FutureTask<SocketChannel> accepting = start(server::accept);
        awaitBlocked(accepting);
        server.close();
        assertInstanceOf(AsynchronousCloseException.class, failure(accepting));
    }

    /** Gives a call time to block. A call that blocks later has the same result. */
    private static void awaitBlocked(FutureTask<?> task) {
        Awaitility.await().pollDelay(50, TimeUnit.MILLISECONDS).until(() -> !task.isDone());
    }

    @Test
    void anInterruptClosesAndThePeerSeesTheEnd() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        FutureTask<Boolean> reading = new FutureTask<>(() -> {
            running.countDown();
            assertThrows(ClosedByInterruptException.class, () -> client.read(ByteBuffer.allocate(1)));
            return Thread.interrupted();
        });
        Thread thread = new Thread(reading);
        thread.start();
        running.await();
        thread.interrupt();
        assertTrue(reading.get(50, TimeUnit.SECONDS), "the interrupt status is kept");
        assertFalse(client.isOpen());
        assertEquals(-1, accepted.read(ByteBuffer.allocate(1)));
        assertFalse(Thread.interrupted(), "nobody else is interrupted");
    }

    @Test
    void aReadAfterAnInterruptClosesEvenIfThereAreData() throws Exception {
        accepted.write(text("x"));
        FutureTask<Integer> reading = start(() -> {
            Thread.currentThread().interrupt();
            return client.read(ByteBuffer.allocate(1));
        });
        assertInstanceOf(ClosedByInterruptException.class, failure(reading));
    }

    @Test
    void halfCloseWorksInBothDirections() throws IOException {
        client.write(text("last"));
        client.shutdownOutput();
        assertThrows(AsynchronousCloseException.class, () -> client.write(text("x")));
        assertEquals("last", read(accepted, 4));
        assertEquals(-1, accepted.read(ByteBuffer.allocate(1)));
        accepted.write(text("back"));
        assertEquals("back", read(client, 4));
        client.shutdownInput();
        assertEquals(-1, client.read(ByteBuffer.allocate(1)));
    }

    @Test
    void closeWithUnreadDataResetsThePeer() throws Exception {
        client.write(text("never read"));
        Awaitility.await().until(() -> accepted.socket().getInputStream().available() == 10);
        accepted.close();
        Throwable e = assertThrows(SocketException.class, () -> {
            while (client.read(ByteBuffer.allocate(1)) == 0) {
                Thread.onSpinWait();
            }
        });
        assertEquals("Connection reset", e.getMessage());
        assertEquals(
                "Broken pipe",
                assertThrows(IOException.class, () -> client.write(text("x"))).getMessage());
    }

    @Test
    void aConnectWithoutAListenerIsRefusedByTheKernel() throws IOException {
        InetSocketAddress gone = (InetSocketAddress) server.getLocalAddress();
        server.close();
        try (SocketChannel other = PROVIDER.openSocketChannel()) {
            assertEquals(
                    "Connection refused",
                    assertThrows(ConnectException.class, () -> other.connect(gone))
                            .getMessage());
            assertFalse(other.isOpen());
        }
    }

    @Test
    void aClientOfTheJdkIsAcceptedFromTheKernel() throws IOException {
        try (Socket plain = new Socket()) {
            plain.connect(server.getLocalAddress());
            try (SocketChannel mine = server.accept()) {
                assertTrue(mine.toString().endsWith(" kernel (not pipedevice peer)]"), mine.toString());
                mine.write(text("hi"));
                assertEquals('h', plain.getInputStream().read());
            }
        }
    }

    @Test
    void theAdaptorTimesOutAndReadsOn() throws IOException {
        Socket socket = client.socket();
        socket.setSoTimeout(50);
        assertEquals(
                "Read timed out",
                assertThrows(
                                SocketTimeoutException.class,
                                () -> socket.getInputStream().read())
                        .getMessage());
        accepted.socket().getOutputStream().write(7);
        socket.setSoTimeout(0);
        assertEquals(7, socket.getInputStream().read());
        server.socket().setSoTimeout(50);
        assertThrows(SocketTimeoutException.class, () -> server.socket().accept());
    }

    @Test
    void acceptedChannelsKeepOptions() throws IOException {
        accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
        assertTrue(accepted.getOption(StandardSocketOptions.TCP_NODELAY));
        assertEquals(-1, accepted.getOption(StandardSocketOptions.SO_LINGER));
        client.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        assertTrue(client.socket().getKeepAlive());
    }

    @Test
    void lingerOfZeroResets() throws IOException {
        client.setOption(StandardSocketOptions.SO_LINGER, 0);
        client.close();
        assertThrows(SocketException.class, () -> accepted.read(ByteBuffer.allocate(1)));
    }
}
