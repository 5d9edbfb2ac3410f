// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two networks in one process, as two processes would have them: connections, their slots, and what ends them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PeerLinkTest {
    private final Leaks leaks = new Leaks();
    private PeerNetwork server;
    private PeerNetwork client;

    @BeforeEach
    void open() {
        server = new PeerNetwork();
        client = new PeerNetwork();
    }

    @AfterEach
    void leavesNothing() {
        client.close();
        server.close();
        leaks.awaitNone();
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private PeerSocket connect(PeerListener listener, int fromPort) throws PeerRefusal {
        return client.meet(listener.address()).connect(loopback(fromPort), listener.address());
    }

    @Test
    void bothEndsHaveTheSameAddressesAndSlot() throws Exception {
        try (PeerListener listener = server.listen(loopback(1), 8)) {
            assertNull(listener.accept());
            try (PeerSocket out = connect(listener, 2);
                    PeerSocket in = listener.accept()) {
                assertEquals(loopback(2), in.peerAddress());
                assertEquals(loopback(1), in.localAddress());
                assertEquals(in.peerAddress(), out.localAddress());
                assertEquals(in.slot(), out.slot());
                assertEquals(in.generation(), out.generation());
                assertNull(listener.accept());
            }
        }
    }
}
