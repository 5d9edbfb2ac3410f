// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a socket of java.net connects, and its states. */
class SocketConnectContractTest extends SocketContract {
    private static final int SHORT_MILLIS = 50;
    private static final int LONG_MILLIS = 20_000;
    private static final int BACKLOG = 3;
    private static final int CONNECTS = 300;

    /** How long a connect waits for room on rings. */
    private static final long ROOM_NS = TimeUnit.SECONDS.toNanos(1);

    @BeforeEach
    void requireClient() {
        assumeTrue(ends.testsClient(), "the tests are of clients");
    }

    /** A listener at the tested kind of end. */
    private InetSocketAddress listenAndAcceptLater() throws IOException {
        if (ends.serverIsSocket()) {
            var server = listen();
            start(() -> closeLater(server.accept()));
            return (InetSocketAddress) server.getLocalSocketAddress();
        }
        ServerSocketChannel server = closeLater(pairing.server().openServerSocketChannel());
        server.bind(atServer(0));
        start(() -> closeLater(server.accept()));
        return (InetSocketAddress) server.getLocalAddress();
    }

    @Test
    void aSocketThatIsNotConnectedHasNoAddresses() throws IOException {
        Socket socket = openClient();
        assertFalse(socket.isBound());
        assertFalse(socket.isConnected());
        assertFalse(socket.isClosed());
        assertNull(socket.getInetAddress());
        assertNull(socket.getRemoteSocketAddress());
        assertEquals(-1, socket.getLocalPort());
        assertEquals("Socket[unconnected]", socket.toString());
        says("Socket is not connected", socket::getInputStream);
        says("Socket is not connected", socket::getOutputStream);
        says("Socket is not connected", socket::shutdownInput);
        says("Socket is not connected", socket::shutdownOutput);
    }

    @Test
    void aConnectedSocketReportsItsAddresses() throws Exception {
        SocketConnection connection = connect();
        Socket socket = connection.tested();
        assertTrue(socket.isConnected());
        assertTrue(socket.isBound());
        assertEquals(pairing.serverHost(), socket.getInetAddress());
        assertEquals(pairing.clientHost(), socket.getLocalAddress());
        assertEquals(connection.peer().getLocalPort(), socket.getPort());
        assertEquals(connection.peer().getPort(), socket.getLocalPort());
        assertEquals(connection.peer().getLocalSocketAddress(), socket.getRemoteSocketAddress());
        says(OlderJdk.ALREADY_CONNECTED, () -> socket.connect(nobody()));
    }

    @Test
    void aConnectWithoutAListenerIsRefusedAndClosesTheSocket() throws IOException {
        InetSocketAddress nobody = nobody();
        for (int timeout : new int[] {0, LONG_MILLIS}) {
            Socket socket = openClient();
            ConnectException e = assertThrowsExactly(ConnectException.class, () -> socket.connect(nobody, timeout));
            assertEquals(timeout > 0 ? Refusals.WAITING : Refusals.BLOCKING, e.getMessage());
            assertEquals(OlderJdk.CLOSES_UNCONNECTED, socket.isClosed());
            says(OlderJdk.CLOSES_UNCONNECTED ? "Socket is closed" : "Socket closed", () -> socket.connect(nobody));
        }
    }

    /** A thread that is held up between the connect and its return may still find the reset. */
    @Test
    void aServerThatResetsAtOnceFailsNoConnect() throws Exception {
        try (ServerSocketChannel server = pairing.kernelAtServer().openServerSocketChannel()) {
            server.bind(atServer(0));
            start(() -> resetAll(server));
            int failed = 0;
            for (int i = 0; i < CONNECTS; i++) {
                try (Socket socket = pairing.clientSockets().open()) {
                    socket.connect(server.getLocalAddress());
                    assertTrue(socket.isConnected());
                } catch (SocketException e) {
                    assertTrue(e.getMessage().startsWith("Connection reset by peer"), e.getMessage());
                    failed++;
                }
            }
            assertTrue(failed < CONNECTS / 10, failed + " of " + CONNECTS + " connects failed");
        }
    }

