// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.nio.start.Acceleration;
import io.pipedevice.nio.start.Rings;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.wait.FairTimeout;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server whose process has been stopped, as by a debugger. */
@Tag("processes")
@Timeout(60)
class StoppedServerTest {
    private static final int HANDSHAKE_MS = 10_000;

    /** If an event loop waited for each of them, that would take longer than the handshake. */
    private static final int CONNECTS = 60;

    /** The connects of an event loop that finds many requests, while the server waits for a processor. */
    private static final int BURST = 500;

    private static final String PROPERTY = "pipedevice.handshake.millis";
    private static final String STAYS = " kernel (handshake failed)]";

    private Acceleration rings;
    private ChildJvm server;
    private InetSocketAddress address;

    /** Listens on a port that it prints, until it is killed. */
    static final class Server {
        public static void main(String[] arguments) throws IOException {
            try (ServerSocketChannel server = new PipeDeviceSelectorProvider().openServerSocketChannel()) {
                server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 2 * BURST);
                System.out.println("PORT " + server.socket().getLocalPort());
                while (true) {
                    server.accept().close();
                }
            }
        }
    }

    @BeforeEach
    void stop() throws Exception {
        System.setProperty(PROPERTY, Integer.toString(HANDSHAKE_MS));
        rings = Rings.ofPeers();
        server = ChildJvm.start(List.of(), ChildJvm.inheritedFlags(), Server.class);
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(server.expect("PORT ")));
        server.signal("STOP");
    }

    @AfterEach
    void end() {
        System.clearProperty(PROPERTY);
        server.close();
    }

    /** Connects as an event loop does. */
    private String connect() throws IOException {
        try (Selector selector = rings.openSelector();
                SocketChannel client = rings.openSocketChannel(null)) {
            client.configureBlocking(false);
            client.register(selector, SelectionKey.OP_CONNECT);
            if (!client.connect(address)) {
                assertEquals(1, selector.select());
            }
            assertTrue(client.finishConnect());
            return client.toString();
        }
    }

    @Test
    void doesNotBlockEventLoopsAndIsReachedByRingsWhenItContinues() throws Exception {
        // One wait for the server would take as long. On busy processors each connect takes longer, too.
        FairTimeout wait = new FairTimeout(System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(HANDSHAKE_MS));
        for (int i = 0; i < CONNECTS; i++) {
            String client = connect();
            assertTrue(client.endsWith(STAYS), client);
            assertFalse(wait.isOver(), () -> "they took " + TimeUnit.NANOSECONDS.toMillis(wait.elapsedNs()) + " ms");
        }
        server.signal("CONT");
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> connect().endsWith(" rings]"));
    }

    @Test
    void takesABurstOfConnectionsOnRingsOnceThereIsALink() throws Exception {
        server.signal("CONT");
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> connect().endsWith(" rings]"));
        server.signal("STOP");
        List<SocketChannel> open = new ArrayList<>();
        try {
            for (int i = 0; i < BURST; i++) {
                SocketChannel client = rings.openSocketChannel(null);
                open.add(client);
                client.connect(address);
                assertTrue(client.toString().endsWith(" rings]"), i + ": " + client);
            }
            server.signal("CONT");
            for (SocketChannel client : open) {
                assertEquals(-1, client.read(ByteBuffer.allocate(1)), "the server closes them");
            }
        } finally {
            for (SocketChannel client : open) {
                client.close();
            }
        }
    }

    @Test
    void isNotWaitedForMuchLongerThanTheCallerWants() throws Exception {
        long start = System.nanoTime();
        try (SocketChannel client = rings.openSocketChannel(null)) {
            client.socket().connect(address, 1000);
            assertTrue(client.toString().endsWith(STAYS), client.toString());
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the kernel connects to it at once", e);
        }
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(tookMs < HANDSHAKE_MS, "it took " + tookMs + " ms");
    }
}
