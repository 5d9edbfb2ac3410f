// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.ReadableClassPath;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes of other users, of users that the kernel cannot distinguish, and of other network namespaces. */
@Tag("peer")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class OtherUserTest {
    private static final int PATIENCE_MS = 10_000;
    private static final int PORT = FixedPort.OTHER_USER.number();

    private final Leaks leaks = new Leaks();
    private final PeerNetwork network = new PeerNetwork(PATIENCE_MS);

    @TempDir
    private Path directory;

    private ChildJvm stranger;

    @BeforeEach
    void onlyRootCanBeSomebodyElse() {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may become another user, or make a network namespace");
    }

    @AfterEach
    void nothingIsLeft() {
        if (stranger != null) {
            stranger.close();
        }
        network.close();
        leaks.awaitNone();
    }

    private void start(List<String> wrapper, String role) throws IOException {
        stranger = ChildJvm.start(wrapper, List.of(), ReadableClassPath.in(directory), Stranger.class, role);
    }

    private static List<String> user(int uid) {
        return List.of("setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups");
    }

    private void listen() throws PdException {
        network.listen(TestAddresses.loopback(PORT), 8);
    }

    private PeerListener listener() throws PdException {
        return network.listen(TestAddresses.loopback(PORT), 8);
    }

    @Test
    void anotherUserWhoTakesTheNameReceivesNothing() throws Exception {
        start(user(65533), "squat");
        stranger.expect("READY");
        PeerRefusal refusal = assertThrows(PeerRefusal.class, () -> network.meet(TestAddresses.loopback(PORT)));
        assertEquals(PeerRefusal.Reason.OTHER_USER, refusal.reason());
        assertEquals("0 bytes", stranger.expect("HEARD"));
        assertThrows(PdException.class, this::listen);
    }

    @Test
    void anotherUsersClientIsRefused() throws Exception {
        try (PeerListener listener = listener()) {
            start(user(65533), "say");
            assertEquals("OTHER_USER", stranger.expect("REFUSED"));
            assertNull(listener.accept());
        }
    }

    @Test
    void anotherUsersClientRefusesTheListener() throws Exception {
        try (PeerListener listener = listener()) {
            start(user(65533), "meet");
            assertEquals("OTHER_USER", stranger.expect("REFUSED"));
            assertNull(listener.accept());
        }
    }

    @Test
    void theOverflowUserIsRefusedEvenByItself() throws Exception {
        start(user(65534), "meet itself");
        assertEquals("OTHER_USER", stranger.expect("REFUSED"));
    }

    @Test
    void anotherOverflowUidIsRefusedEvenByItself() throws Exception {
        Path file = Files.writeString(directory.resolve("overflowuid"), "65533");
        String mount = "mount --bind " + file + " /proc/sys/kernel/overflowuid && exec \"$@\"";
        List<String> wrapper = new ArrayList<>(List.of("unshare", "--mount", "sh", "-c", mount, "sh"));
        wrapper.addAll(user(65533));
        start(wrapper, "meet itself");
        assertEquals("OTHER_USER", stranger.expect("REFUSED"));
    }

    @Test
    void aProcessInAnotherUserNamespaceRefusesTheListener() throws Exception {
        Process possible = new ProcessBuilder("unshare", "-U", "true").start();
        assumeTrue(possible.waitFor() == 0, "there are no user namespaces");
        try (PeerListener listener = listener()) {
            start(List.of("unshare", "-U"), "meet");
            assertEquals("OTHER_USER", stranger.expect("REFUSED"));
            assertNull(listener.accept());
        }
    }

    @Test
    void aProcessInAnotherNetworkNamespaceFindsNoListener() throws Exception {
        try (PeerListener listener = listener()) {
            start(List.of("unshare", "-n"), "meet");
            assertEquals("NO_RENDEZVOUS", stranger.expect("REFUSED"));
            assertNull(listener.accept());
        }
    }

    @Test
    void anotherNetworkNamespaceHasTheSameNamesForItself() throws Exception {
        try (PeerListener listener = listener()) {
            start(List.of("unshare", "-n"), "meet itself");
            stranger.expect("MET");
            assertNull(listener.accept());
        }
    }

    /** A process of another user or namespace. Argument: its role. */
    static final class Stranger {
        private Stranger() {}

        public static void main(String[] arguments) throws IOException {
            InetSocketAddress address = TestAddresses.loopback(PORT);
            switch (arguments[0]) {
                case "squat" -> squat(address);
                case "say" -> say(address);
                case "meet" -> meet(address);
                default -> {
                    try (PeerNetwork own = new PeerNetwork(PATIENCE_MS)) {
                        own.listen(address, 8);
                        meet(address);
                    }
                }
            }
            System.exit(0);
        }

        private static void squat(InetSocketAddress address) throws IOException {
            try (UnixSocket listener = RawPeer.listen(address)) {
                System.out.println("READY");
                try (UnixSocket client = listener.accept()) {
                    Poll poll = new Poll(1);
                    poll.add(client.fd(), Poll.IN);
                    poll.await(PATIENCE_MS);
                    System.out.println("HEARD " + new LinkMessage(new Disposal()).receive(client) + " bytes");
                }
                System.in.read();
            }
        }

        private static void say(InetSocketAddress address) throws IOException {
            try (RawPeer raw = RawPeer.connect(address)) {
                raw.introduce(LinkMessageDescriptor.HELLO);
                raw.awaitMessage();
                System.out.println(
                        raw.message.type() == LinkMessageDescriptor.REFUSE
                                ? "REFUSED " + PeerRefusal.Reason.of(raw.message.number())
                                : "MET");
            }
        }

        private static void meet(InetSocketAddress address) {
            try (PeerNetwork network = new PeerNetwork(PATIENCE_MS)) {
                network.meet(address);
                System.out.println("MET");
            } catch (PeerRefusal e) {
                System.out.println("REFUSED " + e.reason());
            }
        }
    }
}
