// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.PeerLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerName;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.StreamProbe;
import io.pipedevice.test.HeldWatch;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.TestAddresses;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process is killed: the other one learns of it at once, keeps the bytes that were sent before, and no other
 * resources.
 */
@Tag("peer")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PeerDeathTest {
    private static final int PATIENCE_MS = 10_000;
    private static final int CHILD_PORT = FixedPort.DEATH_OF_CHILD.number();
    private static final int OWN_PORT = FixedPort.DEATH_OF_OTHER.number();

    private final Leaks leaks = new Leaks();
    private final PeerNetwork network = new PeerNetwork(PATIENCE_MS);
    private Process child;

    @AfterEach
    void leavesNothing() {
        if (child != null) {
            kill();
        }
        network.close();
        leaks.awaitNone();
    }

    private void kill() {
        child.destroyForcibly();
        child.onExit().orTimeout(PATIENCE_MS, TimeUnit.MILLISECONDS).join();
    }

    /** Starts a process and waits until it has played its role. */
    private void start(String role) throws IOException {
        child = new ProcessBuilder(List.of(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName(),
                        role))
                .redirectError(Redirect.INHERIT)
                .start();
        BufferedReader output = child.inputReader(StandardCharsets.UTF_8);
        assertEquals("READY", output.readLine());
    }

    @Test
    void aServerThatIsKilledBreaksTheLinkAndItsNameIsFree() throws Exception {
        start("listen");
        PeerLink link = network.meet(TestAddresses.loopback(CHILD_PORT));
        try (PeerSocket socket = link.connect(TestAddresses.loopback(3), TestAddresses.loopback(CHILD_PORT))) {
            kill();
            await().until(() -> StreamProbe.link(socket).isBroken());
            PeerRefusal refusal =
                    assertThrows(PeerRefusal.class, () -> network.meet(TestAddresses.loopback(CHILD_PORT)));
            assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, refusal.reason());
        }
        network.listen(TestAddresses.loopback(CHILD_PORT), 8).close();
    }

    @Test
    void aServerThatIsKilledIsNotConnectedToWhenTheWatchingThreadIsLate() throws Exception {
        start("listen");
        network.meet(TestAddresses.loopback(CHILD_PORT));
        HeldWatch.during(() -> {
            kill();
            PeerRefusal refusal =
                    assertThrows(PeerRefusal.class, () -> network.meet(TestAddresses.loopback(CHILD_PORT)));
            assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, refusal.reason());
        });
    }

    @Test
    void aClientThatIsKilledBreaksTheLinkAndWhatItSentCanBeRead() throws Exception {
        try (PeerListener listener = network.listen(TestAddresses.loopback(OWN_PORT), 8)) {
            start("connect");
            kill();
            try (PeerSocket accepted = listener.accept()) {
                assertNotNull(accepted);
                await().until(() -> StreamProbe.link(accepted).isBroken());
                int ring = LinkMemoryDescriptor.baseRing(StreamProbe.slot(accepted));
                assertEquals(42, StreamProbe.link(accepted).peer().bytes().get(ring));
            }
            assertNull(listener.accept());
        }
    }

    @Test
    void aClientThatIsKilledBeforeItsHelloLeavesNothing() throws Exception {
        try (PeerListener listener = network.listen(TestAddresses.loopback(OWN_PORT), 8)) {
            start("silence");
            kill();
            assertNull(listener.accept());
            network.meet(listener.address());
        }
    }

    /** The process that is killed. */
    static final class Victim {
        private Victim() {}

        public static void main(String[] arguments) throws Exception {
            try (PeerNetwork network = new PeerNetwork(PATIENCE_MS)) {
                switch (arguments[0]) {
                    case "listen" -> network.listen(TestAddresses.loopback(CHILD_PORT), 8);
                    case "connect" -> {
                        PeerSocket socket = network.meet(TestAddresses.loopback(OWN_PORT))
                                .connect(TestAddresses.loopback(3), TestAddresses.loopback(OWN_PORT));
                        StreamProbe.link(socket)
                                .own()
                                .bytes()
                                .put(LinkMemoryDescriptor.baseRing(StreamProbe.slot(socket)), (byte) 42);
                    }
                    default ->
                        UnixSocket.connect(UnixSocket.Type.SEQPACKET, PeerName.of(TestAddresses.loopback(OWN_PORT)));
                }
                System.out.println("READY");
                System.in.read();
            }
        }
    }
}
