// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The options are those of the JDK's channels, with the same defaults, and are kept through every state. */
class OptionsContractTest extends Contract {
    @Test
    void theSameOptionsAreSupported() throws IOException {
        SocketChannel client = openClient();
        ServerSocketChannel server = openServer();
        try (SocketChannel jdk = pairing.kernelAtClient().openSocketChannel();
                ServerSocketChannel jdkServer = pairing.kernelAtServer().openServerSocketChannel()) {
            assertEquals(jdk.supportedOptions(), client.supportedOptions());
            assertEquals(jdkServer.supportedOptions(), server.supportedOptions());
            assertEquals(jdk.socket().supportedOptions(), client.socket().supportedOptions());
            assertEquals(jdkServer.socket().supportedOptions(), server.socket().supportedOptions());
        }
        Connection connection = connect();
        assertEquals(client.supportedOptions(), connection.server().supportedOptions());
        connection.client().close();
        assertEquals(client.supportedOptions(), connection.client().supportedOptions(), "asking is always allowed");
    }

    @Test
    void theDefaultsAreTheSame() throws IOException {
        SocketChannel client = openClient();
        ServerSocketChannel server = openServer();
        try (SocketChannel jdk = pairing.kernelAtClient().openSocketChannel();
                ServerSocketChannel jdkServer = pairing.kernelAtServer().openServerSocketChannel()) {
            assertEquals(values(jdk), values(client));
            assertEquals(values(jdkServer), values(server));
        }
    }

    @Test
    void theValuesOfConnectedChannelsAreTheSame() throws IOException {
        Connection connection = connect();
        try (ServerSocketChannel listener =
                        pairing.kernelAtServer().openServerSocketChannel().bind(atServer(0));
                SocketChannel client = pairing.kernelAtClient().openSocketChannel()) {
            client.connect(listener.getLocalAddress());
            try (SocketChannel server = listener.accept()) {
                assertEquals(settled(client), settled(connection.client()));
                assertEquals(settled(server), settled(connection.server()));
            }
        }
    }

    /**
     * The kernel tunes the sizes of its buffers while a connection lives, and the rest may change from packet to
     * packet.
     */
    private static Map<String, Object> settled(NetworkChannel channel) throws IOException {
        Map<String, Object> values = values(channel);
        values.keySet().removeIf(name -> name.endsWith("BUF") || name.equals("SO_INCOMING_NAPI_ID"));
        values.remove("TCP_QUICKACK");
        return values;
    }

    private static Map<String, Object> values(NetworkChannel channel) throws IOException {
        Map<String, Object> values = new TreeMap<>();
        for (SocketOption<?> option : channel.supportedOptions()) {
            values.put(option.name(), String.valueOf(channel.getOption(option)));
        }
        return values;
    }

    @Test
    void whatIsSetBeforeAConnectIsKept() throws IOException {
        ServerSocketChannel listener = listen();
        SocketChannel client = openClient();
        set(client);
        SocketChannel server = acceptWhile(listener, () -> client.connect(listener.getLocalAddress()));
        isSet(client);
        Transports.check(pairing, new Connection(client, server));
    }

    @Test
    void whatIsSetOnConnectedChannelsIsKept() throws IOException {
        Connection connection = connect();
        for (SocketChannel channel : new SocketChannel[] {connection.client(), connection.server()}) {
            assertFalse(channel.getOption(StandardSocketOptions.TCP_NODELAY));
            set(channel);
            isSet(channel);
            channel.setOption(StandardSocketOptions.SO_LINGER, -1);
            assertEquals(-1, channel.getOption(StandardSocketOptions.SO_LINGER));
        }
        Bytes.send(connection.client(), "still there");
        Bytes.expect(connection.server(), "still there");
    }

