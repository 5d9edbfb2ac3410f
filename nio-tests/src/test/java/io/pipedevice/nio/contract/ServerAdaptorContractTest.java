// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server channel's socket(). */
class ServerAdaptorContractTest extends Contract {
    @Test
    void anUnboundServerSocketHasNoAddress() throws IOException {
        ServerSocketChannel channel = openServer();
        ServerSocket socket = channel.socket();
        assertSame(socket, channel.socket());
        assertSame(channel, socket.getChannel());
        assertFalse(socket.isBound());
        assertFalse(socket.isClosed());
        assertEquals(-1, socket.getLocalPort());
        assertNull(socket.getInetAddress());
        assertNull(socket.getLocalSocketAddress());
        assertEquals("ServerSocket[unbound]", socket.toString());
        says("Socket is not bound yet", socket::accept);
    }

    @Test
    void aBoundServerSocketReportsTheChannelsAddress() throws IOException {
        ServerSocketChannel channel = openServer();
        ServerSocket socket = channel.socket();
        socket.bind(atServer(0), 10);
        assertTrue(socket.isBound());
        InetSocketAddress address = (InetSocketAddress) channel.getLocalAddress();
        assertEquals(address, socket.getLocalSocketAddress());
        assertEquals(address.getPort(), socket.getLocalPort());
        assertEquals(pairing.serverHost(), socket.getInetAddress());
        assertEquals(
                "ServerSocket[addr=" + pairing.serverHost() + ",localport=" + address.getPort() + "]",
                socket.toString());
        says("Already bound", () -> socket.bind(null));
        connect(channel);
    }

    @Test
    void addressesThatCannotBeListenedOnAreRefused() throws IOException {
        ServerSocket socket = openServer().socket();
        says("Unresolved address", () -> socket.bind(InetSocketAddress.createUnresolved("nowhere.invalid", 80)));
        says("Unsupported address type", () -> socket.bind(UnixDomainSocketAddress.of("/tmp/nowhere")));
        InetSocketAddress used = (InetSocketAddress) listen().getLocalAddress();
        BindException e = assertThrowsExactly(BindException.class, () -> socket.bind(used));
        assertEquals("Address already in use", e.getMessage());
        assertFalse(socket.isBound());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20_000})
    void acceptGivesTheSocketOfAnAcceptedChannel(int timeout) throws Exception {
        ServerSocketChannel listener = listen();
        SocketChannel client = openClient();
        listener.socket().setSoTimeout(timeout);
        assertEquals(timeout, listener.socket().getSoTimeout());
        Task<Socket> accepting = pairing.connectsWhenAccepted()
                ? start(() -> closeLater(listener.socket().accept()))
                : null;
        client.connect(listener.getLocalAddress());
        Socket accepted = accepting == null ? closeLater(listener.socket().accept()) : accepting.result();
        assertEquals(client.getLocalAddress(), accepted.getRemoteSocketAddress());
        assertEquals(pairing.providerOfServer(), accepted.getChannel().provider());
        Transports.check(pairing, new Connection(client, accepted.getChannel()));
        Bytes.send(client, "x");
        assertEquals('x', accepted.getInputStream().read());
        accepted.getOutputStream().write('y');
        Bytes.expect(client, "y");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20_000})
    void acceptWaitsForAConnection(int timeout) throws Exception {
        ServerSocketChannel listener = listen();
        listener.socket().setSoTimeout(timeout);
        Task<Socket> accepting = start(() -> closeLater(listener.socket().accept()));
        accepting.awaitBlockedIn("accept");
        SocketChannel client = openClient();
        client.connect(listener.getLocalAddress());
        Transports.check(pairing, new Connection(client, accepting.result().getChannel()));
    }

    @Test
    void acceptTimesOutAndTheServerGoesOn() throws IOException {
        ServerSocketChannel listener = listen();
        for (int timeout : new int[] {1, 50}) {
            listener.socket().setSoTimeout(timeout);
            SocketTimeoutException e = assertThrowsExactly(
                    SocketTimeoutException.class, () -> listener.socket().accept());
            assertEquals("Accept timed out", e.getMessage());
        }
        connect(listener);
        assertThrowsExactly(
                IllegalArgumentException.class, () -> listener.socket().setSoTimeout(-1));
    }

    @Test
    void inNonBlockingModeOnlyAPendingConnectionIsAccepted() throws IOException {
        ServerSocketChannel listener = listen();
        listener.configureBlocking(false);
        for (int timeout : new int[] {0, 10}) {
            listener.socket().setSoTimeout(timeout);
            assertThrowsExactly(
                    IllegalBlockingModeException.class, () -> listener.socket().accept());
        }
        openClient().connect(listener.getLocalAddress());
        listener.socket().setSoTimeout(0);
        Readiness.await(listener, SelectionKey.OP_ACCEPT);
        assertTrue(closeLater(listener.socket().accept()).isConnected());
    }

    @Test
    void aClosedServerSocketRemembersItsAddressAndRefusesTheRest() throws IOException {
        OlderJdk.leaveOut(pairing.server());
        ServerSocketChannel channel = listen();
        ServerSocket socket = channel.socket();
        Object address = socket.getLocalSocketAddress();
        String text = socket.toString();
        socket.close();
        socket.close();
        assertTrue(socket.isClosed());
        assertFalse(channel.isOpen());
        assertTrue(socket.isBound());
        assertEquals(address, socket.getLocalSocketAddress());
        assertEquals(text, socket.toString());
        assertThrowsExactly(ClosedChannelException.class, socket::accept);
        assertThrowsExactly(ClosedChannelException.class, () -> socket.bind(null));
        says("Socket is closed", () -> socket.setSoTimeout(1));
        says("Socket is closed", socket::getReuseAddress);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20_000})
    void closeWakesABlockedAccept(int timeout) throws Exception {
        ServerSocket socket = listen().socket();
        socket.setSoTimeout(timeout);
        Task<Socket> accepting = start(socket::accept);
        accepting.awaitBlockedIn("accept");
        socket.close();
        accepting.failure(AsynchronousCloseException.class);
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void interruptEndsABlockedAccept(ThreadKind kind) throws Exception {
        for (int timeout : new int[] {0, 20_000}) {
            ServerSocket socket = listen().socket();
            socket.setSoTimeout(timeout);
            Task<Socket> accepting = start(kind, socket::accept);
            accepting.awaitBlockedIn("accept");
            accepting.interrupt();
            accepting.failure(ClosedByInterruptException.class);
            assertTrue(accepting.interruptedAtEnd());
            assertTrue(socket.isClosed());
        }
    }

    /** A server socket of java.net cannot accept into a channel's socket, because their implementations differ. */
    @Test
    void aServerSocketOfJavaNetDoesNotAcceptIntoAChannelsSocket() throws Exception {
        assumeTrue(pairing != Pairing.PIPEDEVICE_DIRECT, "java.net opens its socket where the test is");
        try (PlainServer server = new PlainServer()) {
            server.bind(atServer(0));
            SocketChannel client = openClient();
            client.connect(server.getLocalSocketAddress());
            Socket socket = openClient().socket();
            assertThrowsExactly(IOException.class, () -> server.acceptInto(socket));
        }
    }

    private static final class PlainServer extends ServerSocket {
        PlainServer() throws IOException {}

        void acceptInto(Socket socket) throws IOException {
            implAccept(socket);
        }
    }

    private static void says(String message, Executable call) {
        assertEquals(message, assertThrowsExactly(SocketException.class, call).getMessage());
    }
}
