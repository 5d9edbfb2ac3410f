// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import static io.pipedevice.nio.select.Selecting.TIMEOUT_MILLIS;
import static io.pipedevice.nio.select.Selecting.bytes;
import static io.pipedevice.nio.select.Selecting.drain;
import static io.pipedevice.nio.select.Selecting.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.pipedevice.nio.PipeDeviceSelectorProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections on rings in a selector, alone and together with the kernel's. */
@Timeout(60)
class RingSelectorTest {
    private static final SelectorProvider PROVIDER = new PipeDeviceSelectorProvider();
    private static final Thread.Builder PLATFORM = Thread.ofPlatform().daemon();
    private static final int ROUNDS = 3_000;

    /** Rounds allocate until their code is compiled: for about this time, or for more rounds on a busy machine. */
    private static final long COMPILED_NS = TimeUnit.SECONDS.toNanos(20);

    private static final int ALLOCATION_ROUNDS = 40;

    private ServerSocketChannel server;
    private SocketChannel client;
    private SocketChannel accepted;
    private Selector selector;

    @BeforeEach
    void connect() throws IOException {
        selector = PROVIDER.openSelector();
        server = PROVIDER.openServerSocketChannel();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        client = PROVIDER.openSocketChannel();
        assertTrue(client.connect(server.getLocalAddress()));
        accepted = server.accept();
        assertTrue(client.toString().endsWith(" rings]"), client.toString());
        client.configureBlocking(false);
        accepted.configureBlocking(false);
        server.configureBlocking(false);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        accepted.close();
        server.close();
        selector.close();
    }

    private static <T> FutureTask<T> start(Thread.Builder kind, Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        kind.start(task);
        return task;
    }

    /** Selects until a key is ready, and returns its ready operations. */
    private int awaitReady(SelectionKey key) throws IOException {
        selector.selectedKeys().clear();
        while (!selector.selectedKeys().contains(key)) {
            assertTrue(selector.select(TIMEOUT_MILLIS) > 0, "nothing is ready");
        }
        return key.readyOps();
    }

    @Test
    void reportsConnectionsOfBothKinds() throws Exception {
        SelectionKey key = server.register(selector, SelectionKey.OP_ACCEPT);
        for (SelectorProvider kind : new SelectorProvider[] {PROVIDER, SelectorProvider.provider()}) {
            FutureTask<Integer> waiting = Selecting.blocked(PLATFORM, selector::select);
            try (SocketChannel more = kind.openSocketChannel()) {
                more.connect(server.getLocalAddress());
                assertEquals(1, get(waiting));
                assertTrue(key.isAcceptable());
                server.accept().close();
                assertEquals(null, server.accept());
            }
            selector.selectedKeys().clear();
            assertEquals(0, selector.selectNow());
        }
    }

    /** The server gets its rings only while the select is running. */
    @Test
    void takesOverATransportThatComesDuringASelect() throws Exception {
        try (ServerSocketChannel fresh = PROVIDER.openServerSocketChannel();
                SocketChannel first = PROVIDER.openSocketChannel()) {
            fresh.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            fresh.configureBlocking(false);
            fresh.register(selector, SelectionKey.OP_ACCEPT);
            FutureTask<Integer> waiting = Selecting.blocked(PLATFORM, selector::select);
            first.connect(fresh.getLocalAddress());
            assertTrue(first.toString().endsWith(" rings]"), first.toString());
            assertEquals(1, get(waiting));
            SocketChannel other = fresh.accept();
            assertNotNull(other);
            other.close();
        }
    }

    @Test
    void connectionThatIsMadeAtOnceIsConnectable() throws IOException {
        try (SocketChannel another = PROVIDER.openSocketChannel()) {
            another.configureBlocking(false);
            boolean done = another.connect(server.getLocalAddress());
            SelectionKey key = another.register(selector, SelectionKey.OP_CONNECT);
            if (!done) {
                assertEquals(SelectionKey.OP_CONNECT, awaitReady(key));
                assertTrue(another.finishConnect());
            }
            key.interestOps(SelectionKey.OP_WRITE);
            assertEquals(SelectionKey.OP_WRITE, awaitReady(key));
        }
    }

    @Test
    void dataAreReportedAsLongAsThereAreSome() throws IOException {
        SelectionKey key = accepted.register(selector, SelectionKey.OP_READ);
        assertEquals(0, selector.select(20));
        assertEquals(2, client.write(bytes(2)));
        for (int i = 0; i < 3; i++) {
            assertEquals(SelectionKey.OP_READ, awaitReady(key));
        }
        while (accepted.read(bytes(1)) == 0) {
            assertEquals(SelectionKey.OP_READ, awaitReady(key));
        }
        assertEquals(SelectionKey.OP_READ, awaitReady(key));
        drain(accepted);
        selector.selectedKeys().clear();
        assertEquals(0, selector.select(20));
        client.close();
        assertEquals(SelectionKey.OP_READ, awaitReady(key));
        assertEquals(-1, accepted.read(bytes(1)));
    }

    @Test
    void roomIsReportedWhenThereIsSome() throws IOException {
        SelectionKey key = client.register(selector, SelectionKey.OP_WRITE);
        assertEquals(SelectionKey.OP_WRITE, awaitReady(key));
        ByteBuffer chunk = bytes(64 << 10);
        selector.selectedKeys().clear();
        while (selector.select(100) > 0) {
            selector.selectedKeys().clear();
            client.write(chunk);
            chunk.clear();
        }
        assertEquals(0, client.write(chunk));
        while (accepted.read(bytes(64 << 10)) > 0) {
            Thread.onSpinWait();
        }
        assertEquals(SelectionKey.OP_WRITE, awaitReady(key));
    }

