// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Server sockets of java.net. */
class ServerSocketContractTest extends SocketContract {
    @BeforeEach
    void requireServer() {
        assumeTrue(!ends.testsClient(), "the tests are of servers");
    }

    /** A client of the kind that the parameters name. */
    private Socket connectTo(SocketAddress address) throws IOException {
        if (ends.clientIsSocket()) {
            Socket client = openClient();
            client.connect(address);
            return client;
        }
        SocketChannel client = closeLater(pairing.client().openSocketChannel());
        client.connect(address);
        return client.socket();
    }

    @ParameterizedTest
    @CsvSource({"PLATFORM, 0", "VIRTUAL, 20000"})
    void acceptWaitsForAConnection(ThreadKind kind, int timeout) throws Exception {
        ServerSocket server = listen();
        server.setSoTimeout(timeout);
        Task<Socket> accepting = start(kind, () -> closeLater(server.accept()));
        accepting.awaitBlockedIn("accept");
        Socket client = connectTo(server.getLocalSocketAddress());
        Socket accepted = accepting.result();
        assertEquals(pairing.accelerated(), NetSockets.onRings(accepted));
        assertEquals(client.getLocalPort(), accepted.getPort());
        assertEquals(server.getLocalPort(), accepted.getLocalPort());
        assertEquals(pairing.clientHost(), accepted.getInetAddress());
        assertEquals(0, accepted.getSoTimeout());
        client.getOutputStream().write(5);
        assertEquals(5, accepted.getInputStream().read());
    }

    @Test
    void acceptTimesOutAndTheServerGoesOn() throws Exception {
        ServerSocket server = listen();
        for (int timeout : new int[] {1, 30}) {
            server.setSoTimeout(timeout);
            assertEquals(timeout, server.getSoTimeout());
            SocketTimeoutException e = assertThrowsExactly(SocketTimeoutException.class, server::accept);
            assertEquals("Accept timed out", e.getMessage());
        }
        assertFalse(server.isClosed());
        server.setSoTimeout(20_000);
        Task<Socket> accepting = start(() -> closeLater(server.accept()));
        connectTo(server.getLocalSocketAddress());
        assertTrue(accepting.result().isConnected());
    }

    @Test
    void eachOfTwoAcceptsGetsAConnection() throws Exception {
        ServerSocket server = listen();
        Task<Socket> first = start(() -> closeLater(server.accept()));
        Task<Socket> second = start(ThreadKind.VIRTUAL, () -> closeLater(server.accept()));
        Socket one = connectTo(server.getLocalSocketAddress());
        Socket other = connectTo(server.getLocalSocketAddress());
        assertEquals(
                Set.of(one.getLocalPort(), other.getLocalPort()),
                Set.of(first.result().getPort(), second.result().getPort()));
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void aCloseEndsAllAccepts(ThreadKind kind) throws Exception {
        for (int timeout : new int[] {0, 20_000}) {
            ServerSocket server = listen();
            server.setSoTimeout(timeout);
            Task<Socket> first = start(kind, server::accept);
            Task<Socket> second = start(kind, server::accept);
            first.awaitBlockedIn("accept");
            server.close();
            assertEquals("Socket closed", first.failure(SocketException.class).getMessage());
            assertEquals("Socket closed", second.failure(SocketException.class).getMessage());
            // The port is free again.
            openServer().bind(atServer(server.getLocalPort()));
        }
    }

    @Test
    void anInterruptDoesNotDisturbAPlatformThread() throws Exception {
        ServerSocket server = listen();
        Task<Socket> accepting = start(() -> closeLater(server.accept()));
        accepting.awaitBlockedIn("accept");
        accepting.interrupt();
        connectTo(server.getLocalSocketAddress());
        assertTrue(accepting.result().isConnected());
        assertTrue(accepting.interruptedAtEnd());
    }

    @Test
    void anInterruptClosesTheServerOfAVirtualThread() throws Exception {
        ServerSocket server = listen();
        Task<Socket> accepting = start(ThreadKind.VIRTUAL, server::accept);
        accepting.awaitBlockedIn("accept");
        accepting.interrupt();
        assertEquals(
                "Closed by interrupt", accepting.failure(SocketException.class).getMessage());
        assertTrue(server.isClosed());
    }

    @Test
    void aClosedServerResetsItsBacklogAndRefuses() throws Exception {
        assumeTrue(!pairing.connectsWhenAccepted(), "a connect of this pairing waits until the server accepts");
        ServerSocket server = listen();
        Socket client = connectTo(server.getLocalSocketAddress());
        server.close();
        says("Connection reset", () -> client.getInputStream().read());
        assertThrowsExactly(ConnectException.class, () -> connectTo(atServer(server.getLocalPort())));
    }

    @Test
    void aServerReportsItsAddress() throws IOException {
        ServerSocket server = openServer();
        says("Socket is not bound yet", server::accept);
        server.bind(atServer(0));
        assertEquals(pairing.serverHost(), server.getInetAddress());
        assertTrue(server.getLocalPort() > 0);
        says("Already bound", () -> server.bind(null));
        BindException e =
                assertThrowsExactly(BindException.class, () -> openServer().bind(server.getLocalSocketAddress()));
        assertEquals("Address already in use", e.getMessage());
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 1);
        assertThrowsExactly(SocketException.class, () -> openServer().bind(unresolved));
        server.close();
        assertTrue(server.isBound());
        says("Socket is closed", server::accept);
        says("Socket is closed", server::getSoTimeout);
    }
}
