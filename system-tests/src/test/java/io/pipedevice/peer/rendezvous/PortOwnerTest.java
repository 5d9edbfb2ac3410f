// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.jdk.Literals;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.peer.link.ClientLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.link.Sweeper;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A name is trusted only if its owner also owns the TCP port. */
@Tag("peer")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class PortOwnerTest {
    private static final int PATIENCE_MS = 60_000;

    /** Far more than the time of an attempt that does not wait, and far less than that of one that waits. */
    private static final long AT_ONCE_MS = PATIENCE_MS / 10;

    private final PeerNetwork network = new PeerNetwork(PATIENCE_MS, PortRule.KERNEL, new Disposal(), new Sweeper());

    /** The TCP port of this process. */
    private ServerSocket port;

    private ChildJvm other;

    @TempDir
    private Path directory;

    @BeforeEach
    void listen() throws IOException {
        port = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        if (other != null) {
            other.close();
        }
        network.close();
        port.close();
    }

    private InetSocketAddress address() {
        return TestAddresses.loopback(port.getLocalPort());
    }

    private void assertRefusedAtOnce(PeerRefusal.Reason reason) {
        long start = System.nanoTime();
        PeerRefusal refusal = assertThrows(PeerRefusal.class, () -> network.meet(address()));
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertEquals(reason, refusal.reason(), refusal::getMessage);
        assertTrue(tookMs < AT_ONCE_MS, "took " + tookMs + " ms");
    }

    private void takeNames() throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may start another user's process");
        other = NameTaker.start(directory, port.getLocalPort());
    }

    @Test
    void namesThatAnotherUserTakesAndDoesNotServeAreNotWaitedFor() throws Exception {
        takeNames();
        assertRefusedAtOnce(PeerRefusal.Reason.OTHER_USER);
        FutureTask<Void> virtual = new FutureTask<>(() -> assertRefusedAtOnce(PeerRefusal.Reason.OTHER_USER), null);
        Thread.ofVirtual().start(virtual);
        virtual.get();
        assertRefusedAtOnce(PeerRefusal.Reason.OTHER_USER);
    }

    @Test
    void namesOfAnotherUserAreFreeAgainWhenItEnds() throws Exception {
        takeNames();
        assertRefusedAtOnce(PeerRefusal.Reason.OTHER_USER);
        other.close();
        try (PeerListener listener = network.listen(address(), 8)) {
            await().ignoreExceptions().until(() -> {
                network.meet(address());
                return listener.isOpen();
            });
        }
    }

    @Test
    void namesThatAreNotTheListenersAreNotTried() throws Exception {
        port.close();
        port = new ServerSocket(0, 8, Literals.address("127.0.0.2"));
        InetSocketAddress at = TestAddresses.of("7f000002", port.getLocalPort());
        takeNames();
        try (PeerListener listener = network.listen(at, 8)) {
            assertTrue(((ClientLink) network.meet(at)).isListening());
            assertTrue(listener.isOpen());
        }
    }

    @Test
    void aProcessOfThisUserWithoutThePortIsRefused() throws Exception {
        other = Impostor.start(port.getLocalPort());
        assertRefusedAtOnce(PeerRefusal.Reason.OTHER_PROCESS);
        assertRefusedAtOnce(PeerRefusal.Reason.OTHER_PROCESS);
        // The process was sent nothing, and its name is free when it ends.
        other.send("HEARD?");
        assertEquals("false", other.expect("HEARD"));
        other.close();
        try (PeerListener listener = network.listen(address(), 8)) {
            await().ignoreExceptions().until(() -> {
                network.meet(address());
                return listener.isOpen();
            });
        }
    }

    @Test
    void aProcessOfAnotherPidNamespaceIsJudgedByItsUser() throws Exception {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may make a PID namespace");
        // The kernel does not show which of several such processes of one user has the port.
        other = ChildJvm.start(
                List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc"),
                List.of(),
                Client.class,
                Integer.toString(port.getLocalPort()));
        try (PeerListener listener = network.listen(address(), 8)) {
            other.send("MEET");
            assertEquals("true", other.expect("MET"));
            assertTrue(listener.isOpen());
        }
    }

    @Test
    void aPortThatWasGivenUpIsNotConnectedToThroughAnOldLink() throws Exception {
        InetSocketAddress at = address();
        try (PeerListener listener = network.listen(at, 8)) {
            ClientLink link = (ClientLink) network.meet(at);
            port.close();
            await().untilAsserted(() -> {
                PeerRefusal refusal = assertThrows(PeerRefusal.class, () -> network.meet(at));
                assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, refusal.reason());
            });
            assertTrue(link.isListening() && listener.isOpen(), "the existing link and listener stay");
        }
    }

    @Test
    void theListenersNameIsReachedAlsoIfAnotherUserHasTheOther() throws Exception {
        // A TCP socket for both families, whose program listens at the IPv4 name.
        port.close();
        port = new ServerSocket(0, 8);
        try (PeerListener listener = network.listen(TestAddresses.of("00000000", port.getLocalPort()), 8)) {
            takeNames();
            assertTrue(((ClientLink) network.meet(address())).isListening());
            assertTrue(listener.isOpen());
        }
    }

    /** Connects to the listener at a port. */
    static final class Client {
        public static void main(String[] arguments) throws IOException {
            System.in.read();
            InetSocketAddress to = TestAddresses.loopback(Integer.parseInt(arguments[0]));
            try (PeerNetwork network = new PeerNetwork(PATIENCE_MS, PortRule.KERNEL, new Disposal(), new Sweeper())) {
                System.out.println("MET " + ((ClientLink) network.meet(to)).isListening());
            }
        }
    }
}
