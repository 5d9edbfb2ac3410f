// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A channel's socket(): its states, addresses, and connecting. */
class AdaptorContractTest extends Contract {
    @Test
    void aChannelHasOneSocketAndTheSocketItsChannel() throws IOException {
        SocketChannel channel = openClient();
        Socket socket = channel.socket();
        assertSame(socket, channel.socket());
        assertSame(channel, socket.getChannel());
    }

    @Test
    void anUnconnectedSocketHasNoAddresses() throws IOException {
        Socket socket = openClient().socket();
        assertFalse(socket.isBound());
        assertFalse(socket.isConnected());
        assertFalse(socket.isClosed());
        assertFalse(socket.isInputShutdown());
        assertFalse(socket.isOutputShutdown());
        assertNull(socket.getInetAddress());
        assertEquals(0, socket.getPort());
        assertEquals(-1, socket.getLocalPort());
        assertTrue(socket.getLocalAddress().isAnyLocalAddress());
        assertNull(socket.getLocalSocketAddress());
        assertNull(socket.getRemoteSocketAddress());
        assertEquals("Socket[unconnected]", socket.toString());
        says("Socket is not connected", socket::getInputStream);
        says("Socket is not connected", socket::getOutputStream);
        says("Socket is not connected", socket::shutdownInput);
        says("Socket is not connected", socket::shutdownOutput);
    }

    @Test
    void aConnectedSocketReportsTheChannelsAddresses() throws IOException {
        Connection connection = connect();
        for (Connection side : new Connection[] {connection, connection.turned()}) {
            Socket socket = side.client().socket();
            InetSocketAddress local = (InetSocketAddress) side.client().getLocalAddress();
            InetSocketAddress remote = (InetSocketAddress) side.client().getRemoteAddress();
            assertTrue(socket.isBound());
            assertTrue(socket.isConnected());
            assertEquals(remote.getAddress(), socket.getInetAddress());
            assertEquals(remote.getPort(), socket.getPort());
            assertEquals(local.getAddress(), socket.getLocalAddress());
            assertEquals(local.getPort(), socket.getLocalPort());
            assertEquals(local, socket.getLocalSocketAddress());
            assertEquals(remote, socket.getRemoteSocketAddress());
            assertEquals(
                    "Socket[addr=" + remote.getAddress() + ",port=" + remote.getPort() + ",localport=" + local.getPort()
                            + "]",
                    socket.toString());
        }
    }

    @Test
    void aPendingSocketReportsItsDestination() throws IOException {
        // No host answers there: TEST-NET-1 of RFC 5737.
        InetSocketAddress to = at("192.0.2.1", 80);
        for (SelectorProvider provider : List.of(Providers.JDK, pairing.client())) {
            SocketChannel channel = closeLater(provider.openSocketChannel());
            channel.configureBlocking(false);
            try {
                assumeTrue(!channel.connect(to));
            } catch (IOException e) {
                abort("no route there: " + e.getMessage());
            }
            assertEquals(to.getAddress(), channel.socket().getInetAddress());
            assertEquals(to.getPort(), channel.socket().getPort());
            assertEquals(to, channel.socket().getRemoteSocketAddress());
        }
    }

