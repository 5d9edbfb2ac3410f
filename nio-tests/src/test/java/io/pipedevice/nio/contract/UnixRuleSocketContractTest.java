// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A socket of java.net whose connection goes to a Unix-domain socket behaves as one of TCP of the JDK, which is the oracle. */
@ParameterizedClass(name = "{0}")
@EnumSource(names = {"JDK_JDK", "PIPEDEVICE_RULE"})
@Timeout(60)
class UnixRuleSocketContractTest extends TidyTest {
    /** More than any transport buffers. */
    private static final int TOO_MUCH = 16 << 20;

    @Parameter
    Pairing pairing;

    private ServerSocketChannel listen() throws IOException {
        return closeLater(pairing.server().openServerSocketChannel()).bind(Contract.loopback(0));
    }

    private SocketEnd connectSocket() throws Exception {
        ServerSocketChannel listener = listen();
        Socket client = closeLater(pairing.clientSockets().open());
        client.connect(listener.getLocalAddress(), 20_000);
        return new SocketEnd(client, closeLater(listener.accept()));
    }

    /** A socket of java.net, and the channel at the other end. */
    private record SocketEnd(Socket client, SocketChannel server) {}

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void aSocketReadsWritesAndTimesOut(ThreadKind kind) throws Exception {
        SocketEnd connection = connectSocket();
        Socket client = connection.client();
        assertEquals(Contract.LOOPBACK, client.getLocalAddress());
        assertTrue(client.getLocalPort() > 0);
        Task<Integer> exchange = start(kind, () -> {
            client.getOutputStream().write("ping".getBytes(US_ASCII));
            return client.getInputStream().read();
        });
        Bytes.expect(connection.server(), "ping");
        exchange.awaitBlockedIn("read");
        connection.server().write(Bytes.ascii("pong"));
        assertEquals('p', exchange.result());
        assertArrayEquals("ong".getBytes(US_ASCII), client.getInputStream().readNBytes(3));
        client.setSoTimeout(30);
        Task<Integer> late = start(kind, () -> client.getInputStream().read());
        assertEquals(
                "Read timed out", late.failure(SocketTimeoutException.class).getMessage());
        connection.server().shutdownOutput();
        assertEquals(-1, client.getInputStream().read());
    }

    @ParameterizedTest
    @EnumSource(ThreadKind.class)
    void closeEndsABlockedReadAndABlockedWriteOfASocket(ThreadKind kind) throws Exception {
        SocketEnd connection = connectSocket();
        Task<Integer> reader =
                start(kind, () -> connection.client().getInputStream().read());
        Task<Void> writer = start(kind, () -> {
            connection.client().getOutputStream().write(new byte[TOO_MUCH]);
            return null;
        });
        reader.awaitBlockedIn("read");
        writer.awaitBlockedIn("write");
        connection.client().close();
        assertEquals("Socket closed", reader.failure(SocketException.class).getMessage());
        assertEquals("Socket closed", writer.failure(SocketException.class).getMessage());
    }

    @Test
    void aPeerThatClosesWithUnreadBytesResetsASocket() throws Exception {
        SocketEnd connection = connectSocket();
        connection.client().getOutputStream().write(1);
        connection.server().close();
        SocketException e = assertThrowsExactly(
                SocketException.class,
                () -> connection.client().getInputStream().read());
        assertEquals("Connection reset", e.getMessage());
    }
}
