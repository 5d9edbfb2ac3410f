// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.jdk.Literals;
import io.pipedevice.nio.start.Acceleration;
import io.pipedevice.nio.start.Rings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import sun.nio.ch.DefaultSelectorProvider;

/** The log has one line for each connection that stays on the kernel. */
@Timeout(60)
class KernelLogTest {
    private static final SelectorProvider JDK = DefaultSelectorProvider.get();
    private static final int THREADS = 4;
    private static final int LINES_OF_A_THREAD = 200;

    @TempDir
    private Path directory;

    @RegisterExtension
    private final KernelLines kernel = new KernelLines();

    private final List<String> lines = kernel.lines();

    @Test
    void eachLineOfSeveralThreadsIsThere() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int first = 1 + i * LINES_OF_A_THREAD;
            threads.add(Thread.ofPlatform().start(() -> {
                for (int port = first; port < first + LINES_OF_A_THREAD; port++) {
                    KernelLog.connects(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                            KernelReason.PEER_NOT_LOCAL,
                            null);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(THREADS * LINES_OF_A_THREAD, lines.size());
        assertEquals(THREADS * LINES_OF_A_THREAD, new HashSet<>(lines).size());
    }

    private static InetSocketAddress bind(ServerSocketChannel server, int backlog) throws IOException {
        server.bind(new InetSocketAddress(Literals.address("127.0.0.1"), 0), backlog);
        return (InetSocketAddress) server.getLocalAddress();
    }

    @Test
    void aConnectToAServerWithoutPipeDeviceIsLogged() throws IOException {
        try (ServerSocketChannel server = JDK.openServerSocketChannel();
                SocketChannel client = Rings.ofPeers().openSocketChannel(null)) {
            InetSocketAddress at = bind(server, 0);
            client.connect(at);
            assertEquals(1, lines.size(), lines::toString);
            String line = lines.get(0);
            assertTrue(
                    line.startsWith(
                            "a connection to " + at + " stays on the kernel: no rendezvous (Connection refused"),
                    line);
        }
    }

    @Test
    void anAcceptFromAClientWithoutPipeDeviceIsLogged() throws IOException {
        try (ServerSocketChannel server = Rings.ofPeers().openServerSocketChannel(null);
                SocketChannel client = JDK.openSocketChannel()) {
            InetSocketAddress at = bind(server, 0);
            client.connect(at);
            try (SocketChannel accepted = server.accept()) {
                assertNotNull(accepted);
                assertEquals(
                        List.of("a connection from " + client.getLocalAddress() + " at port " + at.getPort()
                                + " stays on the kernel: not pipedevice peer"),
                        lines);
            }
        }
    }

    @Test
    void aConnectToAnotherHostIsLogged() throws IOException {
        InetSocketAddress other = new InetSocketAddress(Literals.address("192.0.2.1"), 9);
        try (SocketChannel client = Rings.ofPeers().openSocketChannel(null)) {
            client.configureBlocking(false);
            try {
                client.connect(other);
            } catch (IOException e) {
                assertTrue(lines.size() == 1, () -> "without a route the kernel says no at once: " + e);
            }
            assertEquals(List.of("a connection to " + other + " stays on the kernel: peer not local"), lines);
        }
    }

    @Test
    void aConnectFromTheOtherAddressFamilyIsLogged() throws IOException {
        try (ServerSocketChannel server = Rings.ofPeers().openServerSocketChannel(null);
                SocketChannel client = Rings.ofPeers().openSocketChannel(null)) {
            InetSocketAddress at = bind(server, 0);
            client.bind(new InetSocketAddress(Literals.address("::1"), 0));
            InetSocketAddress from = (InetSocketAddress) client.getLocalAddress();
            assertThrows(IOException.class, () -> client.connect(at));
            assertEquals(
                    List.of("a connection to " + at + " stays on the kernel: handshake failed (bound to " + from + ")"),
                    lines);
        }
    }

    @Test
    void withoutADriverBothEndsAreLogged() throws IOException {
        Acceleration rings = Rings.ofDriver(directory);
        try (ServerSocketChannel server = rings.openServerSocketChannel(null);
                SocketChannel client = rings.openSocketChannel(null)) {
            InetSocketAddress at = bind(server, 0);
            client.connect(at);
            try (SocketChannel accepted = server.accept()) {
                assertNotNull(accepted);
                assertEquals(2, lines.size(), lines::toString);
                assertEquals("a connection to " + at + " stays on the kernel: driver gone", lines.get(0));
                assertTrue(lines.get(1).endsWith(": driver gone"), lines.get(1));
            }
        }
    }
}
