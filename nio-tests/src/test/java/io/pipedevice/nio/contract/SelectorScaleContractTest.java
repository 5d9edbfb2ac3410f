// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many keys, and many changes of them. */
class SelectorScaleContractTest extends Contract {
    /** A ninth of the keys with -Pendurance. */
    private static final int KEYS = Integer.getInteger("pipedevice.test.keys", 1000);

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void amongManyKeysThoseThatAreReadyAreFound() throws IOException {
        Random random = Bytes.seeded("amongManyKeysThoseThatAreReadyAreFound");
        ServerSocketChannel listener = listen();
        Selector selector = closeLater(pairing.client().openSelector());
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            Connection connection = connect(listener);
            connection.client().configureBlocking(false);
            connection.client().register(selector, OP_READ, i);
            connections.add(connection);
        }
        assertEquals(0, selector.selectNow());
        assertEquals(KEYS, selector.keys().size());
        for (int round = 0; round < 20; round++) {
            Set<Object> fed = new HashSet<>();
            for (int i = 0; i < 1 + round * 5; i++) {
                int which = random.nextInt(KEYS);
                if (fed.add(which)) {
                    Bytes.send(connections.get(which).server(), "x");
                }
            }
            Set<Object> found = new HashSet<>();
            while (found.size() < fed.size()) {
                selector.select(key -> {
                    assertTrue(found.add(key.attachment()), "reported though it was read");
                    assertEquals(1, read(key));
                });
            }
            assertEquals(fed, found);
        }
        for (Connection connection : connections) {
            Bytes.send(connection.server(), "x");
        }
        int[] all = {0};
        while (all[0] < KEYS) {
            assertNotEquals(0, selector.select(key -> all[0] += read(key)));
        }
        assertEquals(0, selector.selectNow());
    }

    /**
     * One thread selects as a server does; another one changes interest sets, wakes it, and opens and closes channels.
     */
    @Test
    void nothingIsLostWhileKeysChange() throws Exception {
        Random random = Bytes.seeded("nothingIsLostWhileKeysChange");
        ServerSocketChannel listener = listen();
        Selector selector = closeLater(pairing.client().openSelector());
        AtomicLong received = new AtomicLong();
        AtomicBoolean done = new AtomicBoolean();
        Task<Object> server = start(() -> {
            while (!done.get()) {
                selector.select(key -> {
                    received.addAndGet(readIfOpen(key));
                });
            }
            return null;
        });
        List<Connection> open = new ArrayList<>();
        long sent = 0;
        for (int i = 0; i < 1000; i++) {
            if (open.size() < 10) {
                Connection connection = connect(listener);
                connection.client().configureBlocking(false);
                connection.client().register(selector, OP_READ);
                selector.wakeup();
                open.add(connection);
            }
            Connection one = open.get(random.nextInt(open.size()));
            SelectionKey key = one.client().keyFor(selector);
            switch (random.nextInt(8)) {
                case 0 -> key.interestOpsOr(OP_WRITE);
                case 1 -> key.interestOpsAnd(~OP_WRITE);
                case 2 -> selector.wakeup();
                case 3 -> {
                    // Everything that was sent is read before the connection is closed.
                    long expected = sent;
                    await().until(() -> server.isDone() || received.get() == expected);
                    assertFalse(server.isDone(), "the thread that selects has ended");
                    one.client().close();
                    one.server().close();
                    open.remove(one);
                }
                default -> {
                    Bytes.send(one.server(), "x");
                    sent++;
                }
            }
        }
        long expected = sent;
        await().untilAsserted(() -> assertEquals(expected, received.get()));
        done.set(true);
        selector.wakeup();
        server.result();
        selector.selectNow();
        assertEquals(open.size(), selector.keys().size());
    }

    private static ConditionFactory await() {
        return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
    }

    /** The other thread may close the channel at any moment, when everything that was sent has been read. */
    private static int readIfOpen(SelectionKey key) {
        try {
            return key.isReadable() ? Math.max(0, ((SocketChannel) key.channel()).read(ByteBuffer.allocate(10))) : 0;
        } catch (CancelledKeyException | ClosedChannelException e) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int read(SelectionKey key) {
        try {
            return ((SocketChannel) key.channel()).read(ByteBuffer.allocate(10));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
