// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.channels.SocketChannel;

/** Checks the transport of a connection, because a test of rings that ran on the kernel would prove nothing. */
final class Transports {
    private Transports() {}

    static void check(Pairing pairing, Connection connection) {
        assertEquals(pairing.accelerated(), onRings(connection.client()), () -> connection.client() + " on rings");
        assertEquals(pairing.accelerated(), onRings(connection.server()), () -> connection.server() + " on rings");
    }

    static boolean onRings(SocketChannel channel) {
        return channel.toString().contains("rings");
    }
}
