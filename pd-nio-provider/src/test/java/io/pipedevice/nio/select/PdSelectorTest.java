// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import static io.pipedevice.nio.select.Selecting.TIMEOUT_MILLIS;
import static io.pipedevice.nio.select.Selecting.bytes;
import static io.pipedevice.nio.select.Selecting.drain;
import static io.pipedevice.nio.select.Selecting.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The JDK's own channels in both selectors: each test that passes with the JDK's selector must pass with this one. */
@Timeout(60)
class PdSelectorTest {
    private static final SelectorProvider JDK = SelectorProvider.provider();
    private static final Thread.Builder PLATFORM = Thread.ofPlatform().daemon();

    enum Kind {
        JDK,
        PIPEDEVICE
    }

    private final List<AutoCloseable> open = new ArrayList<>();
    private Selector selector;

    private void open(Kind kind) throws IOException {
        selector = kind == Kind.JDK ? JDK.openSelector() : new PdSelector(JDK);
        open.add(selector);
    }

    private Pipe pipe() throws IOException {
        Pipe pipe = Selecting.pipe(selector);
        open.add(pipe.source());
        open.add(pipe.sink());
        return pipe;
    }

    private static void send(Pipe pipe) throws IOException {
        assertEquals(1, pipe.sink().write(bytes(1)));
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void reportsTcpChannels(Kind kind) throws IOException {
        open(kind);
        try (ServerSocketChannel server = JDK.openServerSocketChannel();
                SocketChannel client = JDK.openSocketChannel()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            client.configureBlocking(false);
            SelectionKey key = client.register(selector, 0, "client");
            assertEquals(0, selector.selectNow());
            client.connect(server.getLocalAddress());
            key.interestOps(SelectionKey.OP_CONNECT);
            assertEquals(
                    2,
                    selector.select(TIMEOUT_MILLIS)
                            + (selector.selectedKeys().size() < 2 ? selector.select(TIMEOUT_MILLIS) : 0));
            assertTrue(key.isConnectable());
            assertTrue(client.finishConnect());
            selector.selectedKeys().clear();
            key.interestOps(SelectionKey.OP_READ);
            try (SocketChannel accepted = server.accept()) {
                assertEquals(0, selector.selectNow());
                accepted.write(bytes(2));
                assertEquals(1, selector.select());
                assertSame(key, selector.selectedKeys().iterator().next());
                assertEquals("client", key.attachment());
                assertEquals(SelectionKey.OP_READ, key.readyOps());
                assertEquals(0, selector.select(), "nothing is new");
                key.interestOpsOr(SelectionKey.OP_WRITE);
                assertEquals(1, selector.select());
                assertEquals(SelectionKey.OP_READ | SelectionKey.OP_WRITE, key.readyOps());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void reportsPipesAndDatagrams(Kind kind) throws IOException {
        open(kind);
        Pipe pipe = pipe();
        try (DatagramChannel datagrams = JDK.openDatagramChannel()) {
            datagrams.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            datagrams.configureBlocking(false);
            SelectionKey key = datagrams.register(selector, SelectionKey.OP_READ);
            assertEquals(0, selector.select(20));
            datagrams.send(bytes(3), datagrams.getLocalAddress());
            assertEquals(1, selector.select());
            assertTrue(key.isReadable());
            send(pipe);
            assertEquals(1, selector.select());
            assertEquals(2, selector.selectedKeys().size());
        }
    }

    @ParameterizedTest
    @EnumSource
    void handsKeysToAnAction(Kind kind) throws IOException {
        open(kind);
        Pipe pipe = pipe();
        send(pipe);
        List<SelectionKey> seen = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            assertEquals(1, selector.select(seen::add));
            assertEquals(i, seen.size());
        }
        assertSame(pipe.source(), seen.get(0).channel());
        assertTrue(seen.get(0).isReadable());
        assertTrue(selector.selectedKeys().isEmpty());
        drain(pipe.source());
        assertEquals(0, selector.select(seen::add, 20));
        assertEquals(0, selector.selectNow(seen::add));
        assertEquals(3, seen.size());
    }

    @ParameterizedTest
    @EnumSource
    void refusesWhatTheJdkRefuses(Kind kind) throws IOException {
        open(kind);
        Pipe pipe = pipe();
        send(pipe);
        assertThrows(IllegalArgumentException.class, () -> selector.select(-1));
        assertThrows(IllegalArgumentException.class, () -> selector.select(key -> {}, -1));
        assertThrows(NullPointerException.class, () -> selector.select(null));
        assertThrows(
                IllegalStateException.class,
                () -> selector.select(key -> {
                    try {
                        selector.selectNow();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                }));
        SelectionKey key = pipe.source().keyFor(selector);
        assertThrows(IllegalArgumentException.class, () -> key.interestOps(SelectionKey.OP_WRITE));
        assertThrows(IllegalArgumentException.class, () -> key.interestOpsOr(SelectionKey.OP_WRITE));
        Set<SelectionKey> selected = selector.selectedKeys();
        assertThrows(UnsupportedOperationException.class, () -> selected.add(key));
        assertThrows(UnsupportedOperationException.class, () -> selector.keys().remove(key));
        assertEquals(1, selector.select());
        assertTrue(selected.remove(key));
        assertEquals(1, selector.keys().size());
        assertEquals(1, selector.select(), "it is new again once it was removed");
    }

    @ParameterizedTest
    @EnumSource
    void waitsForItsTimeAndNoLonger(Kind kind) throws IOException {
        open(kind);
        pipe();
        long start = System.nanoTime();
        assertEquals(0, selector.select(30));
        assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(30), "came back early");
        assertEquals(0, selector.selectNow());
    }

    @ParameterizedTest
    @EnumSource
    void wakeupEndsOneSelect(Kind kind) throws Exception {
        open(kind);
        pipe();
        FutureTask<Integer> waiting = Selecting.blocked(PLATFORM, selector::select);
        assertSame(selector, selector.wakeup());
        assertEquals(0, get(waiting));
        selector.wakeup().wakeup();
        assertEquals(0, selector.select());
        long start = System.nanoTime();
        assertEquals(0, selector.select(20));
        assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(20), "two wakeups were two");
        selector.wakeup();
        assertEquals(0, selector.selectNow());
        start = System.nanoTime();
        assertEquals(0, selector.select(20));
        assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(20), "selectNow left it");
    }

    @ParameterizedTest
    @EnumSource
    void interruptEndsASelectAndIsKept(Kind kind) throws Exception {
        open(kind);
        pipe();
        for (Thread.Builder threads : List.of(PLATFORM, Thread.ofVirtual())) {
            Selecting.Blocked<Boolean> waiting = new Selecting.Blocked<>(threads, () -> {
                selector.select();
                boolean first = Thread.currentThread().isInterrupted();
                selector.select();
                return first && Thread.interrupted();
            });
            waiting.thread.interrupt();
            assertTrue(get(waiting.task));
            assertTrue(selector.isOpen());
            selector.selectNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void cancelledKeysLeaveWithTheNextSelect(Kind kind) throws IOException {
        open(kind);
        Pipe pipe = pipe();
        send(pipe);
        assertEquals(1, selector.select());
        SelectionKey key = pipe.source().keyFor(selector);
        key.cancel();
        assertFalse(key.isValid());
        assertThrows(CancelledKeyException.class, key::interestOps);
        assertThrows(CancelledKeyException.class, key::readyOps);
        assertThrows(CancelledKeyException.class, () -> pipe.source().register(selector, SelectionKey.OP_READ));
        assertEquals(0, selector.selectNow());
        assertTrue(selector.keys().isEmpty());
        assertTrue(selector.selectedKeys().isEmpty());
        assertFalse(pipe.source().isRegistered());
        pipe.source().register(selector, SelectionKey.OP_READ);
        assertEquals(1, selector.select());
    }

    @ParameterizedTest
    @EnumSource
    void closedChannelsLeaveWithTheNextSelect(Kind kind) throws IOException {
        open(kind);
        Pipe pipe = pipe();
        pipe.source().close();
        assertEquals(1, selector.keys().size());
        assertEquals(0, selector.selectNow());
        assertTrue(selector.keys().isEmpty());
        // The reading end is closed now, and so a write fails.
        assertThrows(IOException.class, () -> pipe.sink().write(bytes(1)));
    }

    @ParameterizedTest
    @EnumSource
    void registrationDoesNotWaitForARunningSelect(Kind kind) throws Exception {
        open(kind);
        FutureTask<Integer> waiting = Selecting.blocked(PLATFORM, selector::select);
        Pipe pipe = pipe();
        send(pipe);
        assertEquals(1, selector.keys().size());
        selector.wakeup();
        get(waiting);
        assertEquals(1, selector.selectedKeys().isEmpty() ? selector.select() : 1);
    }

    @ParameterizedTest
    @EnumSource
    void interestOfNothingIsSilent(Kind kind) throws IOException {
        open(kind);
        Pipe pipe = pipe();
        send(pipe);
        SelectionKey key = pipe.source().keyFor(selector);
        assertEquals(SelectionKey.OP_READ, key.interestOpsAnd(0));
        pipe.sink().close();
        assertEquals(0, selector.select(20));
        assertEquals(0, key.interestOpsOr(SelectionKey.OP_READ));
        assertEquals(1, selector.select());
    }

    @ParameterizedTest
    @EnumSource
    void closeEndsARunningSelect(Kind kind) throws Exception {
        open(kind);
        Pipe pipe = pipe();
        SelectionKey key = pipe.source().keyFor(selector);
        FutureTask<Integer> waiting = Selecting.blocked(PLATFORM, selector::select);
        selector.close();
        assertEquals(0, get(waiting));
        assertFalse(key.isValid());
        assertFalse(pipe.source().isRegistered());
        assertThrows(ClosedSelectorException.class, selector::selectNow);
        assertThrows(ClosedSelectorException.class, selector::keys);
        assertThrows(ClosedSelectorException.class, selector::selectedKeys);
        assertThrows(ClosedSelectorException.class, () -> pipe.source().register(selector, SelectionKey.OP_READ));
        assertSame(selector, selector.wakeup());
    }

    @ParameterizedTest
    @EnumSource
    void closeInAnAction(Kind kind) throws IOException {
        open(kind);
        Pipe one = pipe();
        Pipe two = pipe();
        send(one);
        send(two);
        List<SelectionKey> seen = new ArrayList<>();
        assertThrows(
                ClosedSelectorException.class,
                () -> selector.select(key -> {
                    seen.add(key);
                    try {
                        selector.close();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                }));
        assertEquals(1, seen.size());
    }

    @ParameterizedTest
    @EnumSource
    void virtualThreadsLeaveTheirCarrierToOthers(Kind kind) throws Exception {
        open(kind);
        List<Selector> selectors = new ArrayList<>();
        List<FutureTask<Integer>> waiting = new ArrayList<>();
        for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
            Selector each = kind == Kind.JDK ? JDK.openSelector() : new PdSelector(JDK);
            open.add(each);
            selectors.add(each);
            waiting.add(Selecting.blocked(Thread.ofVirtual(), each::select));
        }
        CountDownLatch ran = new CountDownLatch(1);
        Thread.ofVirtual().start(ran::countDown);
        assertTrue(ran.await(50, TimeUnit.SECONDS), "all carriers are occupied");
        selectors.forEach(Selector::wakeup);
        for (FutureTask<Integer> each : waiting) {
            assertEquals(0, get(each));
        }
        Pipe pipe = pipe();
        FutureTask<Integer> reading = Selecting.blocked(Thread.ofVirtual(), () -> selector.select(TIMEOUT_MILLIS));
        send(pipe);
        assertEquals(1, get(reading));
        drain(pipe.source());
        selector.selectedKeys().clear();
        FutureTask<Integer> timed = new FutureTask<>(() -> selector.select(20));
        Thread.ofVirtual().start(timed);
        assertEquals(0, get(timed));
    }
}
