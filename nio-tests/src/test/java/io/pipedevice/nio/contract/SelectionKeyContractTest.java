// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Registering, interest, and cancelling. */
class SelectionKeyContractTest extends Contract {
    private Connection connection;
    private SocketChannel client;
    private Selector selector;

    private void open() throws IOException {
        connection = connect();
        connection.configureBlocking(false);
        client = connection.client();
        selector = openSelector(client);
    }

    @Test
    void aKeyHasItsChannelSelectorInterestAndAttachment() throws IOException {
        open();
        Object attachment = new Object();
        SelectionKey key = client.register(selector, SelectionKey.OP_READ, attachment);
        assertSame(client, key.channel());
        assertSame(selector, key.selector());
        assertEquals(SelectionKey.OP_READ, key.interestOps());
        assertEquals(0, key.readyOps());
        assertSame(attachment, key.attachment());
        assertTrue(key.isValid());
        assertTrue(client.isRegistered());
        assertSame(key, client.keyFor(selector));
        assertNull(connection.server().keyFor(selector));
        assertEquals(Set.of(key), selector.keys());
        assertTrue(selector.selectedKeys().isEmpty());
        assertSame(attachment, key.attach(null));
        assertNull(key.attachment());
    }

    @Test
    void theTextOfAKeyHasItsState() throws IOException {
        open();
        SelectionKey key = client.register(selector, SelectionKey.OP_WRITE);
        String both = "channel=" + client + ", selector=" + selector + ", ";
        assertEquals(both + "interestOps=4, readyOps=0", key.toString());
        assertEquals(1, selector.select());
        key.interestOps(SelectionKey.OP_READ);
        assertEquals(both + "interestOps=1, readyOps=4", key.toString());
        key.cancel();
        assertEquals(both + "invalid", key.toString());
    }

    @Test
    void registeringAgainChangesInterestAndAttachment() throws IOException {
        open();
        SelectionKey key = client.register(selector, SelectionKey.OP_READ, "first");
        assertSame(key, client.register(selector, SelectionKey.OP_WRITE, "second"));
        assertEquals(SelectionKey.OP_WRITE, key.interestOps());
        assertEquals("second", key.attachment());
        assertEquals(1, selector.select());
        assertTrue(key.isWritable());
        client.register(selector, 0);
        assertNull(key.attachment());
    }

    @Test
    void whatCannotBeRegisteredIsRefused() throws IOException {
        open();
        ServerSocketChannel listener = listen();
        listener.configureBlocking(false);
        Selector forServers = openSelector(listener);
        for (int ops : new int[] {SelectionKey.OP_ACCEPT, 2, -1, 64}) {
            assertThrowsExactly(IllegalArgumentException.class, () -> client.register(selector, ops));
        }
        for (int ops : new int[] {SelectionKey.OP_CONNECT, SelectionKey.OP_READ, SelectionKey.OP_WRITE}) {
            assertThrowsExactly(IllegalArgumentException.class, () -> listener.register(forServers, ops));
        }
        assertThrowsExactly(NullPointerException.class, () -> client.register(null, SelectionKey.OP_READ));
        client.configureBlocking(true);
        assertThrowsExactly(IllegalBlockingModeException.class, () -> client.register(selector, SelectionKey.OP_READ));
        client.configureBlocking(false);
        selector.close();
        assertThrowsExactly(ClosedSelectorException.class, () -> client.register(selector, SelectionKey.OP_READ));
        client.close();
        assertThrowsExactly(
                ClosedChannelException.class, () -> client.register(openSelector(client), SelectionKey.OP_READ));
    }

    @Test
    void interestIsCheckedAndChanged() throws IOException {
        open();
        SelectionKey key = client.register(selector, SelectionKey.OP_READ);
        assertSame(key, key.interestOps(SelectionKey.OP_WRITE));
        assertEquals(SelectionKey.OP_WRITE, key.interestOpsOr(SelectionKey.OP_READ));
        assertEquals(SelectionKey.OP_WRITE | SelectionKey.OP_READ, key.interestOpsAnd(~SelectionKey.OP_WRITE));
        assertEquals(SelectionKey.OP_READ, key.interestOps());
        assertThrowsExactly(IllegalArgumentException.class, () -> key.interestOps(SelectionKey.OP_ACCEPT));
        assertThrowsExactly(IllegalArgumentException.class, () -> key.interestOpsOr(SelectionKey.OP_ACCEPT));
        assertEquals(SelectionKey.OP_READ, key.interestOpsAnd(SelectionKey.OP_ACCEPT));
        assertEquals(0, key.interestOps());
    }

    @Test
    void noChangeOfInterestIsLostBetweenThreads() throws Exception {
        open();
        SelectionKey key = client.register(selector, 0);
        Task<Object> reads = start(() -> toggle(key, SelectionKey.OP_READ));
        Task<Object> writes = start(() -> toggle(key, SelectionKey.OP_WRITE));
        while (!reads.isDone() || !writes.isDone()) {
            selector.selectNow();
        }
        reads.result();
        writes.result();
        assertEquals(SelectionKey.OP_READ | SelectionKey.OP_WRITE, key.interestOps());
        selector.selectedKeys().clear();
        assertEquals(1, selector.selectNow());
        assertEquals(SelectionKey.OP_WRITE, key.readyOps());
    }

    /** Each round finds the bit as this thread has left it; the last round leaves it set. */
    private static Object toggle(SelectionKey key, int bit) {
        for (int i = 0; i < 5000; i++) {
            assertEquals(0, key.interestOpsOr(bit) & bit);
            assertEquals(bit, key.interestOpsAnd(~bit) & bit);
        }
        return key.interestOpsOr(bit);
    }

