// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.peer.ring.RingLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The two sockets of a connection, over links that are played: the base of the tests of {@link PeerSocket}. */
abstract class ConnectedSockets {
    static final int SLOT = 7;
    static final int GENERATION = 3;
    static final InetSocketAddress A = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    static final InetSocketAddress B = new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);
    static final int MAX_RING = 256 << 10;

    FakeLink here;
    FakeLink there;
    PeerSocket a;
    PeerSocket b;

    @BeforeEach
    void connect() throws IOException {
        FakeLink[] links = FakeLink.pair();
        here = links[0];
        there = links[1];
        here.open(SLOT, GENERATION);
        a = new PeerSocket(here, SLOT, GENERATION, A, B, RingLimits.of(MAX_RING));
        here.socket = a;
    }

    void accept() {
        there.open(SLOT, GENERATION);
        b = new PeerSocket(there, SLOT, GENERATION, B, A, RingLimits.of(MAX_RING));
        there.socket = b;
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    static ByteBuffer bytes(int length) {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        return ByteBuffer.wrap(content);
    }

    static void assertReads(ByteBuffer expected, PeerSocket from) throws PdException {
        ByteBuffer read = ByteBuffer.allocate(expected.capacity());
        while (read.hasRemaining()) {
            assertTrue(from.read(read) > 0);
        }
        assertEquals(expected.rewind(), read.flip());
    }
}
