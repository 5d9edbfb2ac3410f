// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.jdk.Literals;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** The base of the contract tests of channels: it has the pairing. */
@ParameterizedClass(name = "{0}")
@ArgumentsSource(Pairings.class)
@Timeout(60)
abstract class Contract extends TidyTest {
    /** Has no host name, like addresses that come from the kernel. */
    static final InetAddress LOOPBACK = Literals.address("127.0.0.1");

    @Parameter
    Pairing pairing;

    @BeforeEach
    void requirePossible() {
        String why = pairing.whyNot();
        assumeTrue(why == null, why);
    }

    final SocketChannel openClient() throws IOException {
        return closeLater(pairing.client().openSocketChannel());
    }

    final SocketChannel openClient(ProtocolFamily family) throws IOException {
        return closeLater(pairing.client().openSocketChannel(family));
    }

    final ServerSocketChannel openServer() throws IOException {
        return closeLater(pairing.server().openServerSocketChannel());
    }

    final ServerSocketChannel openServer(ProtocolFamily family) throws IOException {
        return closeLater(pairing.server().openServerSocketChannel(family));
    }

    /** A selector for channels of the same provider. */
    final Selector openSelector(SelectableChannel channel) throws IOException {
        return closeLater(channel.provider().openSelector());
    }

    /** A listener at a port that the kernel chose. */
    final ServerSocketChannel listen() throws IOException {
        return openServer().bind(atServer(0));
    }

    /** An address where servers of the pairing may listen: for most pairings the loopback address. */
    final InetSocketAddress atServer(int port) {
        return new InetSocketAddress(pairing.serverHost(), port);
    }

    /** An address from which clients of the pairing may connect. */
    final InetSocketAddress atClient(int port) {
        return new InetSocketAddress(pairing.clientHost(), port);
    }

    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(LOOPBACK, port);
    }

    static InetSocketAddress at(String literal, int port) {
        return new InetSocketAddress(Literals.address(literal), port);
    }

    /** An address at which no server listens: a socket has it that does not. */
    final InetSocketAddress nobody() throws IOException {
        SocketChannel holder = closeLater(pairing.kernelAtServer().openSocketChannel());
        return (InetSocketAddress) holder.bind(atServer(0)).getLocalAddress();
    }

    final SocketChannel accept(ServerSocketChannel listener) throws IOException {
        return closeLater(listener.accept());
    }

    final Connection connect() throws IOException {
        try (ServerSocketChannel listener = listen()) {
            return connect(listener);
        }
    }

    final Connection connect(ServerSocketChannel listener) throws IOException {
        return connect(listener, listener.getLocalAddress());
    }

    /** A connection in blocking mode, whose transport is the pairing's. */
    final Connection connect(ServerSocketChannel listener, SocketAddress to) throws IOException {
        SocketChannel client = openClient();
        SocketChannel server = acceptWhile(listener, () -> {
            assertTrue(client.connect(to), "a blocking connect is done when it returns");
            return null;
        });
        Connection connection = new Connection(client, server);
        Transports.check(pairing, connection);
        return connection;
    }

    /** Connects a client, and accepts it: afterwards, or meanwhile if the pairing's clients wait for that. */
    final SocketChannel acceptWhile(ServerSocketChannel listener, Callable<?> connecting) throws IOException {
        try {
            if (!pairing.connectsWhenAccepted() || !listener.isBlocking()) {
                connecting.call();
                return accept(listener);
            }
            Task<SocketChannel> accepting = new Task<>(ThreadKind.PLATFORM, listener::accept);
            connecting.call();
            return closeLater(accepting.result());
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    /** For tests of connections that no thread accepts while another one connects. */
    final void assumeConnectsBeforeAccept() {
        assumeFalse(pairing.connectsWhenAccepted(), "a connect of this pairing waits until the server accepts");
    }

    /** A listener that takes no further connection: one more connect blocks until it is given up. */
    final ServerSocketChannel fullListener() throws IOException {
        ServerSocketChannel listener = openServer().bind(atServer(0), 1);
        for (int i = 0; i < 8; i++) {
            SocketChannel client = openClient();
            client.configureBlocking(false);
            client.connect(listener.getLocalAddress());
        }
        return listener;
    }
}
