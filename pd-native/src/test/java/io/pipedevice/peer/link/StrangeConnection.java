// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.rendezvous.NetworkProbe;
import io.pipedevice.peer.rendezvous.PeerListener;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.StreamProbe;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.TestAddresses;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;

/**
 * A connection with a peer that breaks the protocol, beside a connection with an honest one, which must not notice: the
 * base of such tests.
 */
abstract class StrangeConnection {
    static final int PATIENCE_MS = 10_000;
    static final int RING = 64 << 10;
    static final int GENERATION = 7;
    static final int SLOT = 3;

    final Leaks leaks = new Leaks();
    final PeerNetwork network = NetworkProbe.network(PATIENCE_MS);
    final PeerNetwork honest = NetworkProbe.network(PATIENCE_MS);
    final List<AutoCloseable> mine = new ArrayList<>();
    PeerListener listener;
    RawPeer raw;

    /** The strange client's connection. */
    PeerSocket in;

    PeerSocket honestOut;
    PeerSocket honestIn;

    @BeforeEach
    void connect() throws Exception {
        listener = network.listen(TestAddresses.loopback(1), 4);
        honestOut = keep(honest.meet(listener.address()).connect(TestAddresses.loopback(2), listener.address()));
        honestIn = keep(listener.accept());
        raw = RawPeer.meet(listener.address());
        raw.connect(SLOT, GENERATION, TestAddresses.loopback(3), listener.address());
        in = keep(listener.accept());
    }

    @AfterEach
    void othersAreServedAndNothingIsLeft() throws Exception {
        try {
            assertOthersAreServed();
        } finally {
            raw.close();
            for (AutoCloseable each : mine) {
                each.close();
            }
            honest.close();
            network.close();
        }
        leaks.awaitNone();
    }

    void assertOthersAreServed() throws Exception {
        assertEquals(1, honestOut.write(ByteBuffer.wrap(new byte[] {42})));
        assertTrue(honestIn.awaitReadable(TimeUnit.SECONDS.toNanos(10)));
        assertEquals(1, read(honestIn));
        keep(honest.meet(listener.address()).connect(TestAddresses.loopback(4), listener.address()));
        PeerSocket accepted = keep(listener.accept());
        while (accepted.peerAddress().getPort() != 4) {
            accepted = keep(listener.accept());
        }
    }

    <T extends AutoCloseable> T keep(T resource) {
        assertNotNull(resource);
        mine.add(resource);
        return resource;
    }

    int read(PeerSocket socket) throws PdException {
        return socket.read(ByteBuffer.allocate(1));
    }

    void write(PeerSocket socket) throws PdException {
        socket.write(ByteBuffer.allocate(1));
    }

    static int errno(Executable call) {
        return assertThrows(PdException.class, call).errno();
    }

    /** Asserts that the link is given up with a reason, and its connections are reset at both ends. */
    void assertGivenUp(String reason) throws Exception {
        await().until(() -> StreamProbe.link(in).isBroken());
        assertTrue(
                StreamProbe.link(in).whyGivenUp().contains(reason),
                StreamProbe.link(in).whyGivenUp());
        PdException e = assertThrows(PdException.class, () -> read(in));
        assertTrue(e.getMessage().contains(reason), e.getMessage());
        assertEquals(Errno.EPROTO, errno(() -> write(in)));
        assertTrue((in.readiness(PdEpoll.IN) & PdEpoll.IN) != 0);
        raw.awaitEnd();
        assertEquals(1, raw.peer.getAcquire(LinkMemoryDescriptor.GIVEN_UP_OFFSET));
    }
}
