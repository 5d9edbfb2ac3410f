// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.Disposal;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.link.Sweeper;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connects to ports whose programs have no PipeDevice. */
@Timeout(60)
final class PortOfAnotherProgramTest {
    private final PeerNetwork network = new PeerNetwork(1000, PortRule.KERNEL, new Disposal(), new Sweeper());

    @AfterEach
    void close() {
        network.close();
    }

    private void assertNoRendezvous(InetSocketAddress to) {
        PeerRefusal refusal = assertThrows(PeerRefusal.class, () -> network.meet(to));
        assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, refusal.reason());
    }

    /** What is known counts for a tenth of a second, in which this thread may not run. */
    private void awaitUnknown(InetSocketAddress to) {
        do {
            assertNoRendezvous(to);
        } while (!network.isUnknown(to));
    }

    @Test
    void aListenerIsLookedForAgainAsSoonAsAnotherSocketHasThePort() throws Exception {
        InetSocketAddress to;
        try (ServerSocketChannel program = ServerSocketChannel.open().bind(TestAddresses.loopback(0))) {
            to = (InetSocketAddress) program.getLocalAddress();
            assertFalse(network.isUnknown(to));
            awaitUnknown(to);
        }
        TimeUnit.NANOSECONDS.sleep(UnknownListeners.RENEWAL_NS);
        assertFalse(network.isUnknown(to), "nothing listens there");
        try (ServerSocketChannel next = ServerSocketChannel.open().bind(to)) {
            awaitUnknown((InetSocketAddress) next.getLocalAddress());
        }
        try (ServerSocketChannel last = ServerSocketChannel.open().bind(to);
                PeerListener listener = network.listen((InetSocketAddress) last.getLocalAddress(), 1)) {
            TimeUnit.NANOSECONDS.sleep(UnknownListeners.RENEWAL_NS);
            assertFalse(network.isUnknown(listener.address()));
            assertTrue(network.meet(listener.address()).isUsable());
        }
    }

    @Test
    void aPortOfNoProgramIsLookedUpEachTime() throws IOException {
        InetSocketAddress to;
        try (ServerSocketChannel program = ServerSocketChannel.open().bind(TestAddresses.loopback(0))) {
            to = (InetSocketAddress) program.getLocalAddress();
        }
        assertNoRendezvous(to);
        assertFalse(network.isUnknown(to));
    }
}