    @Test
    void aChangeFromAnotherThreadIsSeenAfterAWakeupAtTheLatest() throws Exception {
        open();
        SelectionKey key = client.register(selector, SelectionKey.OP_READ);
        Task<Integer> selecting = start(this::selectUntilReady);
        selecting.awaitBlockedIn("select");
        key.interestOps(SelectionKey.OP_WRITE);
        selector.wakeup();
        assertEquals(1, selecting.result());
        assertEquals(SelectionKey.OP_WRITE, key.readyOps());
    }

    @Test
    void aChannelIsRegisteredWhileAnotherThreadSelects() throws Exception {
        open();
        Task<Integer> selecting = start(this::selectUntilReady);
        selecting.awaitBlockedIn("select");
        SelectionKey key = client.register(selector, SelectionKey.OP_WRITE);
        assertTrue(key.isValid());
        selector.wakeup();
        assertEquals(1, selecting.result());
        assertEquals(Set.of(key), selector.selectedKeys());
    }

    private int selectUntilReady() throws IOException {
        int n = 0;
        while (n == 0) {
            n = selector.select();
        }
        return n;
    }

    @Test
    void aCancelledKeyIsOfNoUse() throws IOException {
        open();
        SelectionKey key = client.register(selector, SelectionKey.OP_WRITE, "kept");
        assertEquals(1, selector.selectNow());
        key.cancel();
        key.cancel();
        assertFalse(key.isValid());
        assertThrowsExactly(CancelledKeyException.class, key::interestOps);
        assertThrowsExactly(CancelledKeyException.class, () -> key.interestOps(0));
        assertThrowsExactly(CancelledKeyException.class, () -> key.interestOpsOr(0));
        assertThrowsExactly(CancelledKeyException.class, () -> key.interestOpsAnd(0));
        assertThrowsExactly(CancelledKeyException.class, key::readyOps);
        assertThrowsExactly(CancelledKeyException.class, key::isWritable);
        assertSame(client, key.channel());
        assertSame(selector, key.selector());
        assertEquals("kept", key.attachment());
        // It stays registered until the next select.
        assertTrue(client.isRegistered());
        assertEquals(Set.of(key), selector.keys());
        assertThrowsExactly(CancelledKeyException.class, () -> client.register(selector, SelectionKey.OP_READ));
        // A cancelled key does not keep the channel in non-blocking mode.
        client.configureBlocking(true);
        client.configureBlocking(false);
        assertEquals(0, selector.selectNow());
        assertTrue(selector.keys().isEmpty());
        assertTrue(selector.selectedKeys().isEmpty());
        assertFalse(client.isRegistered());
        assertNull(client.keyFor(selector));

        SelectionKey second = client.register(selector, SelectionKey.OP_WRITE);
        assertNotSame(key, second);
        assertEquals(1, selector.selectNow());
        second.cancel();
        selector.selectNow();
        client.configureBlocking(true);
    }

    @Test
    void closingAChannelCancelsItsKeys() throws IOException {
        open();
        Selector other = openSelector(client);
        SelectionKey key = client.register(selector, SelectionKey.OP_READ);
        SelectionKey second = client.register(other, SelectionKey.OP_WRITE);
        client.close();
        assertFalse(key.isValid());
        assertFalse(second.isValid());
        assertEquals(0, selector.selectNow());
        assertEquals(0, other.selectNow());
        assertTrue(selector.keys().isEmpty());
        assertTrue(other.keys().isEmpty());
    }

    @Test
    void aChannelClosedWhileAnotherThreadSelectsSendsItsEndAtOnce() throws Exception {
        open();
        client.register(selector, SelectionKey.OP_READ);
        Connection quiet = connect();
        quiet.client().configureBlocking(false);
        quiet.client().register(selector, SelectionKey.OP_READ);
        Task<Integer> selecting = start(() -> selector.select());
        selecting.awaitBlockedIn("select");
        client.close();
        connection.server().configureBlocking(true);
        Bytes.expectEnd(connection.server());
        selector.wakeup();
        assertEquals(0, selecting.result());
        selector.selectNow();
        assertEquals(1, selector.keys().size());
    }

    @Test
    void closingASelectorFreesItsChannels() throws IOException {
        open();
        SelectionKey key = client.register(selector, SelectionKey.OP_READ);
        selector.close();
        assertFalse(key.isValid());
        assertFalse(client.isRegistered());
        client.configureBlocking(true);
        client.configureBlocking(false);
        selector = openSelector(client);
        client.register(selector, SelectionKey.OP_WRITE);
        assertEquals(1, selector.selectNow());
    }

    @Test
    void aChannelMayBeRegisteredWithTwoSelectors() throws IOException {
        open();
        Selector other = openSelector(client);
        SelectionKey reading = client.register(selector, SelectionKey.OP_READ);
        SelectionKey writing = client.register(other, SelectionKey.OP_WRITE);
        assertNotSame(reading, writing);
        assertEquals(1, other.select());
        assertEquals(0, selector.selectNow());
        connection.server().write(Bytes.ascii("x"));
        assertEquals(1, selector.select());
        assertEquals(SelectionKey.OP_READ, reading.readyOps());
        assertEquals(SelectionKey.OP_WRITE, writing.readyOps());
        reading.cancel();
        selector.selectNow();
        assertTrue(client.isRegistered());
        assertThrowsExactly(IllegalBlockingModeException.class, () -> client.configureBlocking(true));
        assertTrue(writing.isValid());
    }
}
