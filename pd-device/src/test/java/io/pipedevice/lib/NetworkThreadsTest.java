// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.test.Together;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several threads use two networks, of either placement. */
@Timeout(60)
class NetworkThreadsTest {
    private static final int ROUNDS = 50;

    @ParameterizedTest
    @EnumSource(Placement.class)
    void eachThreadHasItsListenersAndItsConnections(Placement placement) throws Exception {
        try (Placement.Networks networks = placement.open()) {
            Together.run(thread -> {
                for (int round = 0; round < ROUNDS; round++) {
                    byte[] message = {(byte) thread, (byte) round};
                    try (PdListener listener = networks.server().listen(Attached.loopback(0), 1);
                            PdConnection out = networks.client().connect(listener.localAddress(), 0);
                            PdConnection in = listener.accept(Attached.SECONDS_5)) {
                        assertEquals(2, out.write(ByteBuffer.wrap(message)));
                        ByteBuffer arrived = ByteBuffer.allocate(2);
                        while (arrived.hasRemaining()) {
                            assertTrue(in.awaitReadable(Attached.SECONDS_5));
                            in.read(arrived);
                        }
                        assertArrayEquals(message, arrived.array());
                    }
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Placement.class)
    void severalThreadsConnectToAListenerThatSeveralAcceptFrom(Placement placement) throws Exception {
        Set<InetSocketAddress> clients = ConcurrentHashMap.newKeySet();
        try (Placement.Networks networks = placement.open();
                PdListener listener = networks.server().listen(Attached.loopback(0), Together.THREADS)) {
            Together.run(thread -> {
                for (int round = 0; round < ROUNDS; round++) {
                    if (thread % 2 == 0) {
                        try (PdConnection out = networks.client().connect(listener.localAddress(), 0)) {
                            assertTrue(
                                    out.awaitReadable(Attached.SECONDS_5), "the end, when it was accepted and closed");
                        }
                    } else {
                        try (PdConnection accepted = listener.accept(Attached.SECONDS_5)) {
                            assertTrue(clients.add(accepted.peerAddress()), "a port twice, or accepted twice");
                        }
                    }
                }
            });
        }
        assertEquals(Together.THREADS / 2 * ROUNDS, clients.size());
    }
}
