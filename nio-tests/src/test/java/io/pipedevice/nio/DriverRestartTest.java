// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.DriverProcess;
import io.pipedevice.nio.start.Acceleration;
import io.pipedevice.nio.start.Rings;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A driver process is killed and started again, while a server does nothing but wait for its next connection. The
 * server needs no client on the kernel to find the new driver.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class DriverRestartTest {
    private static final int ROUNDS = Integer.getInteger("pipedevice.test.restart.rounds", 3);

    @TempDir
    private Path directory;

    private Acceleration clients;

    @BeforeEach
    void open() {
        clients = Rings.ofDriver(directory);
    }

    /** Sends back the first byte of each connection, until the server is closed. */
    private interface Echo {
        void serve(ServerSocketChannel server) throws IOException;
    }

    private static void acceptAll(ServerSocketChannel server) throws IOException {
        while (server.isOpen()) {
            echo(server.accept());
        }
    }

    private static void selectAll(Selector selector, ServerSocketChannel server) throws IOException {
        server.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        while (server.isOpen()) {
            selector.select();
            selector.selectedKeys().clear();
            SocketChannel client = server.isOpen() ? server.accept() : null;
            if (client != null) {
                echo(client);
            }
        }
    }

    private static void echo(SocketChannel client) throws IOException {
        try (client) {
            ByteBuffer one = ByteBuffer.allocate(1);
            if (client.read(one) == 1) {
                client.write(one.flip());
            }
        }
    }

    /** Exchanges a byte with the server, and returns the way of the connection. */
    private String exchange(ServerSocketChannel server) throws IOException {
        try (SocketChannel client = clients.openSocketChannel(null)) {
            client.connect(server.getLocalAddress());
            client.write(ByteBuffer.wrap(new byte[] {7}));
            ByteBuffer answer = ByteBuffer.allocate(1);
            assertEquals(1, client.read(answer));
            assertEquals(7, answer.get(0));
            String text = client.toString();
            return text.endsWith(" rings]") ? "rings" : text.substring(text.lastIndexOf(" kernel") + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void serverThatOnlyWaitsIsFoundThroughEachNewDriver(boolean selects) throws Exception {
        FutureTask<?> serving;
        Selector selector = clients.openSelector();
        Echo echo = selects ? server -> selectAll(selector, server) : DriverRestartTest::acceptAll;
        try (ServerSocketChannel server = Rings.ofDriver(directory).openServerSocketChannel(null)) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            serving = new FutureTask<>(() -> {
                echo.serve(server);
                return null;
            });
            Thread.ofPlatform().daemon().name("server").start(serving);
            for (int round = 0; round < ROUNDS; round++) {
                awaitKernel(server);
                try (ChildJvm driver = DriverProcess.start(directory)) {
                    awaitRings(server, driver);
                    assertEquals("rings", exchange(server), "round " + round);
                    driver.kill();
                }
            }
        }
        selector.wakeup();
        try (selector) {
            serving.get(1, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            assertTrue(
                    e.getCause() instanceof AsynchronousCloseException,
                    () -> e.getCause().toString());
        }
    }

    /**
     * Connects until the kernel carries the connection. A process that its driver introduced may join its link for as
     * long as neither end has seen the driver's socket close, so the first connections after a kill may use rings.
     */
    private void awaitKernel(ServerSocketChannel server) {
        Awaitility.await("the driver's end seen")
                .pollDelay(Duration.ZERO)
                .pollInterval(1, TimeUnit.MILLISECONDS)
                .until(() -> exchange(server), way -> {
                    assertTrue(way.equals("rings") || way.equals("kernel (driver gone)]"), way);
                    return !way.equals("rings");
                });
    }

    private static void awaitRings(ServerSocketChannel server, ChildJvm driver) {
        long startNs = System.nanoTime();
        Awaitility.await("rings of driver " + driver.pid())
                .pollInterval(10, TimeUnit.MILLISECONDS)
                .until(() -> server.toString().endsWith(" rings]"));
        System.out.println(
                "found the new driver after " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs) + " ms");
    }
}
