// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** The base of the contract tests of sockets of java.net: it has the pairing, and the kinds of ends. */
@ParameterizedClass(name = "{0} {1}")
@ArgumentsSource(SocketPairings.class)
@Timeout(60)
abstract class SocketContract extends TidyTest {
    @Parameter(0)
    Pairing pairing;

    @Parameter(1)
    SocketEnds ends;

    @BeforeEach
    void requirePossible() {
        String why = pairing.whyNot();
        assumeTrue(why == null, why);
    }

    final Socket openClient() throws IOException {
        return closeLater(pairing.clientSockets().open());
    }

    final ServerSocket openServer() throws IOException {
        return closeLater(pairing.serverSockets().openServer());
    }

    /** A listener at a port that the kernel chose. */
    final ServerSocket listen() throws IOException {
        ServerSocket server = openServer();
        server.bind(atServer(0));
        return server;
    }

    final InetSocketAddress atServer(int port) {
        return new InetSocketAddress(pairing.serverHost(), port);
    }

    /** An address at which no server listens: a socket has it that does not. */
    final InetSocketAddress nobody() throws IOException {
        SocketChannel holder = closeLater(pairing.kernelAtServer().openSocketChannel());
        return (InetSocketAddress) holder.bind(atServer(0)).getLocalAddress();
    }

    /** A connection whose ends and transport are those of the parameters. */
    final SocketConnection connect() throws Exception {
        Socket client;
        Socket server;
        if (ends.serverIsSocket()) {
            try (ServerSocket listener = listen()) {
                Task<Socket> accepting = start(() -> closeLater(listener.accept()));
                client = connectTo(listener.getLocalSocketAddress());
                server = accepting.result();
            }
        } else {
            try (ServerSocketChannel listener = pairing.server().openServerSocketChannel()) {
                listener.bind(atServer(0));
                Task<SocketChannel> accepting = start(() -> closeLater(listener.accept()));
                client = connectTo(listener.getLocalAddress());
                server = accepting.result().socket();
            }
        }
        assertEquals(pairing.accelerated(), onRings(client), "the client on rings");
        assertEquals(pairing.accelerated(), onRings(server), "the server on rings");
        return ends.testsClient() ? SocketConnection.of(client, server) : SocketConnection.of(server, client);
    }

    private Socket connectTo(SocketAddress address) throws IOException {
        if (ends.clientIsSocket()) {
            Socket socket = openClient();
            socket.connect(address);
            return socket;
        }
        SocketChannel channel = closeLater(pairing.client().openSocketChannel());
        channel.connect(address);
        return channel.socket();
    }

    private static boolean onRings(Socket socket) {
        return socket.getChannel() == null ? NetSockets.onRings(socket) : Transports.onRings(socket.getChannel());
    }

    /** Expects the message of a SocketException. */
    static void says(String message, Executable call) {
        assertEquals(message, assertThrowsExactly(SocketException.class, call).getMessage());
    }
}
