// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.TestAddresses;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a peer can write into a program's log is bounded, however many links it makes. */
@Tag("peer")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class LogBoundPeerTest {
    private static final Logger PEERS = Logger.getLogger("io.pipedevice.peer");
    private static final int PORT = FixedPort.LOG_BOUND.number();
    private static final int LINKS = 200;

    /** What a peer can cause: its links are given up, and it breaks the protocol. */
    private static final int KINDS = 2;

    private final List<String> warnings = new CopyOnWriteArrayList<>();

    private final Handler recorder = new Handler() {
        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
                warnings.add(line.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @Test
    void aPeerThatBreaksTheProtocolOnEachLinkCausesOneLineAMinuteOfEachKind() throws Exception {
        PEERS.addHandler(recorder);
        PEERS.setUseParentHandlers(false);
        Leaks leaks = new Leaks();
        long startNs = System.nanoTime();
        int broken = 0;
        PeerNetwork network = new PeerNetwork(1000);
        try (PeerListener listener = network.listen(TestAddresses.loopback(PORT), 64);
                ChildJvm noisy = ChildJvm.start(NoisyPeer.class, Integer.toString(PORT), Integer.toString(LINKS))) {
            while (noisy.isAlive()) {
                PeerSocket socket = listener.accept(TimeUnit.MILLISECONDS.toNanos(100));
                if (socket != null) {
                    broken += isBroken(socket) ? 1 : 0;
                    socket.close();
                }
            }
            assertTrue(noisy.hasSaid("DONE"), () -> "it said " + noisy.said());
        } finally {
            network.close();
            PEERS.removeHandler(recorder);
            PEERS.setUseParentHandlers(true);
        }
        leaks.awaitNone();
        long minutes = 1 + TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - startNs);
        System.out.println(broken + " broken connections, warnings: " + warnings);
        assertTrue(broken > LINKS / 2, broken + " connections were found broken");
        assertTrue(warnings.size() <= KINDS * minutes, () -> warnings.size() + " warnings: " + warnings);
    }

    private static boolean isBroken(PeerSocket socket) {
        try {
            return socket.read(ByteBuffer.allocate(100)) == PdSocket.END_OF_STREAM;
        } catch (PdException e) {
            return true;
        }
    }
}
