// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.nio.placement.Locality;
import io.pipedevice.nio.placement.RefusingPlacement;
import io.pipedevice.nio.stat.KernelReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sun.nio.ch.DefaultSelectorProvider;

/** A thread that is interrupted while it waits for a peer, in a connect. */
@Timeout(60)
class InterruptedConnectTest {
    private static final SelectorProvider JDK = DefaultSelectorProvider.get();

    private ServerSocketChannel server;

    /** Whether the thread came to each wait for the peer with an interrupt. */
    private final List<Boolean> waits = new ArrayList<>();

    /** An interrupt ends the first wait for the peer; there is none in the second. */
    private final class Interrupting extends RefusingPlacement {
        @Override
        protected KernelReason refusal() {
            waits.add(Thread.currentThread().isInterrupted());
            if (waits.size() > 1) {
                return KernelReason.NO_RENDEZVOUS;
            }
            Thread.currentThread().interrupt();
            return KernelReason.HANDSHAKE_FAILED;
        }
    }

    @BeforeEach
    void listen() throws IOException {
        server = JDK.openServerSocketChannel();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void close() throws IOException {
        boolean interrupted = Thread.interrupted();
        server.close();
        assertFalse(interrupted, "an interrupt is left");
    }

    private SocketChannel open(boolean interruptible) throws IOException {
        return PdSocketChannel.open(
                new ChannelHome(JDK, JDK, new Locality(JDK), new Interrupting(), null, interruptible), null);
    }

    @Test
    void aSocketWaitsOnAndKeepsTheInterrupt() throws IOException {
        try (SocketChannel socket = open(false)) {
            assertTrue(socket.connect(server.getLocalAddress()));
            assertTrue(Thread.interrupted());
            assertEquals(List.of(false, false), waits);
            assertTrue(socket.toString().endsWith(" kernel (no rendezvous)]"), socket::toString);
        }
    }

    @Test
    void aSocketDoesNotSeeAnEarlierInterrupt() throws IOException {
        try (SocketChannel socket = open(false)) {
            Thread.currentThread().interrupt();
            assertTrue(socket.connect(server.getLocalAddress()));
            assertTrue(Thread.interrupted());
            assertEquals(List.of(false, false), waits);
        }
    }

    @Test
    void aChannelIsClosed() throws IOException {
        try (SocketChannel channel = open(true)) {
            assertThrowsExactly(ClosedByInterruptException.class, () -> channel.connect(server.getLocalAddress()));
            assertTrue(Thread.interrupted());
            assertEquals(List.of(false), waits);
            assertFalse(channel.isOpen());
        }
    }
}