    private static void set(SocketChannel channel) throws IOException {
        assertSame(channel, channel.setOption(StandardSocketOptions.TCP_NODELAY, true));
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        channel.setOption(StandardSocketOptions.SO_LINGER, 7);
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        channel.setOption(StandardSocketOptions.IP_TOS, 8);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, 50_000);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 60_000);
    }

    private static void isSet(SocketChannel channel) throws IOException {
        assertTrue(channel.getOption(StandardSocketOptions.TCP_NODELAY));
        assertTrue(channel.getOption(StandardSocketOptions.SO_KEEPALIVE));
        assertEquals(7, channel.getOption(StandardSocketOptions.SO_LINGER));
        assertTrue(channel.getOption(StandardSocketOptions.SO_REUSEADDR));
        assertEquals(8, channel.getOption(StandardSocketOptions.IP_TOS));
        assertTrue(channel.getOption(StandardSocketOptions.SO_SNDBUF) >= 50_000);
        assertTrue(channel.getOption(StandardSocketOptions.SO_RCVBUF) >= 60_000);
    }

    @Test
    void acceptedChannelsInheritWhatTheKernelPassesOn() throws IOException {
        ServerSocketChannel listener = openServer();
        ServerSocketChannel oracle = closeLater(pairing.kernelAtServer().openServerSocketChannel());
        for (ServerSocketChannel server : new ServerSocketChannel[] {listener, oracle}) {
            server.setOption(StandardSocketOptions.SO_RCVBUF, 70_000);
            server.setOption(StandardSocketOptions.SO_REUSEADDR, false);
            server.bind(atServer(0));
        }
        SocketChannel accepted = connect(listener).server();
        SocketChannel client = closeLater(pairing.kernelAtClient().openSocketChannel());
        client.connect(oracle.getLocalAddress());
        SocketChannel expected = closeLater(oracle.accept());
        assertEquals(settled(expected), settled(accepted));
        assertEquals(
                expected.getOption(StandardSocketOptions.SO_RCVBUF),
                accepted.getOption(StandardSocketOptions.SO_RCVBUF));
    }

    @Test
    void valuesThatCannotBeAreRefused() throws IOException {
        SocketChannel unconnected = openClient();
        Connection connection = connect();
        for (SocketChannel channel : new SocketChannel[] {unconnected, connection.client(), connection.server()}) {
            refused(channel, StandardSocketOptions.SO_SNDBUF, -1);
            refused(channel, StandardSocketOptions.SO_RCVBUF, -1);
            refused(channel, StandardSocketOptions.IP_TOS, 256);
            refused(channel, StandardSocketOptions.IP_TOS, -1);
            refused(channel, StandardSocketOptions.TCP_NODELAY, null);
            assertThrowsExactly(NullPointerException.class, () -> channel.getOption(null));
            assertThrowsExactly(NullPointerException.class, () -> channel.setOption(null, 1));
        }
        refused(openServer(), StandardSocketOptions.SO_RCVBUF, -1);
    }

    private static <T> void refused(NetworkChannel channel, SocketOption<T> option, T value) {
        assertThrowsExactly(
                IllegalArgumentException.class,
                () -> channel.setOption(option, value),
                () -> option + " = " + value + " of " + channel);
    }

    @Test
    void optionsOfOtherChannelsAreRefused() throws IOException {
        SocketChannel client = openClient();
        ServerSocketChannel server = openServer();
        SocketOption<Integer> multicast = StandardSocketOptions.IP_MULTICAST_TTL;
        SocketOption<Boolean> noDelay = StandardSocketOptions.TCP_NODELAY;
        UnsupportedOperationException e =
                assertThrowsExactly(UnsupportedOperationException.class, () -> client.getOption(multicast));
        assertEquals("'IP_MULTICAST_TTL' not supported", e.getMessage());
        assertThrowsExactly(UnsupportedOperationException.class, () -> client.setOption(multicast, 1));
        assertThrowsExactly(UnsupportedOperationException.class, () -> server.getOption(noDelay));
        assertThrowsExactly(UnsupportedOperationException.class, () -> server.setOption(noDelay, true));
        assertThrowsExactly(
                UnsupportedOperationException.class, () -> client.socket().getOption(multicast));
    }

    @Test
    void aClosedChannelHasNoOptions() throws IOException {
        Connection connection = connect();
        ServerSocketChannel server = listen();
        connection.client().close();
        connection.server().close();
        server.close();
        for (NetworkChannel channel : new NetworkChannel[] {connection.client(), connection.server(), server}) {
            assertThrowsExactly(ClosedChannelException.class, () -> channel.getOption(StandardSocketOptions.SO_RCVBUF));
            assertThrowsExactly(
                    ClosedChannelException.class, () -> channel.setOption(StandardSocketOptions.SO_RCVBUF, 1000));
        }
    }

    @Test
    void theSocketsOptionsAreTheChannels() throws IOException {
        Connection connection = connect();
        Socket socket = connection.client().socket();
        socket.setTcpNoDelay(true);
        assertTrue(socket.getTcpNoDelay());
        assertTrue(connection.client().getOption(StandardSocketOptions.TCP_NODELAY));
        assertEquals(-1, socket.getSoLinger());
        socket.setSoLinger(true, 100_000);
        assertEquals(65_535, socket.getSoLinger());
        socket.setSoLinger(false, 5);
        assertEquals(-1, connection.client().getOption(StandardSocketOptions.SO_LINGER));
        socket.setKeepAlive(true);
        assertTrue(socket.getKeepAlive());
        assertFalse(socket.getOOBInline());
        socket.setOOBInline(true);
        assertTrue(socket.getOOBInline());
        socket.setReuseAddress(true);
        assertTrue(socket.getReuseAddress());
        socket.setTrafficClass(8);
        assertEquals(8, socket.getTrafficClass());
        assertThrowsExactly(IllegalArgumentException.class, () -> socket.setTrafficClass(256));
        assertThrowsExactly(IllegalArgumentException.class, () -> socket.setReceiveBufferSize(0));
        assertThrowsExactly(IllegalArgumentException.class, () -> socket.setSendBufferSize(0));
        socket.setSendBufferSize(50_000);
        assertEquals(connection.client().getOption(StandardSocketOptions.SO_SNDBUF), socket.getSendBufferSize());
        socket.setReceiveBufferSize(50_000);
        assertEquals(connection.client().getOption(StandardSocketOptions.SO_RCVBUF), socket.getReceiveBufferSize());
        assertTrue(socket.getOption(StandardSocketOptions.SO_KEEPALIVE));
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, false);
        assertFalse(socket.getKeepAlive());
        socket.setPerformancePreferences(1, 2, 3);
        socket.close();
        assertEquals(
                "Socket is closed",
                assertThrowsExactly(SocketException.class, socket::getSoLinger).getMessage());
    }
}
