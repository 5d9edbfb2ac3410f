// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections give back the descriptors, threads and memory that they have taken. */
@Timeout(240)
class ResourceContractTest extends Contract {
    /** Enough to find a leak; -Pendurance runs 100,000. */
    private static final int CYCLES = Integer.getInteger("pipedevice.test.cycles", 2000);

    private static final int OPEN_AT_ONCE = 1000;
    private static final int WARM_UP = 100;
    /** Far less than a thousand connections hold, which is 1400 descriptors and 800 MB. */
    private static final int SPARE_DESCRIPTORS = 24;

    private static final long SPARE_MEMORY = 32L << 20;

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void manyConnectionsOneAfterTheOtherLeaveNothing() throws Exception {
        try (ServerSocketChannel listener = listen()) {
            cycles(listener, WARM_UP);
            Resources before = Resources.now();
            cycles(listener, CYCLES);
            before.awaitReturn(() -> cycles(listener, 1));
        }
    }

    /** Connects and accepts, on another thread if the pairing needs one. */
    private SocketChannel accepted(SocketChannel client, ServerSocketChannel listener) throws IOException {
        return pairing.connectsWhenAccepted()
                ? acceptWhile(listener, () -> client.connect(listener.getLocalAddress()))
                : client.connect(listener.getLocalAddress()) ? listener.accept() : null;
    }

    private void cycles(ServerSocketChannel listener, int count) throws IOException {
        byte[] bytes = Bytes.random(new Random(13), 10_000);
        for (int i = 0; i < count; i++) {
            try (SocketChannel client = pairing.client().openSocketChannel()) {
                try (SocketChannel server = accepted(client, listener)) {
                    Bytes.send(client, bytes);
                    Bytes.expect(server, bytes);
                    Bytes.send(server, "ok");
                    if (i % 3 != 0) {
                        Bytes.expect(client, "ok");
                    }
                }
            }
        }
    }

    @Test
    void manyConnectionsAtOnceLeaveNothing() throws Exception {
        try (ServerSocketChannel listener = listen()) {
            open(listener, WARM_UP);
            Resources before = Resources.now();
            open(listener, OPEN_AT_ONCE);
            // Some regions of rings are kept for the next connections; which ones depends on the order of the closes.
            before.withSpare(SPARE_DESCRIPTORS, SPARE_MEMORY).awaitReturn(() -> open(listener, 1));
        }
    }

    private void open(ServerSocketChannel listener, int count) throws IOException {
        List<Connection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                SocketChannel client = pairing.client().openSocketChannel();
                connections.add(new Connection(client, accepted(client, listener)));
            }
            for (Connection connection : connections) {
                Bytes.send(connection.client(), "x");
            }
            for (Connection connection : connections) {
                Bytes.expect(connection.server(), "x");
            }
        } finally {
            for (Connection connection : connections) {
                connection.client().close();
                connection.server().close();
            }
        }
    }

    @Test
    void selectorsAndTheirChannelsLeaveNothing() throws Exception {
        try (ServerSocketChannel listener = listen()) {
            selections(listener, WARM_UP);
            Resources before = Resources.now();
            selections(listener, 300);
            before.awaitReturn(() -> selections(listener, 1));
        }
    }

    private void selections(ServerSocketChannel listener, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            SocketChannel client = pairing.client().openSocketChannel();
            SocketChannel accepted = accepted(client, listener);
            client.configureBlocking(false);
            Selector selector = client.provider().openSelector();
            client.register(selector, SelectionKey.OP_READ);
            try (SocketChannel server = accepted) {
                Bytes.send(server, "x");
                assertEquals(1, selector.select());
            }
            // In either order.
            if (i % 2 == 0) {
                selector.close();
                client.close();
            } else {
                client.close();
                selector.close();
            }
        }
    }

    @Test
    void connectionsThatFailLeaveNothing() throws Exception {
        assumeConnectsBeforeAccept();
        refusals(WARM_UP);
        Resources before = Resources.now();
        refusals(300);
        // A driver that is slow to release closed sockets makes the next ones need a region more, of which one is kept.
        before.withSpare(SPARE_DESCRIPTORS, SPARE_MEMORY).awaitReturn(() -> refusals(1));
    }

    private void refusals(int count) throws IOException {
        InetSocketAddress nobody = nobody();
        for (int i = 0; i < count; i++) {
            try (SocketChannel client = pairing.client().openSocketChannel()) {
                client.connect(nobody);
            } catch (ConnectException e) {
                assertEquals(Refusals.BLOCKING, e.getMessage());
            }
            try (ServerSocketChannel unaccepted = pairing.server().openServerSocketChannel();
                    SocketChannel client = pairing.client().openSocketChannel()) {
                unaccepted.bind(atServer(0));
                client.connect(unaccepted.getLocalAddress());
            }
        }
    }
}