    @Test
    void anUnresolvedAddressClosesOnlyWhatIsNotConnected() throws IOException {
        OlderJdk.leaveOut(pairing.client());
        SocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 80);
        SocketChannel connected = connect().client();
        says("Already connected", () -> connected.socket().connect(unresolved));
        assertTrue(connected.isOpen());
        SocketChannel nonBlocking = openClient();
        nonBlocking.configureBlocking(false);
        assertThrowsExactly(
                UnknownHostException.class, () -> nonBlocking.socket().connect(unresolved, -1));
        assertFalse(nonBlocking.isOpen());
        says("Socket is closed", () -> nonBlocking.socket().connect(unresolved));
    }

    @Test
    void urgentDataAreNotInTheStream() throws IOException {
        Connection connection = connect();
        for (boolean blocking : new boolean[] {true, false}) {
            connection.client().configureBlocking(blocking);
            connection.client().socket().sendUrgentData(0xFF);
            assertEquals(1, connection.client().write(ByteBuffer.wrap(new byte[] {'x'})));
            assertEquals('x', connection.server().socket().getInputStream().read());
        }
    }

    @Test
    void urgentDataAreInTheStreamWhileTheReceiverWantsThemThere() throws IOException {
        Connection connection = connect();
        SocketChannel client = connection.client();
        InputStream in = connection.server().socket().getInputStream();
        for (boolean blocking : new boolean[] {true, false, true}) {
            client.configureBlocking(blocking);
            connection.server().socket().setOOBInline(true);
            assertEquals(1, client.write(ByteBuffer.wrap(new byte[] {'x'})));
            client.socket().sendUrgentData('y' | 0xF00);
            assertEquals(1, client.write(ByteBuffer.wrap(new byte[] {'z'})));
            assertArrayEquals(new byte[] {'x', 'y', 'z'}, in.readNBytes(3));
            connection.server().socket().setOOBInline(false);
            client.socket().sendUrgentData('y');
            assertEquals(1, client.write(ByteBuffer.wrap(new byte[] {'z'})));
            assertEquals('z', in.read());
        }
    }

    @Test
    void aClientThatWantsUrgentDataInTheStreamBeforeItConnectsGetsThem() throws IOException {
        ServerSocketChannel listener = listen();
        SocketChannel client = openClient();
        client.socket().setOOBInline(true);
        SocketChannel accepted = acceptWhile(listener, () -> {
            client.connect(listener.getLocalAddress());
            return client;
        });
        for (int i = 0; i < 3; i++) {
            accepted.socket().sendUrgentData(i);
            assertEquals(i, client.socket().getInputStream().read());
        }
    }

    @Test
    void inNonBlockingModeUrgentDataThatFindNoRoomFail() throws IOException {
        Connection connection = connect();
        connection.server().socket().setOOBInline(true);
        connection.client().configureBlocking(false);
        ByteBuffer much = ByteBuffer.allocate(1 << 20);
        IOException e = assertThrowsExactly(IOException.class, () -> {
            while (true) {
                while (connection.client().write(much.clear()) > 0) {}
                connection.client().socket().sendUrgentData(1);
            }
        });
        assertEquals("Socket buffer full", e.getMessage());
    }

    @Test
    void urgentDataFindAPeerThatIsGone() throws IOException {
        Connection connection = connect();
        connection.server().setOption(StandardSocketOptions.SO_LINGER, 0);
        connection.server().close();
        await().untilAsserted(() -> assertThrows(
                IOException.class, () -> connection.client().socket().sendUrgentData(0xFF)));
        connection.client().close();
        assertThrowsExactly(
                ClosedChannelException.class, () -> connection.client().socket().sendUrgentData(0xFF));
    }

    @Test
    void aSocketConnectsItsChannel() throws IOException {
        OlderJdk.leaveOut(pairing.client());
        ServerSocketChannel listener = listen();
        for (int timeout : new int[] {0, 10_000}) {
            SocketChannel channel = openClient();
            SocketChannel accepted = acceptWhile(listener, () -> {
                channel.socket().connect(listener.getLocalAddress(), timeout);
                return channel;
            });
            assertTrue(channel.isConnected());
            assertTrue(channel.isBlocking());
            Transports.check(pairing, new Connection(channel, accepted));
            channel.socket().getOutputStream().write('x');
            assertEquals('x', accepted.socket().getInputStream().read());
            says("Already connected", () -> channel.socket().connect(listener.getLocalAddress()));
        }
    }

    @Test
    void aSocketBindsItsChannel() throws IOException {
        Socket socket = openClient().socket();
        socket.bind(atClient(0));
        assertTrue(socket.isBound());
        assertEquals(pairing.clientHost(), socket.getLocalAddress());
        assertEquals(socket.getLocalSocketAddress(), socket.getChannel().getLocalAddress());
        says("Already bound", () -> socket.bind(null));
    }

    @Test
    void aRefusedConnectClosesTheSocket() throws IOException {
        for (int timeout : new int[] {0, 10_000}) {
            Socket socket = openClient().socket();
            InetSocketAddress nobody = nobody();
            ConnectException e = assertThrowsExactly(ConnectException.class, () -> socket.connect(nobody, timeout));
            assertEquals(Refusals.WAITING, e.getMessage());
            assertTrue(socket.isClosed());
        }
    }

    @Test
    void aConnectThatTakesTooLongTimesOut() throws IOException {
        ServerSocketChannel listener = openServer().bind(atServer(0), 1);
        for (int i = 0; i < 8; i++) {
            SocketChannel other = openClient();
            other.configureBlocking(false);
            other.connect(listener.getLocalAddress());
        }
        Socket socket = openClient().socket();
        SocketTimeoutException e = assertThrowsExactly(
                SocketTimeoutException.class, () -> socket.connect(listener.getLocalAddress(), 100));
        assertEquals("Connect timed out", e.getMessage());
        assertTrue(socket.isClosed());
    }

    @Test
    void addressesThatCannotBeConnectedToAreRefused() throws IOException {
        OlderJdk.leaveOut(pairing.client());
        Socket socket = openClient().socket();
        assertThrowsExactly(IllegalArgumentException.class, () -> socket.connect(null));
        assertThrowsExactly(IllegalArgumentException.class, () -> socket.connect(atServer(1), -1));
        says("Unsupported address type", () -> socket.connect(UnixDomainSocketAddress.of("/tmp/nowhere")));
        assertFalse(socket.isClosed());
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 80);
        assertThrowsExactly(UnknownHostException.class, () -> socket.connect(unresolved));
        assertTrue(socket.isClosed());
    }

    @Test
    void inNonBlockingModeASocketIsOfNoUse() throws IOException {
        ServerSocketChannel listener = listen();
        SocketChannel channel = openClient();
        channel.configureBlocking(false);
        Socket socket = channel.socket();
        assertThrowsExactly(IllegalBlockingModeException.class, () -> socket.connect(listener.getLocalAddress()));
        assertThrowsExactly(IllegalBlockingModeException.class, () -> socket.connect(listener.getLocalAddress(), 10));
        assertFalse(socket.isClosed());
    }

    @Test
    void halfCloseIsTheChannels() throws IOException {
        Connection connection = connect();
        Socket socket = connection.client().socket();
        socket.shutdownOutput();
        socket.shutdownOutput();
        assertTrue(socket.isOutputShutdown());
        assertFalse(socket.isInputShutdown());
        says("Socket output is shutdown", socket::getOutputStream);
        Bytes.expectEnd(connection.server());
        Bytes.send(connection.server(), "y");
        assertEquals('y', socket.getInputStream().read());
        socket.shutdownInput();
        socket.shutdownInput();
        assertTrue(socket.isInputShutdown());
        says("Socket input is shutdown", socket::getInputStream);
        Bytes.expectEnd(connection.client());
        assertFalse(socket.isClosed());
        assertTrue(socket.isConnected());
    }

    @Test
    void halfCloseOfTheChannelIsTheSockets() throws IOException {
        SocketChannel channel = connect().client();
        channel.shutdownInput().shutdownOutput();
        assertTrue(channel.socket().isInputShutdown());
        assertTrue(channel.socket().isOutputShutdown());
    }

    @Test
    void aClosedSocketRemembersItsAddressesAndRefusesTheRest() throws IOException {
        Connection connection = connect();
        Socket socket = connection.client().socket();
        Object local = socket.getLocalSocketAddress();
        Object remote = socket.getRemoteSocketAddress();
        socket.close();
        socket.close();
        assertTrue(socket.isClosed());
        assertFalse(connection.client().isOpen());
        assertTrue(socket.isBound());
        assertFalse(socket.isConnected());
        assertEquals(local, socket.getLocalSocketAddress());
        assertEquals(remote, socket.getRemoteSocketAddress());
        assertEquals(((InetSocketAddress) remote).getPort(), socket.getPort());
        assertEquals(((InetSocketAddress) local).getPort(), socket.getLocalPort());
        assertTrue(socket.getLocalAddress().isAnyLocalAddress());
        assertEquals("Socket[unconnected]", socket.toString());
        says("Socket is closed", socket::getInputStream);
        says("Socket is closed", socket::getOutputStream);
        says("Socket is closed", socket::getTcpNoDelay);
        says("Socket is closed", () -> socket.setSoTimeout(1));
        says("Socket is closed", socket::getSoTimeout);
        assertThrowsExactly(ClosedChannelException.class, socket::shutdownInput);
        assertThrowsExactly(ClosedChannelException.class, socket::shutdownOutput);
        assertThrowsExactly(ClosedChannelException.class, () -> socket.bind(null));
        Bytes.expectEnd(connection.server());
    }

    @Test
    void closingTheChannelClosesTheSocket() throws IOException {
        SocketChannel channel = connect().client();
        channel.close();
        assertTrue(channel.socket().isClosed());
    }

    private static void says(String message, Executable call) {
        assertEquals(message, assertThrowsExactly(SocketException.class, call).getMessage());
    }
}
