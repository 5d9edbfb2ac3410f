// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.nio.start.Acceleration;
import io.pipedevice.nio.start.Rings;
import io.pipedevice.peer.rendezvous.Impostor;
import io.pipedevice.peer.rendezvous.NameTaker;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import sun.nio.ch.DefaultSelectorProvider;

/** The server is on the kernel, and another process has the names under which the server's clients look for rings. */
@Timeout(60)
class TakenNameTest {
    /** Half of the time that a non-blocking connect waits for an answer; many connects together take less. */
    private static final long AT_ONCE_MS = 250;

    private static final int CONNECTS = 40;

    private final Acceleration rings = Rings.ofPeers();
    private ServerSocketChannel server;
    private ChildJvm other;

    @TempDir
    private Path directory;

    @AfterEach
    void close() throws IOException {
        if (other != null) {
            other.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private int listen(SelectorProvider by, int port) throws IOException {
        server = by.openServerSocketChannel();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
        return server.socket().getLocalPort();
    }

    private InetSocketAddress address() throws IOException {
        return (InetSocketAddress) server.getLocalAddress();
    }

    private String connect() throws IOException {
        try (SocketChannel client = rings.openSocketChannel(null)) {
            client.connect(address());
            return way(client);
        }
    }

    private String connectInALoop() throws IOException {
        try (Selector selector = rings.openSelector();
                SocketChannel client = rings.openSocketChannel(null)) {
            client.configureBlocking(false);
            client.register(selector, SelectionKey.OP_CONNECT);
            if (!client.connect(address())) {
                assertEquals(1, selector.select());
            }
            assertTrue(client.finishConnect());
            return way(client);
        }
    }

    private String connectInAVirtualThread() throws Exception {
        FutureTask<String> task = new FutureTask<>(this::connect);
        Thread.ofVirtual().start(task);
        return task.get();
    }

    private static String way(SocketChannel client) {
        String text = client.toString();
        return text.substring(text.lastIndexOf("kernel") < 0 ? text.lastIndexOf(' ') + 1 : text.lastIndexOf("kernel"));
    }

    private void acceptAll() throws IOException {
        server.configureBlocking(false);
        for (SocketChannel accepted = server.accept(); accepted != null; accepted = server.accept()) {
            accepted.close();
        }
    }

    @Test
    void namesThatAnotherUserHasFilledAreNotWaitedFor() throws Exception {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may start another user's process");
        int port = listen(DefaultSelectorProvider.get(), 0);
        other = NameTaker.start(directory, port);
        long start = System.nanoTime();
        for (int i = 0; i < CONNECTS; i++) {
            assertEquals("kernel (other user)]", connect());
            assertEquals("kernel (other user)]", connectInALoop());
            assertEquals("kernel (other user)]", connectInAVirtualThread());
            acceptAll();
        }
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(tookMs < CONNECTS * AT_ONCE_MS, "all of them took " + tookMs + " ms");

        other.close();
        server.close();
        listen(new PipeDeviceSelectorProvider(), port);
        // Not more often, because the listener keeps each connection.
        Awaitility.await().pollInterval(Duration.ofMillis(100)).untilAsserted(() -> assertEquals("rings]", connect()));
    }

    @Test
    void aProcessWithoutThePortGetsNoClients() throws Exception {
        int port = listen(DefaultSelectorProvider.get(), 0);
        other = Impostor.start(port);
        assertEquals("kernel (other process)]", connect());
        assertEquals("kernel (other process)]", connectInALoop());
        other.send("");
        assertEquals("false", other.expect("HEARD"));
    }
}
