// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static io.pipedevice.test.Namespaces.in;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.program.RelayProgram;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.Namespaces;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connections to addresses that the client's own network namespace has, as a host's are. Rules of the packet filter
 * lead some of them to a server in another namespace, as Docker and Podman publish a container's port on the host.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OwnAddressesTest extends NamespacesFixture {
    private static final String LOOPBACK = "127.0.0.1";

    /** Of the host, and of no network. */
    private static final String OWN = "198.51.100.7";

    private static final int PUBLISHED = 9000;
    private static final int REDIRECTED = 9001;

    /** Some more than the connections after which the driver is not asked any more. */
    private static final int SOME = 12;

    @BeforeEach
    void giveTheHostAnAddress() throws IOException {
        in(router, "ip address add " + OWN + "/32 dev lo");
    }

    /** A program in the namespace of the host. */
    private ChildJvm onHost(List<String> flags) throws IOException {
        return program(Namespaces.wrapper(router.pid()), flags);
    }

    /** Leads connections to the published port, of any address of the host, to the first station. */
    private void publish() throws IOException {
        in(
                router,
                "sysctl -qw net.ipv4.conf.all.route_localnet=1; nft add table ip nat; "
                        + "nft 'add chain ip nat out { type nat hook output priority -100; }'; "
                        + "nft 'add chain ip nat post { type nat hook postrouting priority 100; }'; "
                        + "nft 'add rule ip nat out fib daddr type local tcp dport " + PUBLISHED + " dnat to "
                        + address(1) + ":" + PORT + "'; "
                        + "nft 'add rule ip nat post ip saddr 127.0.0.0/8 ip daddr " + address(1) + " masquerade'");
    }

    /** The address without the port. */
    private static String host(String address) {
        return address.substring(0, address.lastIndexOf(':'));
    }

    private static String port(String address) {
        return address.substring(address.lastIndexOf(':'));
    }

    /** The addresses are those that two programs without PipeDevice see, but for the client's port. */
    private static void assertAddresses(List<String[]> plain, List<String[]> ends) {
        assertEquals(plain.get(0)[1], ends.get(0)[1]);
        assertEquals(plain.get(1)[0], ends.get(1)[0]);
        assertEquals(host(plain.get(0)[0]), host(ends.get(0)[0]));
        assertEquals(host(plain.get(1)[1]), host(ends.get(1)[1]));
        assertEquals(port(ends.get(0)[0]), port(ends.get(1)[1]));
    }

    @ParameterizedTest
    @CsvSource({"direct, connect, accept", "direct, begin, select", "device, connect, accept", "device, begin, select"})
    void aPortThatIsPublishedAtAnOwnAddressLeadsToRings(String path, String connect, String accept) throws IOException {
        assumeNft();
        startDriver("-Dpipedevice.driver.path=" + path);
        ChildJvm server = station(1, accelerated());
        ChildJvm client = onHost(accelerated());
        ChildJvm plain = onHost(List.of());
        publish();
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        for (String address : List.of(LOOPBACK, OWN)) {
            String to = " " + address + " " + PUBLISHED;
            List<String[]> seen = join(plain, connect + to, server, accept);
            assertEquals("tcp", seen.get(0)[2]);
            close(plain, server);
            for (int i = 0; i < SOME; i++) {
                List<String[]> ends = joinByRings(client, connect + to, server, accept);
                assertEquals(path, ends.get(0)[3]);
                assertEquals(path, ends.get(1)[3]);
                assertAddresses(seen, ends);
                assertStreamBothWays(client, server);
                close(client, server);
            }
        }
    }

    /** As Docker's proxy, or what Podman keeps the port with: it listens, and the rules lead past it. */
    @Test
    void aProgramThatOnlyKeepsThePortIsPassedOver() throws IOException {
        assumeNft();
        startDriver();
        ChildJvm server = station(1, accelerated());
        ChildJvm client = onHost(accelerated());
        ChildJvm keeper = onHost(List.of());
        assertEquals("LISTENS", say(keeper, "listen 0.0.0.0 " + PUBLISHED));
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        joinStranger(client, "connect " + OWN + " " + PUBLISHED, keeper, "accept");
        close(client, keeper);
        publish();
        for (String address : List.of(LOOPBACK, OWN)) {
            joinByRings(client, "connect " + address + " " + PUBLISHED, server, "accept");
            assertStreamBothWays(client, server);
            close(client, server);
        }
    }

    @ParameterizedTest
    @CsvSource({"connect, accept", "begin, select"})
    void aServerWithoutPipeDeviceBehindThePortIsServedByTheKernel(String connect, String accept) throws IOException {
        assumeNft();
        startDriver();
        ChildJvm server = station(1, List.of());
        ChildJvm client = onHost(accelerated());
        publish();
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        for (int i = 0; i < 3; i++) {
            for (String address : List.of(LOOPBACK, OWN)) {
                List<String[]> ends = joinStranger(client, connect + " " + address + " " + PUBLISHED, server, accept);
                assertEquals("tcp", ends.get(1)[2]);
                assertEquals("/" + address + ":" + PUBLISHED, ends.get(0)[1]);
                assertStreamBothWays(client, server);
                close(client, server);
            }
        }
    }

    /** What was found out of the program that listened before does not count. */
    @ParameterizedTest
    @ValueSource(strings = {"direct", "device"})
    void aListenerThatComesLaterIsFoundAtOnce(String path) throws Exception {
        startDriver("-Dpipedevice.driver.path=" + path);
        ChildJvm client = onHost(accelerated());
        ChildJvm server = onHost(accelerated());
        for (int round = 0; round < 3; round++) {
            ChildJvm plain = onHost(List.of());
            int port = PORT + round;
            assertEquals("LISTENS", say(plain, "listen 0.0.0.0 " + port));
            for (int i = 0; i < 3; i++) {
                joinStranger(client, "connect " + OWN + " " + port, plain, "accept");
                assertStreamBothWays(client, plain);
                close(client, plain);
            }
            plain.kill();
            assertTrue(plain.exits(10));
            assertEquals("LISTENS", say(server, "listen " + OWN + " " + port));
            List<String[]> ends = join(client, "connect " + OWN + " " + port, server, "accept");
            assertWay("rings", ends);
            assertEquals(path, ends.get(0)[3]);
            assertStreamBothWays(client, server);
            close(client, server);
        }
    }

    /** A proxy's connections are two, each with ends of its own, even if only their addresses tell them apart. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRelayInBetweenIsJoinedToNoOtherEnd(boolean isAccelerated) throws IOException {
        startDriver();
        ChildJvm server = station(1, accelerated());
        ChildJvm client = onHost(accelerated());
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        ChildJvm relay = keep(ChildJvm.start(
                Namespaces.wrapper(router.pid()),
                isAccelerated ? accelerated() : List.of(),
                System.getProperty("java.class.path"),
                RelayProgram.class,
                "0.0.0.0",
                Integer.toString(PUBLISHED),
                address(1),
                Integer.toString(PORT),
                "10.78.1.1"));
        relay.expect("STARTED");
        for (int i = 0; i < 3; i++) {
            String connect = "connect " + LOOPBACK + " " + PUBLISHED;
            List<String[]> ends = isAccelerated
                    ? joinByRings(client, connect, server, "accept")
                    : joinStranger(client, connect, server, "accept");
            if (!isAccelerated) {
                assertEquals("kernel(not-pipedevice-peer)", ends.get(1)[2]);
                String port = relay.expect("RELAYS");
                assertTrue(i > 0 || port.equals("from the same port"), port);
            }
            assertEquals("/" + LOOPBACK + ":" + PUBLISHED, ends.get(0)[1]);
            assertEquals("/10.78.1.1", host(ends.get(1)[1]));
            assertStreamBothWays(client, server);
            close(client, server);
        }
    }

    /** As REDIRECT does. */
    private void redirect(String rule) throws IOException {
        in(
                router,
                "ip route add 10.96.0.0/24 dev lo; nft add table ip nat; "
                        + "nft 'add chain ip nat out { type nat hook output priority -100; }'; "
                        + "nft 'add rule ip nat out tcp dport " + REDIRECTED + " " + rule + "'");
    }

    /** As by REDIRECT, or by a service address whose backend is the host itself. */
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, redirect to :7000",
        "198.51.100.7, redirect to :7000",
        "198.51.100.7, dnat to 198.51.100.7:7000",
        "10.96.0.1, dnat to 198.51.100.7:7000"
    })
    void aRuleThatLeadsToAnotherPortOfTheHostLeadsToRings(String to, String rule) throws IOException {
        assumeNft();
        startDriver();
        ChildJvm server = onHost(accelerated());
        ChildJvm client = onHost(accelerated());
        redirect(rule);
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        for (int i = 0; i < 3; i++) {
            List<String[]> ends = joinByRings(client, "connect " + to + " " + REDIRECTED, server, "accept");
            assertEquals("/" + to + ":" + REDIRECTED, ends.get(0)[1]);
            assertEquals(ends.get(0)[0], ends.get(1)[1]);
            assertStreamBothWays(client, server);
            close(client, server);
        }
    }

    /** The driver does not look for connections at loopback addresses, of which a host may have many. */
    @Test
    void aRuleThatLeadsToAListenerOfTheLoopbackStaysOnTheKernel() throws IOException {
        assumeNft();
        startDriver();
        ChildJvm server = onHost(accelerated());
        ChildJvm client = onHost(accelerated());
        redirect("redirect to :" + PORT);
        assertEquals("LISTENS", say(server, "listen " + LOOPBACK + " " + PORT));
        for (int i = 0; i < 2; i++) {
            List<String[]> ends = joinStranger(client, "connect " + LOOPBACK + " " + REDIRECTED, server, "accept");
            assertEquals("kernel(not-pipedevice-peer)", ends.get(1)[2]);
            assertStreamBothWays(client, server);
            close(client, server);
        }
        joinByRings(client, "connect " + LOOPBACK + " " + PORT, server, "accept");
    }
}
