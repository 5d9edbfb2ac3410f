// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.linux.Errno;
import io.pipedevice.nio.start.Acceleration;
import io.pipedevice.nio.start.Rings;
import io.pipedevice.nio.stat.JvmStat;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sun.nio.ch.DefaultSelectorProvider;

/** If there are no rings, connections use the kernel, and the reason is reported. */
@Timeout(60)
class FallBackTest {
    private static final int MOMENT_MS = 300;

    @TempDir
    private Path directory;

    private PipeDeviceDriver driver;
    private Acceleration rings;
    private ServerSocketChannel server;

    private void open(Path driverDirectory, int backlog) throws IOException {
        rings = Rings.ofDriver(driverDirectory);
        server = rings.openServerSocketChannel(null);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), backlog);
    }

    private void launch() throws IOException {
        launch(new DriverContext());
    }

    private void launch(DriverContext context) throws IOException {
        driver = PipeDeviceDriver.launch(context.directory(directory).path(DataPath.DEVICE));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        if (driver != null) {
            driver.close();
        }
    }

    /** Connects, exchanges a byte, and returns the way of the connection. */
    private String exchange() throws IOException {
        try (SocketChannel client = rings.openSocketChannel(null)) {
            client.connect(server.getLocalAddress());
            try (SocketChannel accepted = server.accept()) {
                assertEquals(1, client.write(ByteBuffer.wrap(new byte[] {5})));
                ByteBuffer target = ByteBuffer.allocate(1);
                assertEquals(1, accepted.read(target));
                assertEquals(5, target.get(0));
                return way(client);
            }
        }
    }

    private static String way(SocketChannel channel) {
        String text = channel.toString();
        return text.substring(text.lastIndexOf("remote="), text.length() - 1).replaceFirst("^\\S+ ", "");
    }

    @Test
    void withoutADriverAtItsDirectoryTheKernelServes() throws IOException {
        open(directory.resolve("nobody"), 0);
        assertEquals("kernel (driver gone)", exchange());
        assertTrue(server.toString().endsWith(" kernel (driver gone)]"), server::toString);
    }

    @Test
    void aDriverProcessServes() throws IOException {
        launch();
        open(directory, 0);
        assertEquals("device rings", exchange());
        assertTrue(server.toString().endsWith(" rings]"), server::toString);
    }

    @Test
    void aDriverThatDiesEndsItsConnectionsAndItsSuccessorServesNewOnes() throws IOException {
        launch();
        open(directory, 0);
        try (SocketChannel client = rings.openSocketChannel(null)) {
            client.connect(server.getLocalAddress());
            try (SocketChannel accepted = server.accept()) {
                assertEquals("device rings", way(accepted));
                driver.close();
                assertEquals(
                        "Connection reset",
                        assertThrows(SocketException.class, () -> accepted.read(ByteBuffer.allocate(1)))
                                .getMessage());
            }
        }
        assertTrue(exchange().startsWith("kernel"), "there is no driver");
        launch();
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> exchange().equals("device rings"));
    }

    /**
     * The waiting connections end with the driver, whether a selector watched their server before or only after that.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDriverThatDiesLeavesNobodyToAccept(boolean watchedBefore) throws IOException {
        launch();
        open(directory, 0);
        try (SocketChannel client = rings.openSocketChannel(null);
                Selector selector = rings.openSelector()) {
            client.connect(server.getLocalAddress());
            assertEquals("device rings", way(client));
            server.configureBlocking(false);
            if (watchedBefore) {
                server.register(selector, SelectionKey.OP_ACCEPT);
                assertEquals(1, selector.select());
            }
            driver.close();
            if (!watchedBefore) {
                server.register(selector, SelectionKey.OP_ACCEPT);
            }
            int vain = 0;
            while (selector.select(MOMENT_MS) > 0) {
                selector.selectedKeys().clear();
                assertNull(server.accept());
                assertTrue(++vain < 10, "a busy loop");
            }
        }
        server.configureBlocking(true);
        assertTrue(exchange().startsWith("kernel"), "there is no driver");
    }

    @Test
    void aDriverThatComesLaterServes() throws IOException {
        open(directory, 0);
        assertEquals("kernel (driver gone)", exchange());
        launch();
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> exchange().equals("device rings"));
    }

    @Test
    void aConnectionWithoutMemoryWaitsAndTheAcceptFails() throws IOException {
        launch();
        // Two rings that have grown.
        System.setProperty(PdOptions.SEND_MEMORY_PROPERTY, "2m");
        try {
            open(directory, 0);
        } finally {
            System.clearProperty(PdOptions.SEND_MEMORY_PROPERTY);
        }
        Acceleration others = Rings.ofDriver(directory);
        SocketAddress to = server.getLocalAddress();
        try (SocketChannel first = others.openSocketChannel(null);
                SocketChannel second = others.openSocketChannel(null);
                SocketChannel third = others.openSocketChannel(null)) {
            for (SocketChannel client : new SocketChannel[] {first, second, third}) {
                client.connect(to);
                assertEquals("device rings", way(client));
            }
            SocketChannel accepted = server.accept();
            try (SocketChannel other = server.accept()) {
                fill(accepted);
                fill(other);
                assertEquals(
                        Errno.text(Errno.ENOBUFS),
                        assertThrows(IOException.class, server::accept).getMessage());
                try (SocketChannel plain = DefaultSelectorProvider.get().openSocketChannel()) {
                    plain.connect(to);
                    try (SocketChannel own = server.accept()) {
                        assertEquals(plain.getLocalAddress(), own.getRemoteAddress());
                    }
                }
                close(accepted, first);
                Awaitility.await().ignoreException(IOException.class).until(() -> {
                    try (SocketChannel last = server.accept()) {
                        return way(last).equals("device rings");
                    }
                });
                assertTrue(other.isOpen());
            }
        }
    }

    /** Fills the rings of a connection whose peer does not read, so that they grow. */
    private static void fill(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        ByteBuffer much = ByteBuffer.allocate(4 << 20);
        Awaitility.await().pollInterval(Duration.ofMillis(20)).until(() -> channel.write(much) == 0);
    }

    private static void close(Channel... channels) throws IOException {
        for (Channel channel : channels) {
            channel.close();
        }
    }

    @Test
    void aFullBacklogIsTheKernelsMatter() throws IOException {
        launch();
        open(directory, 1);
        assertFullAfterOne();
    }

    private void assertFullAfterOne() throws IOException {
        SocketAddress to = server.getLocalAddress();
        try (SocketChannel first = rings.openSocketChannel(null);
                SocketChannel second = rings.openSocketChannel(null)) {
            first.connect(to);
            second.connect(to);
            assertEquals("device rings", way(first));
            assertEquals("kernel (backlog full)", way(second));
        }
    }

    @Test
    void aServerWithoutASocketToSpareIsFull() throws IOException {
        // The listener's, two of the first connection, and the second client's.
        launch(new DriverContext().maxSockets(4));
        open(directory, 0);
        assertFullAfterOne();
    }

    @Test
    void anAddressWithoutARendezvousStaysOnTheKernel() throws IOException {
        launch();
        open(directory, 0);
        try (ServerSocketChannel plain = DefaultSelectorProvider.get().openServerSocketChannel();
                SocketChannel client = rings.openSocketChannel(null)) {
            plain.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client.connect(plain.getLocalAddress());
            assertEquals("kernel (no rendezvous)", way(client));
        }
    }

    @Test
    void aConnectThatTheKernelRefusesIsNoConnection() throws IOException {
        launch();
        open(directory, 0);
        long before = withoutRendezvous();
        try (SocketChannel holder = DefaultSelectorProvider.get().openSocketChannel();
                SocketChannel client = rings.openSocketChannel(null)) {
            SocketAddress nobody = holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .getLocalAddress();
            assertThrows(ConnectException.class, () -> client.connect(nobody));
        }
        assertEquals(before, withoutRendezvous());
    }

    /** This JVM's connections on the kernel that found no listener on rings. */
    private static long withoutRendezvous() {
        return JvmStat.of((int) ProcessHandle.current().pid()).onKernel().getOrDefault("no rendezvous", 0L);
    }
}