    private static Void resetAll(ServerSocketChannel server) throws IOException {
        try {
            while (true) {
                try (SocketChannel accepted = server.accept()) {
                    accepted.setOption(StandardSocketOptions.SO_LINGER, 0);
                }
            }
        } catch (AsynchronousCloseException e) {
            return null;
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void aConnectWithATimeoutConnectsInTime(ThreadKind kind) throws Exception {
        InetSocketAddress address = listenAndAcceptLater();
        Socket socket = openClient();
        start(kind, () -> {
                    socket.connect(address, LONG_MILLIS);
                    return null;
                })
                .result();
        assertTrue(socket.isConnected());
        assertEquals(pairing.accelerated(), NetSockets.onRings(socket));
    }

    @Test
    void aConnectToAFullBacklogTimesOutOrIsClosed() throws Exception {
        try (ServerSocketChannel server = pairing.kernelAtServer().openServerSocketChannel()) {
            server.bind(atServer(0), 1);
            for (int i = 0; i < 2; i++) {
                SocketChannel waiting = closeLater(pairing.kernelAtClient().openSocketChannel());
                waiting.connect(server.getLocalAddress());
            }
            Socket late = openClient();
            SocketTimeoutException e = assertThrowsExactly(
                    SocketTimeoutException.class, () -> late.connect(server.getLocalAddress(), SHORT_MILLIS));
            assertEquals("Connect timed out", e.getMessage());
            assertEquals(OlderJdk.CLOSES_UNCONNECTED, late.isClosed());
            for (ThreadKind kind : ThreadKind.values()) {
                Socket closed = openClient();
                Task<Object> connecting = start(kind, () -> {
                    closed.connect(server.getLocalAddress());
                    return null;
                });
                connecting.awaitBlockedIn("connect");
                closed.close();
                assertEquals(
                        "Socket closed",
                        connecting.failure(SocketException.class).getMessage());
            }
        }
    }

    /** A server of the tested kind that does not accept, and has room for no connection on rings. */
    private ServerSocket listenWithFullRings() throws IOException {
        assumeTrue(ends.serverIsSocket() && !pairing.connectsWhenAccepted(), "the server decides when it accepts");
        ServerSocket server = openServer();
        server.bind(atServer(0), BACKLOG);
        for (int i = 0; i < BACKLOG; i++) {
            openClient().connect(server.getLocalSocketAddress());
        }
        return server;
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void aConnectToAFullBacklogConnectsWhenTheServerAccepts(ThreadKind kind) throws Exception {
        ServerSocket server = listenWithFullRings();
        Socket late = openClient();
        long begin = System.nanoTime();
        Task<Object> connecting = start(kind, () -> {
            late.connect(server.getLocalSocketAddress(), LONG_MILLIS);
            return null;
        });
        if (pairing == Pairing.PIPEDEVICE) {
            connecting.awaitBlockedIn("connect");
        }
        for (int i = 0; i <= BACKLOG; i++) {
            closeLater(server.accept());
        }
        connecting.result();
        // Through a driver it goes by rings if there was room, and by the kernel if not. So it does after a while.
        boolean byEither = pairing.hasOwnDriver() || System.nanoTime() - begin >= ROOM_NS;
        if (!pairing.accelerated() || !byEither) {
            assertEquals(pairing.accelerated(), NetSockets.onRings(late));
        }
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void aConnectThatWaitsForAServerTimesOutOrIsClosed(ThreadKind kind) throws Exception {
        ServerSocket server = listenWithFullRings();
        int left = pairing.accelerated() ? BACKLOG + 1 : 1;
        for (int i = 0; i < left; i++) {
            SocketChannel waiting = closeLater(pairing.kernelAtClient().openSocketChannel());
            waiting.connect(server.getLocalSocketAddress());
        }
        Socket closed = openClient();
        Task<Object> connecting = start(kind, () -> {
            closed.connect(server.getLocalSocketAddress());
            return null;
        });
        connecting.awaitBlockedIn("connect");
        closed.close();
        assertEquals("Socket closed", connecting.failure(SocketException.class).getMessage());
        Socket late = openClient();
        SocketTimeoutException e = assertThrowsExactly(
                SocketTimeoutException.class, () -> late.connect(server.getLocalSocketAddress(), SHORT_MILLIS));
        assertEquals("Connect timed out", e.getMessage());
    }

    @RepeatedTest(5)
    void interruptsDoNotDisturbTheConnectOfAPlatformThread() throws Exception {
        InetSocketAddress address = listenAndAcceptLater();
        Socket socket = openClient();
        Task<Object> connecting = start(() -> {
            Thread.currentThread().interrupt();
            socket.connect(address);
            return null;
        });
        while (!connecting.isDone()) {
            connecting.interrupt();
        }
        connecting.result();
        assertTrue(connecting.interruptedAtEnd());
        assertEquals(pairing.accelerated(), NetSockets.onRings(socket));
    }

    @Test
    void anInterruptClosesAChannelOrTheSocketOfAVirtualThreadThatWaitsInAConnect() throws Exception {
        try (ServerSocketChannel server = pairing.kernelAtServer().openServerSocketChannel()) {
            server.bind(atServer(0), 1);
            for (int i = 0; i < 2; i++) {
                SocketChannel waiting = closeLater(pairing.kernelAtClient().openSocketChannel());
                waiting.connect(server.getLocalAddress());
            }
            areClosedByInterrupts(server.getLocalAddress());
        }
    }

    /** Interrupts connects that wait. */
    private void areClosedByInterrupts(SocketAddress to) throws Exception {
        Socket socket = openClient();
        Task<Object> connecting = start(ThreadKind.VIRTUAL, () -> {
            socket.connect(to);
            return null;
        });
        connecting.awaitBlockedIn("connect");
        connecting.interrupt();
        assertEquals(
                "Closed by interrupt", connecting.failure(SocketException.class).getMessage());
        assertTrue(connecting.interruptedAtEnd());
        assertTrue(socket.isClosed());
        SocketChannel channel = closeLater(pairing.client().openSocketChannel());
        Task<Boolean> other = start(() -> channel.connect(to));
        other.awaitBlockedIn("connect");
        other.interrupt();
        other.failure(ClosedByInterruptException.class);
        assertTrue(other.interruptedAtEnd());
        assertFalse(channel.isOpen());
    }

    @Test
    void aSocketConnectsFromTheAddressThatItIsBoundTo() throws Exception {
        InetSocketAddress address = listenAndAcceptLater();
        Socket socket = openClient();
        socket.bind(new InetSocketAddress(pairing.clientHost(), 0));
        int port = socket.getLocalPort();
        assertTrue(socket.isBound());
        assertTrue(port > 0);
        says("Already bound", () -> socket.bind(null));
        socket.connect(address);
        assertEquals(port, socket.getLocalPort());
    }

    @Test
    void addressesThatAreNotValidAreRefused() throws IOException {
        assertThrowsExactly(
                UnknownHostException.class,
                () -> openClient().connect(InetSocketAddress.createUnresolved("nowhere.invalid", 1)));
        assertThrowsExactly(IllegalArgumentException.class, () -> openClient().connect(null));
        assertThrowsExactly(IllegalArgumentException.class, () -> openClient().connect(nobody(), -1));
    }

    @Test
    void optionsAreKeptFromBeforeTheConnect() throws Exception {
        InetSocketAddress address = listenAndAcceptLater();
        Socket socket = openClient();
        socket.setTcpNoDelay(true);
        socket.setSoLinger(true, 3);
        socket.setSoTimeout(1234);
        socket.setKeepAlive(true);
        socket.connect(address);
        assertTrue(socket.getTcpNoDelay());
        assertTrue(socket.getKeepAlive());
        assertEquals(3, socket.getSoLinger());
        assertEquals(1234, socket.getSoTimeout());
        socket.setSoLinger(false, 0);
        assertEquals(-1, socket.getSoLinger());
        assertThrowsExactly(IllegalArgumentException.class, () -> socket.setSoTimeout(-1));
    }

    @Test
    void aClosedSocketRefusesEverything() throws Exception {
        Socket socket = connect().tested();
        socket.close();
        socket.close();
        assertTrue(socket.isClosed());
        assertTrue(socket.isConnected());
        says("Socket is closed", () -> socket.connect(nobody()));
        says("Socket is closed", socket::getInputStream);
        says("Socket is closed", socket::shutdownOutput);
        says("Socket is closed", () -> socket.setSoTimeout(1));
        says("Socket is closed", socket::getTcpNoDelay);
        says("Socket is closed", () -> socket.bind(null));
    }
}
