// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.nio.placement.Locality;
import io.pipedevice.nio.placement.RefusingPlacement;
import io.pipedevice.nio.placement.UnixRules;
import io.pipedevice.nio.stat.KernelReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sun.nio.ch.DefaultSelectorProvider;

/** Connects by a rule whose Unix-domain socket is not there, or has no room. */
@Timeout(60)
class UnixRuleConnectTest {
    private static final SelectorProvider JDK = DefaultSelectorProvider.get();

    @TempDir
    private Path directory;

    /** The listener of TCP, at the address of the rule. */
    private ServerSocketChannel tcp;

    private Path path;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private static final class NoRings extends RefusingPlacement {
        @Override
        protected KernelReason refusal() {
            return KernelReason.NO_RENDEZVOUS;
        }
    }

    @BeforeEach
    void listen() throws IOException {
        tcp = keep(JDK.openServerSocketChannel());
        tcp.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        path = directory.resolve("socket");
    }

    @AfterEach
    void close() throws Exception {
        boolean interrupted = Thread.interrupted();
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        assertFalse(interrupted, "an interrupt is left");
    }

    private <T extends AutoCloseable> T keep(T resource) {
        opened.push(resource);
        return resource;
    }

    private InetSocketAddress address() throws IOException {
        return (InetSocketAddress) tcp.getLocalAddress();
    }

    private PdSocketChannel open(boolean interruptible) throws IOException {
        UnixRules rules = UnixRules.of("127.0.0.1:" + address().getPort() + "=" + path);
        return keep(PdSocketChannel.open(
                new ChannelHome(JDK, JDK, new Locality(JDK), new NoRings(), rules, interruptible), null));
    }

    private static void goes(String way, SocketChannel channel) {
        assertTrue(channel.toString().endsWith(" " + way + "]"), channel::toString);
    }

    private void staysOnTcp(String reason) throws IOException {
        for (boolean interruptible : new boolean[] {true, false}) {
            for (int timeout : new int[] {0, 20_000}) {
                PdSocketChannel client = open(interruptible);
                assertTrue(client.connect(address(), timeout));
                goes("kernel (" + reason + ")", client);
                try (SocketChannel server = tcp.accept()) {
                    assertEquals(client.getLocalAddress(), server.getRemoteAddress());
                    server.write(ByteBuffer.allocate(1));
                    assertEquals(1, client.read(ByteBuffer.allocate(2)));
                }
            }
        }
        SocketChannel client = open(true);
        client.configureBlocking(false);
        client.connect(address());
        Awaitility.await().until(client::finishConnect);
        goes("kernel (" + reason + ")", client);
        tcp.accept().close();
    }

    @Test
    void aSocketThatIsNotThereMeansTcp() throws IOException {
        staysOnTcp("no unix socket");
    }

    @Test
    void aDirectoryMeansTcp() throws IOException {
        Files.createDirectory(path);
        staysOnTcp("no unix socket");
    }

    @Test
    void aFileMeansTcp() throws IOException {
        Files.createFile(path);
        staysOnTcp("no unix socket");
    }

    @Test
    void aSocketThatNoProcessListensAtMeansTcp() throws IOException {
        server(1).close();
        staysOnTcp("no unix socket");
    }

    private ServerSocketChannel server(int backlog) throws IOException {
        return keep(JDK.openServerSocketChannel(StandardProtocolFamily.UNIX))
                .bind(UnixDomainSocketAddress.of(path), backlog);
    }

    /** A server that has no room for a further connection. */
    private ServerSocketChannel fullServer() throws IOException {
        ServerSocketChannel server = server(1);
        while (true) {
            SocketChannel client = keep(JDK.openSocketChannel(StandardProtocolFamily.UNIX));
            client.configureBlocking(false);
            try {
                client.connect(UnixDomainSocketAddress.of(path));
            } catch (SocketException e) {
                return server;
            }
        }
    }

    private void acceptUntilDone(ServerSocketChannel server, FutureTask<?> connect) throws IOException {
        server.configureBlocking(false);
        Awaitility.await().until(() -> {
            SocketChannel one = server.accept();
            if (one != null) {
                keep(one);
            }
            return connect.isDone();
        });
    }

    private FutureTask<Boolean> startConnect(PdSocketChannel client, int timeout, Thread.Builder kind)
            throws IOException {
        InetSocketAddress to = address();
        FutureTask<Boolean> task = new FutureTask<>(() -> client.connect(to, timeout));
        kind.start(task);
        return task;
    }

    @Test
    void aNonBlockingConnectDoesNotWaitForRoom() throws IOException {
        fullServer();
        SocketChannel client = open(true);
        client.configureBlocking(false);
        client.connect(address());
        Awaitility.await().until(client::finishConnect);
        goes("kernel (backlog full)", client);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBlockingConnectWaitsForRoom(boolean interruptible) throws Exception {
        ServerSocketChannel server = fullServer();
        PdSocketChannel client = open(interruptible);
        FutureTask<Boolean> connect = startConnect(client, 0, Thread.ofPlatform());
        assertFalse(connect.isDone());
        acceptUntilDone(server, connect);
        assertTrue(connect.get());
        goes("kernel (unix rule)", client);
    }

    @Test
    void aConnectWithoutRoomGoesToTcpInHalfOfItsTime() throws Exception {
        fullServer();
        PdSocketChannel client = open(true);
        assertTrue(client.connect(address(), 300));
        goes("kernel (backlog full)", client);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closeEndsTheWaitForRoom(boolean interruptible) throws Exception {
        fullServer();
        for (Thread.Builder kind : new Thread.Builder[] {Thread.ofPlatform(), Thread.ofVirtual()}) {
            PdSocketChannel client = open(interruptible);
            FutureTask<Boolean> connect = startConnect(client, 0, kind);
            Awaitility.await().until(client::isConnectionPending);
            client.close();
            Throwable failure = assertThrows(Exception.class, () -> connect.get(30, TimeUnit.SECONDS))
                    .getCause();
            assertEquals(AsynchronousCloseException.class, failure.getClass(), failure::toString);
        }
    }

    @Test
    void anInterruptEndsTheWaitForRoomOfAChannel() throws Exception {
        fullServer();
        PdSocketChannel client = open(true);
        Thread.currentThread().interrupt();
        assertThrows(ClosedByInterruptException.class, () -> client.connect(address(), 0));
        assertTrue(Thread.interrupted());
        assertFalse(client.isOpen());
    }

    @Test
    void anInterruptDoesNotEndTheWaitForRoomOfASocket() throws Exception {
        ServerSocketChannel server = fullServer();
        PdSocketChannel client = open(false);
        FutureTask<Boolean> interrupted = new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            client.connect(address(), 0);
            return Thread.interrupted();
        });
        Thread.ofPlatform().start(interrupted);
        acceptUntilDone(server, interrupted);
        assertTrue(interrupted.get());
        goes("kernel (unix rule)", client);
    }

    @Test
    void urgentDataAreRefused() throws IOException {
        server(1);
        PdSocketChannel client = open(true);
        client.connect(address());
        assertEquals(
                "Urgent data are not supported by Unix-domain sockets",
                assertThrows(SocketException.class, () -> client.socket().sendUrgentData(1))
                        .getMessage());
    }

    @Test
    void anotherAddressHasNoRule() throws IOException {
        server(1);
        PdSocketChannel client = open(true);
        try (ServerSocketChannel other = JDK.openServerSocketChannel()) {
            other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client.connect(other.getLocalAddress());
            goes("kernel (no rendezvous)", client);
        }
    }
}