    @Test
    void interestOfNothingIsSilentAlsoAfterAReset() throws IOException {
        SelectionKey key = accepted.register(selector, SelectionKey.OP_READ);
        key.interestOps(0);
        client.setOption(StandardSocketOptions.SO_LINGER, 0);
        client.close();
        assertEquals(0, selector.select(50));
        key.interestOps(SelectionKey.OP_READ);
        assertEquals(SelectionKey.OP_READ, awaitReady(key));
    }

    @Test
    void interestThatAnotherThreadTakesAwayEndsNoSelect() throws Exception {
        SelectionKey key = accepted.register(selector, SelectionKey.OP_READ);
        assertEquals(0, selector.selectNow());
        FutureTask<Integer> waiting = Selecting.blocked(PLATFORM, () -> selector.select(TIMEOUT_MILLIS));
        key.interestOps(0);
        client.write(bytes(1));
        Thread.sleep(50);
        assertFalse(waiting.isDone(), "came back with nothing");
        selector.wakeup();
        assertEquals(0, get(waiting));
    }

    @Test
    void channelOfTwoSelectorsIsReportedByBoth() throws IOException {
        try (Selector second = PROVIDER.openSelector()) {
            SelectionKey key = accepted.register(selector, SelectionKey.OP_READ);
            accepted.register(second, SelectionKey.OP_READ);
            assertEquals(0, selector.selectNow() + second.selectNow());
            client.write(bytes(1));
            assertEquals(SelectionKey.OP_READ, awaitReady(key));
            assertEquals(1, second.select(TIMEOUT_MILLIS));
        }
        assertTrue(accepted.keyFor(selector).isValid());
        client.write(bytes(1));
        assertEquals(SelectionKey.OP_READ, awaitReady(accepted.keyFor(selector)));
    }

    @Test
    void closedChannelLeavesWithTheNextSelect() throws IOException {
        accepted.register(selector, SelectionKey.OP_READ);
        assertEquals(0, selector.selectNow());
        accepted.close();
        assertEquals(0, selector.selectNow());
        assertTrue(selector.keys().isEmpty());
    }

    @Test
    void busyRingsAndBusyDescriptorsBothGetTheirTurn() throws IOException {
        Pipe pipe = Selecting.pipe(selector);
        try (Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink()) {
            sink.write(bytes(1));
            client.register(selector, SelectionKey.OP_WRITE);
            int fromRings = 0;
            int fromKernel = 0;
            for (int i = 0; i < 1000; i++) {
                selector.selectedKeys().clear();
                assertTrue(selector.select() > 0);
                for (SelectionKey key : selector.selectedKeys()) {
                    fromRings += key.channel().equals(client) ? 1 : 0;
                    fromKernel += key.channel().equals(source) ? 1 : 0;
                }
            }
            assertTrue(fromRings >= 1000 / 8 && fromKernel >= 1000 / 8 - 1, fromRings + " and " + fromKernel);
        }
    }

    @Test
    void noWakeUpIsLost() throws Exception {
        for (Thread.Builder kind : new Thread.Builder[] {PLATFORM, Thread.ofVirtual()}) {
            FutureTask<Integer> other = start(kind, () -> {
                try (Selector own = PROVIDER.openSelector()) {
                    accepted.register(own, SelectionKey.OP_READ);
                    return pingPong(own, accepted, false);
                }
            });
            FutureTask<Integer> mine = start(kind, () -> {
                try (Selector own = PROVIDER.openSelector()) {
                    client.register(own, SelectionKey.OP_READ);
                    return pingPong(own, client, true);
                }
            });
            assertEquals(ROUNDS, mine.get(25, TimeUnit.SECONDS));
            assertEquals(ROUNDS, other.get(25, TimeUnit.SECONDS));
        }
    }

    private static int pingPong(Selector own, SocketChannel channel, boolean begins) throws IOException {
        ByteBuffer one = bytes(1);
        for (int i = 0; i < ROUNDS; i++) {
            if (begins) {
                assertEquals(1, channel.write(one.clear()));
            }
            one.clear();
            do {
                own.selectedKeys().clear();
                assertTrue(own.select(TIMEOUT_MILLIS) > 0, "lost in round " + i);
            } while (channel.read(one) == 0);
            if (!begins) {
                assertEquals(1, channel.write(one.clear()));
            }
        }
        return ROUNDS;
    }

    @Test
    @Timeout(300)
    void selectsAllocateNothing() throws IOException {
        SelectionKey key = client.register(selector, SelectionKey.OP_WRITE);
        Pipe pipe = Selecting.pipe(selector);
        try (Pipe.SourceChannel source = pipe.source();
                Pipe.SinkChannel sink = pipe.sink()) {
            sink.write(bytes(1));
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long self = Thread.currentThread().threadId();
            Consumer<SelectionKey> nothing = each -> assertTrue(each.isValid());
            long least = Long.MAX_VALUE;
            // System calls allocate until their code is compiled.
            long start = System.nanoTime();
            for (int round = 0;
                    least > 0 && (round < ALLOCATION_ROUNDS || System.nanoTime() - start < COMPILED_NS);
                    round++) {
                long before = threads.getThreadAllocatedBytes(self);
                for (int i = 0; i < 10_000; i++) {
                    selector.select(nothing);
                    selector.selectNow();
                    selector.selectedKeys().clear();
                    key.interestOps(i % 2 == 0 ? SelectionKey.OP_WRITE : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                }
                least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
            }
            assertTrue(least < 10_000, least + " bytes in 20,000 selects");
            assertTrue(source.isOpen());
        }
    }
}
