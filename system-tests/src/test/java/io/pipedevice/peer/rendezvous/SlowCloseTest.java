// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.ReadableClassPath;
import io.pipedevice.test.TestAddresses;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes send descriptors whose close blocks to a server with a limit of 1024 descriptors. Whatever they send and
 * however often they come, the server has descriptors and threads left for others.
 */
@Tag("peer")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class SlowCloseTest {
    private static final int PORT = FixedPort.SLOW_CLOSE.number();
    private static final int PATIENCE_MS = 5_000;

    /** Half of the server's limit: a little more than an attacker can make it keep. */
    private static final int MOST_DESCRIPTORS = 512;

    private static final List<String> STRANGER = List.of("setpriv", "--reuid=65533", "--regid=65533", "--clear-groups");

    @TempDir
    private Path directory;

    private ChildJvm server;
    private ChildJvm attacker;
    private int before;

    @AfterEach
    void end() {
        // The attacker's end resets the lingering sockets, and the server can close them.
        if (attacker != null) {
            attacker.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private void serve(String how) throws Exception {
        server = ChildJvm.start(List.of("prlimit", "--nofile=1024:1024"), List.of(), SlowCloseServer.class, how);
        server.expect("LISTENING");
        try (PeerNetwork network = new PeerNetwork(PATIENCE_MS)) {
            exchange(network);
        }
        before = held();
    }

    private void attack(List<String> wrapper, String how) throws IOException {
        String classPath = wrapper.isEmpty() ? System.getProperty("java.class.path") : ReadableClassPath.in(directory);
        attacker = ChildJvm.start(wrapper, List.of(), classPath, SlowCloser.class, Integer.toString(PORT), how);
        attacker.expect("DONE");
    }

    /** Makes a new link and a new connection, and sends a byte there and back. */
    private static void exchange(PeerNetwork network) throws IOException {
        var to = TestAddresses.loopback(PORT);
        try (PeerSocket socket = network.meet(to).connect(TestAddresses.loopback(7), to)) {
            assertEquals(1, socket.write(ByteBuffer.wrap(new byte[] {42})));
            ByteBuffer echo = ByteBuffer.allocate(1);
            while (echo.hasRemaining()) {
                assertTrue(socket.awaitReadable(TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS)), "no echo");
                assertTrue(socket.read(echo) >= 0, "no echo, but the end");
            }
        }
    }

    private void assertOthersAreServed() throws IOException {
        for (int i = 0; i < 3; i++) {
            try (PeerNetwork network = new PeerNetwork(PATIENCE_MS)) {
                exchange(network);
            }
        }
    }

    private void assertFewDescriptors() throws IOException {
        int now = held();
        assertTrue(now < MOST_DESCRIPTORS, now + " descriptors");
    }

    private void assertNothingStays() {
        attacker.close();
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(
                        () -> assertTrue(held() <= before, () -> "more than " + before + " descriptors: " + targets()));
    }

    /** The number of kernel objects that the server has open, without files, which the JVM opens at any time. */
    private int held() throws IOException {
        int count = 0;
        for (String target : targets()) {
            count += target.startsWith("/") && !target.startsWith("/memfd:") ? 0 : 1;
        }
        return count;
    }

    private List<String> targets() {
        List<String> targets = new ArrayList<>();
        for (String name : new File("/proc/" + server.pid() + "/fd").list()) {
            try {
                targets.add(Files.readSymbolicLink(Path.of("/proc/" + server.pid() + "/fd", name))
                        .toString());
            } catch (IOException e) {
                targets.add("/closed");
            }
        }
        return targets;
    }

    private static void onlyWhereDescriptorsCanBeRefused() throws IOException {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        boolean can = pair[0].passRights(true);
        pair[0].close();
        pair[1].close();
        assumeTrue(can, "Linux before 6.16 cannot refuse descriptors");
    }

    @Test
    void nothingOfAnotherUserIsTakenOrClosed() throws Exception {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may become another user");
        onlyWhereDescriptorsCanBeRefused();
        serve("guarded");
        attack(STRANGER, "hello");
        assertOthersAreServed();
        assertTrue(held() < before + 20);
        server.send("strangers");
        assertTrue(Integer.parseInt(server.expect("STRANGERS")) > 100);
        assertNothingStays();
    }

    @Test
    void beforeLinux616AnotherUserTakesABoundedNumberOfDescriptors() throws Exception {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may become another user");
        serve("unguarded");
        attack(STRANGER, "hello");
        assertFewDescriptors();
        assertNothingStays();
        assertOthersAreServed();
    }

    @Test
    void aClientOfTheSameUserThatSendsThemInItsHelloIsServedNoMore() throws Exception {
        serve("guarded");
        attack(List.of(), "hello");
        assertOthersAreServed();
        assertFewDescriptors();
        assertNothingStays();
    }

    @Test
    void aPeerThatAnnouncesInvalidRingsIsGivenUp() throws Exception {
        serve("guarded");
        attack(List.of(), "ring");
        assertOthersAreServed();
        assertFewDescriptors();
        assertNothingStays();
    }

    @Test
    void aClientOfTheSameUserThatRingsWithThemIsRefusedByTheKernel() throws Exception {
        onlyWhereDescriptorsCanBeRefused();
        serve("guarded");
        attack(List.of(), "bell");
        assertOthersAreServed();
        assertTrue(held() < before + 20);
        assertNothingStays();
    }
}
