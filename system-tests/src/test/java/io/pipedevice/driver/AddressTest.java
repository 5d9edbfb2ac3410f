// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static io.pipedevice.driver.TestDriver.loopback;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.jdk.Literals;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each network namespace has its own addresses and ports, with the same meaning as for TCP. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class AddressTest {
    private static final int RING = 4096;

    private TestDriver driver;
    private RawClient one;
    private RawClient two;

    @BeforeEach
    void attach() throws IOException {
        driver = new TestDriver();
        one = driver.attach();
        two = driver.attach();
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        one.close();
        two.close();
        try {
            driver.awaitNothingLeft();
        } finally {
            driver.close();
        }
    }

    private static InetSocketAddress address(String host, int port) {
        return new InetSocketAddress(Literals.address(host), port);
    }

    private static void assertInUse(RawClient client, InetSocketAddress address) throws IOException {
        RawSocket socket = client.socket();
        assertEquals(Errno.EADDRINUSE, assertThrows(RawException.class, () -> socket.bind(address)).errno);
        socket.close();
    }

    private static int bind(RawClient client, String host, int port) throws IOException {
        RawSocket socket = client.socket();
        socket.bind(address(host, port));
        return socket.local.getPort();
    }

    private void assertConnects(RawSocket listener, InetSocketAddress to) throws IOException {
        RawSocket client = two.socket().connect(to, RING, RING);
        RawSocket server = listener.accept(RING);
        client.writeFully(new byte[] {1, 2, 3});
        assertArrayEquals(new byte[] {1, 2, 3}, server.readFully(3));
        assertEquals(client.local, server.peer);
        assertEquals(client.peer, server.local);
    }

    private void assertRefused(InetSocketAddress to) throws IOException {
        RawSocket client = two.socket();
        RawException refused = assertThrows(RawException.class, () -> client.connect(to, RING, RING));
        assertEquals(Errno.ECONNREFUSED, refused.errno, refused.getMessage());
    }

    @Test
    void aPortIsTakenOnce() throws IOException {
        int port = bind(one, "127.0.0.1", 0);
        assertInUse(one, loopback(port));
        assertInUse(two, loopback(port));
        bind(two, "127.0.0.2", port);
        bind(two, "::1", port);
    }

    @Test
    void theWildcardTakesAPortOfAllAddressesOfItsFamily() throws IOException {
        int port = bind(one, "0.0.0.0", 0);
        assertInUse(two, loopback(port));
        assertInUse(two, address("127.0.0.2", port));
        bind(two, "::1", port);
        int other = bind(one, "127.0.0.1", 0);
        assertInUse(two, address("0.0.0.0", other));
    }

    @Test
    void theWildcardOfIpv6IsThatOfIpv4AsWell() throws IOException {
        int port = bind(one, "::", 0);
        assertInUse(two, loopback(port));
        assertInUse(two, address("0.0.0.0", port));
        assertInUse(two, address("::1", port));
    }

    @Test
    void aPortIsFreeAfterClose() throws IOException {
        for (int i = 0; i < 5; i++) {
            RawSocket socket = one.listen(loopback(12_345), 1, RING);
            assertInUse(two, loopback(12_345));
            socket.close();
            TestDriver.await("its release", socket::isReleased);
        }
        one.listen(loopback(12_345), 1, RING);
        one.close();
        driver.awaitCounter(CounterType.PROCESSES, 1);
        two.listen(loopback(12_345), 1, RING);
    }

    @Test
    void ephemeralPortsAreDifferentAndInRange() throws IOException {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            int port = bind(one, "127.0.0.1", 0);
            assertTrue(port >= 32_768 && port <= 60_999, "port " + port);
            assertTrue(ports.add(port), "twice: " + port);
        }
    }

    @Test
    void aSocketThatListensUnboundGetsAPort() throws IOException {
        RawSocket listener = one.socket();
        listener.listen(4, RING);
        assertNotEquals(0, listener.local.getPort());
        assertConnects(listener, loopback(listener.local.getPort()));
        listener.listen(1, RING);
        two.socket().connect(loopback(listener.local.getPort()), RING, RING);
        assertRefused(loopback(listener.local.getPort()));
    }

    @Test
    void aListenerIsReachedAtItsAddressOnly() throws IOException {
        RawSocket listener = one.listen(loopback(0), 4, RING);
        int port = listener.local.getPort();
        assertConnects(listener, loopback(port));
        assertConnects(listener, address("0.0.0.0", port));
        assertRefused(address("127.0.0.2", port));
        assertRefused(address("::1", port));
        assertRefused(loopback(port == 1 ? 2 : port - 1));
    }

    @Test
    void aWildcardListenerIsReachedAtEveryAddressOfItsFamily() throws IOException {
        RawSocket listener = one.listen(address("0.0.0.0", 0), 4, RING);
        int port = listener.local.getPort();
        assertConnects(listener, loopback(port));
        assertConnects(listener, address("127.0.0.2", port));
        assertRefused(address("::1", port));
        RawSocket both = one.listen(address("::", 0), 4, RING);
        assertConnects(both, loopback(both.local.getPort()));
        assertConnects(both, address("::1", both.local.getPort()));
    }

    @Test
    void theMoreSpecificListenerIsPreferred() throws IOException {
        RawSocket specific = one.listen(address("127.0.0.2", 0), 4, RING);
        RawSocket ipv6 = one.listen(address("::1", specific.local.getPort()), 4, RING);
        assertConnects(specific, specific.local);
        assertConnects(ipv6, ipv6.local);
    }

    @Test
    void aBoundClientKeepsItsPort() throws IOException {
        RawSocket listener = one.listen(loopback(0), 4, RING);
        RawSocket client = two.socket();
        client.bind(address("0.0.0.0", 0));
        int port = client.local.getPort();
        client.connect(listener.local, RING, RING);
        assertEquals(loopback(port), client.local);
    }

    /** The ports of failed connections are free again. */
    @Test
    void aFailedConnectLeavesNoPortBehind() throws IOException {
        try (TestDriver poor = new TestDriver(new DriverContext().maxMemory(4 << 20));
                RawClient client = poor.attach()) {
            RawSocket listener = client.listen(loopback(0), 4, RING);
            for (int i = 0; i < 300; i++) {
                RawSocket socket = client.socket();
                // The largest receive ring exceeds the quota.
                RawException refused = assertThrows(
                        RawException.class, () -> socket.connect(listener.local, RING, RingBuffer.MAX_SIZE));
                assertEquals(Errno.ENOBUFS, refused.errno);
                socket.bind(loopback(0));
                socket.close();
            }
            int taken = 0;
            // If each had left a port behind, some of these ports would be taken.
            for (int port = 32_768; port < 34_768; port++) {
                RawSocket socket = client.socket();
                try {
                    socket.bind(loopback(port));
                } catch (RawException e) {
                    taken++;
                }
                socket.close();
            }
            assertTrue(taken <= 1, "ports that are taken, one perhaps by the listener: " + taken);
        }
    }

    @Test
    void anotherNetworkNamespaceHasItsOwnLoopback() throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may make a network namespace");
        RawSocket listener = one.listen(loopback(0), 4, RING);
        int port = listener.local.getPort();
        try (ChildJvm child = child("ip link set lo up", port)) {
            assertEquals("ECONNREFUSED", child.expect("connect to 127.0.0.1"));
            assertEquals("bound", child.expect("bind"));
            assertEquals("EADDRNOTAVAIL", child.expect("bind 10.211.7.1"));
            assertEquals("connected", child.expect("connect to itself"));
            assertEquals(Errno.EAGAIN, assertThrows(RawException.class, listener::accept).errno);
            assertConnects(listener, listener.local);
            child.send("end");
            assertEquals(0, child.awaitEnd());
        }
    }

    @Test
    void anAddressThatAnotherNetworkNamespaceGivesItselfIsNotReached() throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may make a network namespace");
        try (ChildJvm child = child("ip link set lo up; ip address add 10.211.7.1/32 dev lo", 12_346)) {
            assertEquals("ECONNREFUSED", child.expect("connect to 127.0.0.1"));
            assertEquals("bound", child.expect("bind"));
            assertEquals("bound", child.expect("bind 10.211.7.1"));
            child.expect("connect to itself");
            assertRefused(address("10.211.7.1", 12_347));
            assertRefused(address("10.211.7.1", 12_346));
            child.send("end");
            assertEquals(0, child.awaitEnd());
        }
    }

    private ChildJvm child(String setUp, int port) throws IOException {
        return ChildJvm.start(
                List.of("unshare", "-n", "sh", "-c", setUp + "; exec \"$@\"", "sh"),
                List.of(),
                Elsewhere.class,
                driver.directory.toString(),
                Integer.toString(port));
    }

    /** A process in another network namespace, which reports what it finds. */
    static final class Elsewhere {
        private Elsewhere() {}

        public static void main(String[] args) throws IOException {
            int port = Integer.parseInt(args[1]);
            try (RawClient client = RawClient.attach(TestDriver.endpoint(Path.of(args[0])))) {
                report("connect to 127.0.0.1", () -> {
                    client.socket().connect(loopback(port), RING, RING);
                    return "connected";
                });
                RawSocket listener = client.socket();
                report("bind", () -> {
                    listener.bind(loopback(port));
                    return "bound";
                });
                RawSocket other = client.socket();
                report("bind 10.211.7.1", () -> {
                    other.bind(address("10.211.7.1", port + 1));
                    other.listen(2, RING);
                    return "bound";
                });
                report("connect to itself", () -> {
                    listener.listen(2, RING);
                    client.socket().connect(listener.local, RING, RING);
                    return "connected";
                });
                System.in.read();
            }
        }

        private interface Step {
            String run() throws IOException;
        }

        private static void report(String what, Step step) throws IOException {
            try {
                System.out.println(what + " " + step.run());
            } catch (RawException e) {
                System.out.println(what + " " + Errno.name(e.errno));
            }
        }
    }
}
