// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.FileOfHoles;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.MemoryGroup;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A peer announces more rings than the control group of a server has memory for, as objects without pages whose status
 * says that they have all of them. The server reads none of them, goes on, and serves others.
 */
@Tag("peer")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class PeerHolesTest {
    private static final long MB = 1 << 20;
    private static final int PORT = FixedPort.PEER_HOLES.number();
    private static final int RING_BITS = 22;
    private static final int RINGS = 150;
    private static final int BACKLOG = 256;

    @Test
    void ringsWhosePagesLieBehindTheirEndsAreRefusedAndTakeNoMemory() throws Exception {
        try (MemoryGroup servers = MemoryGroup.of(400 * MB);
                MemoryGroup others = MemoryGroup.of(1000 * MB)) {
            try (ChildJvm server = ChildJvm.start(servers.wrapper(), List.of("-Xmx64m"), Server.class)) {
                server.expect("READY");
                try (ChildJvm honest = HonestPeer.start(PORT)) {
                    honest.expect("CONNECTED");
                    try (ChildJvm hostile = ChildJvm.start(others.wrapper(), List.of("-Xmx64m"), Announcer.class)) {
                        hostile.expect("ANNOUNCED");
                        String failed = server.expect("FAILED");
                        assertTrue(failed.contains("has not allocated"), failed);
                        honest.send("stop");
                        honest.expect("VERIFIED");
                        assertEquals(0, honest.awaitEnd(), () -> "it said " + honest.said());
                    }
                }
                assertTrue(server.isAlive());
            }
            assertEquals(0, servers.killed());
            assertEquals(0, others.killed());
        }
    }

    /**
     * Sends back everything on the first two connections, and reads a byte of each other one. Prints READY, and FAILED
     * with the error of the last one when all but those two have failed.
     */
    static final class Server {
        private Server() {}

        public static void main(String[] arguments) throws Exception {
            PeerListener listener = new PeerNetwork(10_000).listen(TestAddresses.loopback(PORT), BACKLOG);
            System.out.println("READY");
            for (int i = 0; i < HonestPeer.CONNECTIONS; i++) {
                PeerSocket socket = accept(listener);
                Thread.ofPlatform().start(() -> echo(socket));
            }
            PdException last = null;
            for (int i = 0; i < RINGS; i++) {
                try (PeerSocket socket = accept(listener)) {
                    read(socket);
                } catch (PdException e) {
                    last = e;
                    continue;
                }
                System.out.println("READ a ring without pages");
            }
            System.out.println("FAILED " + last.getMessage());
            System.in.read();
            System.exit(0);
        }

        private static PeerSocket accept(PeerListener listener) throws IOException {
            while (true) {
                PeerSocket socket = listener.accept();
                if (socket != null) {
                    return socket;
                }
                Thread.onSpinWait();
            }
        }

        private static void read(PeerSocket socket) throws PdException {
            ByteBuffer one = ByteBuffer.allocate(1);
            while (socket.read(one) == 0) {
                socket.awaitReadable(TimeUnit.SECONDS.toNanos(1));
            }
        }

        private static void echo(PeerSocket socket) {
            try {
                HonestPeer.echo(socket);
            } catch (PdException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Announces the rings, each for a connection of its own, and stays. */
    static final class Announcer {
        private Announcer() {}

        public static void main(String[] arguments) throws Exception {
            InetSocketAddress to = TestAddresses.loopback(PORT);
            RawPeer raw = RawPeer.meet(to);
            for (int slot = 0; slot < RINGS; slot++) {
                FileOfHoles holes = FileOfHoles.create(1 << RING_BITS, SharedRegion.REQUIRED_SEALS);
                raw.connect(slot, 1, TestAddresses.loopback(2), to);
                while (!raw.say(LinkMessageDescriptor.RING, slot + 1, 1 << RING_BITS, holes.fd())) {
                    TimeUnit.MILLISECONDS.sleep(1);
                }
                raw.word(slot, LinkMemoryDescriptor.RING_OFFSET, LinkMemoryDescriptor.ringWord(slot + 1, RING_BITS, 1));
                raw.tail(slot, 1);
            }
            System.out.println("ANNOUNCED");
            System.in.read();
        }
    }
}
