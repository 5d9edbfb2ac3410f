// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.jdk.Literals;
import io.pipedevice.nio.stat.KernelReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sun.nio.ch.DefaultSelectorProvider;

/** Decisions for the kernel, with a placement that would find every listener. */
@Timeout(60)
class ConnectDecisionTest {
    private static final SelectorProvider JDK = DefaultSelectorProvider.get();

    /** A port at which no listener was found before. */
    private static final int UNHEARD = 10;

    /** A program that asked for no sizes. */
    private static final RingSizes ANY = new RingSizes() {
        @Override
        public int sendSize(int otherwise) {
            return otherwise;
        }

        @Override
        public int receiveSize(int otherwise) {
            return otherwise;
        }
    };

    /** Finds every listener, and cannot connect to any. */
    private static final class Met implements Placement {
        @Override
        public RingListener listen(
                ServerSocketChannel kernel, InetSocketAddress address, int backlog, int receiveSize, Runnable changed) {
            throw new AssertionError("nobody listens");
        }

        @Override
        public void warmUp() {
            throw new AssertionError("nobody listens");
        }

        @Override
        public boolean reaches(InetAddress address) {
            return !address.isLoopbackAddress();
        }

        @Override
        public boolean hasNoListener(InetSocketAddress to) {
            return to.getPort() == UNHEARD;
        }

        @Override
        public RingMeeting meet(InetSocketAddress address, int timeoutMillis) {
            return (from, to, options) -> {
                throw new AssertionError("connected from " + from.reserve() + " without a source port");
            };
        }
    }

    @Test
    void aMissingSourcePortIsReported() throws IOException {
        InetAddress own = Literals.address("192.0.2.1");
        Locality.Route none = to -> {
            throw new IOException("no route");
        };
        Locality locality = new Locality(() -> Set.of(own), none, System::nanoTime);
        try (SocketChannel kernel = JDK.openSocketChannel()) {
            ConnectDecision decision = ConnectDecision.decide(
                    new Met(), locality, ANY, kernel, new InetSocketAddress(own, 9), Placement.UNBOUNDED, () -> true);
            assertEquals(KernelReason.NO_SOURCE_PORT, decision.reason());
            assertEquals("no route", decision.detail());
        }
    }

    @Test
    void thePlacementDecidesWhichAddressesItReaches() throws IOException {
        try (SocketChannel kernel = JDK.openSocketChannel()) {
            InetSocketAddress to = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);
            ConnectDecision decision = ConnectDecision.decide(
                    new Met(), new Locality(JDK), ANY, kernel, to, Placement.UNBOUNDED, () -> true);
            assertEquals(KernelReason.PEER_NOT_LOCAL, decision.reason());
            assertNull(kernel.getLocalAddress(), "a port was taken for nothing");
        }
    }

    @Test
    void aListenerThatIsKnownToBeMissingIsNotLookedUp() throws IOException {
        try (SocketChannel kernel = JDK.openSocketChannel()) {
            InetSocketAddress to = new InetSocketAddress(Literals.address("192.0.2.1"), UNHEARD);
            ConnectDecision decision = ConnectDecision.decide(
                    new Met(), new Locality(JDK), ANY, kernel, to, Placement.UNBOUNDED, () -> true);
            assertEquals(KernelReason.NO_RENDEZVOUS, decision.reason());
            assertTrue(decision.mayBeElsewhere());
            assertNull(kernel.getLocalAddress(), "a port was taken for nothing");
        }
    }
}
