// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdListener;
import io.pipedevice.test.Together;
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
                            PdConnection in = listener.accept(Attached.PATIENCE_NS)) {
                        assertEquals(2, out.write(ByteBuffer.wrap(message)));
                        assertArrayEquals(message, receive(in));
                    }
                }
            });
        }
    }

    private static byte[] receive(PdConnection from) throws PdException {
        ByteBuffer arrived = ByteBuffer.allocate(2);
        while (arrived.hasRemaining()) {
            assertTrue(from.awaitReadable(Attached.PATIENCE_NS));
            from.read(arrived);
        }
        return arrived.array();
    }

    @ParameterizedTest
    @EnumSource(Placement.class)
    void severalThreadsConnectToAListenerThatSeveralAcceptFrom(Placement placement) throws Exception {
        // The ports do not identify connections: other connections get them after a close.
        Set<ByteBuffer> clients = ConcurrentHashMap.newKeySet();
        try (Placement.Networks networks = placement.open();
                PdListener listener = networks.server().listen(Attached.loopback(0), Together.THREADS)) {
            Together.run(thread -> {
                for (int round = 0; round < ROUNDS; round++) {
                    if (thread % 2 == 0) {
                        byte[] name = {(byte) thread, (byte) round};
                        try (PdConnection out = networks.client().connect(listener.localAddress(), 0)) {
                            assertEquals(2, out.write(ByteBuffer.wrap(name)));
                            assertTrue(
                                    out.awaitReadable(Attached.PATIENCE_NS),
                                    "the end, when it was accepted and closed");
                        }
                    } else {
                        try (PdConnection accepted = listener.accept(Attached.PATIENCE_NS)) {
                            assertTrue(clients.add(ByteBuffer.wrap(receive(accepted))), "accepted twice");
                        }
                    }
                }
            });
        }
        assertEquals(Together.THREADS / 2 * ROUNDS, clients.size());
    }
}
