// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closing a registered channel: the selecting thread releases it. */
class RegisteredCloseContractTest extends Contract {
    private static final int LINGER_SECONDS = 30;
    private static final int ROUNDS = 20;
    private static final int AT_ONCE = 32;

    @Test
    void aCloseThatLingersDoesNotHoldTheSelectingThreadUp() throws Exception {
        Connection connection = connect();
        SocketChannel client = connection.client();
        client.configureBlocking(false);
        client.setOption(StandardSocketOptions.SO_LINGER, LINGER_SECONDS);
        Flood.fill(client, ByteBuffer.allocate(Flood.MORE_THAN_A_CONNECTION_TAKES));
        Selector selector = openSelector(client);
        client.register(selector, SelectionKey.OP_READ);
        assertEquals(0, selector.selectNow());
        client.close();
        Task<Integer> select = start(selector::selectNow);
        assertTrue(select.join(Duration.ofSeconds(LINGER_SECONDS / 2)), "select waits for a peer that does not read");
        assertEquals(0, select.result());
    }

    @Test
    @Timeout(240)
    void closingWhileTheSelectorDeregistersACancelledKeyIsNoFailure() throws Exception {
        ServerSocketChannel listener = listen();
        Selector selector = openSelector(connect(listener).client());
        for (int i = 0; i < ROUNDS; i++) {
            closeWhileSelecting(listener, selector);
        }
    }

    @Test
    void anotherListenerMayHaveThePortWhileConnectionsAreOpen() throws Exception {
        ServerSocketChannel listener = listen();
        SocketAddress address = listener.getLocalAddress();
        Selector selector = openSelector(listener);
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            Connection connection = connect(listener);
            connection.server().configureBlocking(false);
            connection.server().register(selector, SelectionKey.OP_READ);
            connections.add(connection);
        }
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        selector.selectNow();
        listener.close();
        if (pairing.server().equals(Providers.JDK)) {
            // Only a select releases the JDK's port. A program that stops its selector cannot know when that is done.
            selector.selectNow();
        }
        ServerSocketChannel next = openServer().bind(address);
        connect(next).client().close();
        for (Connection connection : connections) {
            connection.client().close();
            connection.server().close();
        }
    }

    private void closeWhileSelecting(ServerSocketChannel listener, Selector selector) throws Exception {
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            Connection connection = connect(listener);
            connection.client().configureBlocking(false);
            connection.client().register(selector, SelectionKey.OP_READ);
            connections.add(connection);
        }
        selector.selectNow();
        for (Connection connection : connections) {
            connection.client().keyFor(selector).cancel();
        }
        CyclicBarrier together = new CyclicBarrier(2);
        Task<Integer> select = start(() -> {
            together.await();
            return selector.selectNow();
        });
        together.await();
        for (Connection connection : connections) {
            connection.client().close();
        }
        assertEquals(0, select.result());
        for (Connection connection : connections) {
            assertFalse(connection.client().isRegistered());
            Bytes.expectEnd(connection.server());
            connection.server().close();
        }
    }
}
