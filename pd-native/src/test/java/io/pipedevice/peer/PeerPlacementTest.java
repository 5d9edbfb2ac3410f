// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.jdk.Literals;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdListener;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.test.Leaks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses have the same meaning in the peer placement as for TCP. */
@Timeout(60)
final class PeerPlacementTest {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    static {
        // Opens the descriptors that the JDK keeps: one with which it closes sockets, and those with which virtual
        // threads wait.
        isThere("127.0.0.1");
        Leaks.waitAsAVirtualThread();
    }

    private final Leaks leaks = new Leaks();
    private PeerPlacement client;
    private PeerPlacement server;

    @BeforeEach
    void open() throws PdException {
        client = new PeerPlacement();
        server = new PeerPlacement();
    }

    @AfterEach
    void leavesNothing() {
        client.close();
        server.close();
        leaks.awaitNone();
    }

    private static InetSocketAddress address(String host, int port) {
        return new InetSocketAddress(Literals.address(host), port);
    }

    /** Skips the test on machines without IPv6. */
    private static void assumeThereIs(String... hosts) {
        for (String host : hosts) {
            assumeTrue(isThere(host), "no address " + host);
        }
    }

    private static boolean isThere(String host) {
        try (Socket socket = new Socket()) {
            socket.bind(address(host, 0));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1, 127.0.0.1",
        "127.0.0.1, 0.0.0.0, 127.0.0.1",
        "0.0.0.0, 0.0.0.0, 127.0.0.1",
        "0.0.0.0, 127.0.0.2, 127.0.0.2",
        "::1, ::1, ::1",
        "::1, ::, ::1",
        "::, ::, ::1",
        "::, ::1, ::1",
        "::, 0.0.0.0, 127.0.0.1",
        "::, 127.0.0.1, 127.0.0.1"
    })
    void aListenerIsReached(String at, String by, String really) throws PdException {
        assumeThereIs(at, by);
        try (PdListener listener = server.listen(address(at, 0), 4)) {
            int port = listener.localAddress().getPort();
            assertEquals(address(at, port), listener.localAddress());
            try (PeerSocket socket = (PeerSocket) client.connect(address(by, port), 0);
                    PeerSocket accepted = (PeerSocket) listener.accept(PATIENCE_NS)) {
                assertNotNull(accepted, "not accepted");
                assertEquals(address(really, port), socket.peerAddress());
                assertEquals(address(really, port), accepted.localAddress());
                assertEquals(socket.localAddress(), accepted.peerAddress());
                assertCarries(socket, accepted);
                assertCarries(accepted, socket);
            }
        }
    }

    private static void assertCarries(PeerSocket from, PeerSocket to) throws PdException {
        assertEquals(1, from.write(ByteBuffer.wrap(new byte[] {7})));
        assertTrue(to.awaitReadable(PATIENCE_NS), "nothing arrives");
        ByteBuffer read = ByteBuffer.allocate(2);
        assertEquals(1, to.read(read));
        assertEquals(7, read.get(0));
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, ::1", "127.0.0.1, ::", "::1, 0.0.0.0", "0.0.0.0, ::1", "0.0.0.0, ::", "127.0.0.2, 0.0.0.0"})
    void aListenerIsNotReached(String at, String by) throws PdException {
        assumeThereIs(at, by);
        try (PdListener listener = server.listen(address(at, 0), 4)) {
            InetSocketAddress to = address(by, listener.localAddress().getPort());
            PdException e = assertThrows(PdException.class, () -> client.connect(to, 0));
            assertEquals(Errno.ECONNREFUSED, e.errno());
        }
    }

    @Test
    void aPlainTcpClientIsReset() throws Exception {
        try (PdListener listener = server.listen(address("127.0.0.1", 0), 4)) {
            for (int i = 0; i < 3; i++) {
                try (Socket socket = new Socket()) {
                    socket.setSoTimeout((int) TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS));
                    socket.connect(listener.localAddress());
                    assertThrows(
                            SocketException.class, () -> socket.getInputStream().read());
                }
            }
        }
    }

    @Test
    void aListenerKeepsItsPortFromOthers() throws PdException {
        try (PdListener listener = server.listen(address("0.0.0.0", 0), 4)) {
            InetSocketAddress taken =
                    address("127.0.0.1", listener.localAddress().getPort());
            PdException e = assertThrows(PdException.class, () -> client.listen(taken, 4));
            assertEquals(Errno.EADDRINUSE, e.errno());
        }
    }
}
