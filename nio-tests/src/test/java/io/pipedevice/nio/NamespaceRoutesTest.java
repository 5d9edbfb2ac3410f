// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static io.pipedevice.test.Namespaces.in;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kernel's routes, address translation and filters decide where a connection goes, and rings follow. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NamespaceRoutesTest extends NamespacesFixture {
    private static final int PORTS = 20;
    private static final String SERVICE = "10.96.0.1";

    /** Each end has the same pair of addresses, and the data of both directions arrive. */
    private static void assertJoined(ChildJvm client, String to, ChildJvm server) throws IOException {
        List<String[]> ends = joinByRings(client, "connect " + to + " " + PORT, server, "accept");
        assertEquals(ends.get(0)[0], ends.get(1)[1]);
        assertEquals(ends.get(0)[1], ends.get(1)[0]);
        assertStreamBothWays(client, server);
    }

    @Test
    void aServiceAddressLeadsToTheRingsOfTheBackendThatTheKernelChose() throws Exception {
        assumeNft();
        startDriver();
        List<ChildJvm> backends = List.of(station(1, accelerated()), station(3, accelerated()));
        ChildJvm client = station(2, accelerated());
        in(
                router,
                "nft add table ip nat; nft 'add chain ip nat pre { type nat hook prerouting priority -100; }'; "
                        + "nft 'add rule ip nat pre ip daddr " + SERVICE + " dnat to numgen inc mod 2 map { 0 : "
                        + address(1) + ", 1 : " + address(3) + " }'");
        for (ChildJvm each : backends) {
            assertEquals("LISTENS", say(each, "listen 0.0.0.0 " + PORT));
        }
        for (int round = 0; round < 2; round++) {
            backends.forEach(each -> each.send("accept"));
            for (int i = 0; i < 2; i++) {
                String[] ours = say(client, "connect " + SERVICE + " " + PORT).split(" ");
                assertEquals("rings", ours[2], String.join(" ", ours));
                assertEquals("/" + SERVICE + ":" + PORT, ours[1]);
                ChildJvm chosen = chosen(backends, ours);
                String[] theirs = chosen.expect("SAID").split(" ");
                assertEquals("rings", theirs[2], String.join(" ", theirs));
                assertEquals(ours[0], theirs[1]);
                assertStreamBothWays(client, chosen);
            }
            close(backends.toArray(ChildJvm[]::new));
        }
    }

    /** The backend whose kernel has the connection of the client's port. */
    private static ChildJvm chosen(List<ChildJvm> backends, String[] ours) throws IOException {
        String port = ours[0].substring(ours[0].lastIndexOf(':'));
        for (ChildJvm each : backends) {
            String seen = in(each, "ss -Htn state established 'sport = :" + PORT + "'");
            if (seen.replace('\n', ' ').contains(port + " ")) {
                return each;
            }
        }
        throw new AssertionError("no backend has the connection of " + port);
    }

    /** As by podman and docker: for containers of another network, and for a port that is published at the gateway. */
    @ParameterizedTest
    @CsvSource({"10.78.1.2, 7000", "10.78.2.1, 19000"})
    void aMasqueradeThatKeepsThePortLeadsToRings(String to, int port) throws Exception {
        assumeNft();
        startDriver();
        ChildJvm server = station(1, accelerated());
        ChildJvm client = station(2, accelerated());
        in(
                router,
                "nft add table ip nat; nft 'add chain ip nat pre { type nat hook prerouting priority -100; }'; "
                        + "nft 'add chain ip nat post { type nat hook postrouting priority 100; }'; "
                        + "nft 'add rule ip nat pre tcp dport 19000 dnat to " + address(1) + ":" + PORT + "'; "
                        + "nft 'add rule ip nat post ip saddr 10.78.2.0/24 masquerade'");
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        String[] theirs;
        String[] ours = {};
        // A driver that is late, because the machine is busy, leaves a connection to the kernel.
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        do {
            if (ours.length > 0) {
                close(client);
            }
            client.send("connect " + to + " " + port);
            // The client waits for a server that takes its time.
            TimeUnit.MILLISECONDS.sleep(100);
            theirs = say(server, "accept").split(" ");
            ours = client.expect("SAID").split(" ");
        } while (!ours[2].equals("rings") && System.nanoTime() < until);
        assertWay("rings", List.of(ours, theirs));
        assertEquals("/" + to + ":" + port, ours[1]);
        assertEquals(ours[0].replace(address(2), "10.78.1.1"), theirs[1]);
        assertStreamBothWays(client, server);
    }

    @Test
    void anOverlayLeadsToRings() throws IOException {
        startDriver();
        ChildJvm server = station(1, accelerated());
        ChildJvm client = station(2, accelerated());
        overlay(server, 1, 2);
        overlay(client, 2, 1);
        assertEquals("LISTENS", say(server, "listen 10.99.0.1 " + PORT));
        assertJoined(client, "10.99.0.1", server);
    }

    @Test
    void aClientThatConnectsAsSoonAsTheServerListensIsOnRings() throws IOException {
        startDriver();
        ChildJvm server = station(1, accelerated());
        ChildJvm client = station(2, accelerated());
        for (int port = PORT; port < PORT + PORTS; port++) {
            client.send("insist " + address(1) + " " + port);
            client.expect("INSISTS");
            assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + port));
            String accepted = say(server, "accept");
            assertWay("rings", List.of(client.expect("SAID").split(" "), accepted.split(" ")));
        }
    }

    private static void overlay(ChildJvm station, int own, int other) throws IOException {
        in(
                station,
                "ip link add overlay type vxlan id 42 dstport 4789 local " + address(own) + " remote " + address(other)
                        + " dev eth0; ip address add 10.99.0." + own + "/24 dev overlay; ip link set overlay up");
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0, false", "0.0.0.0, true", "::, false", "10.78.1.2, true", "fd78:1::2, false"})
    void addressesOfBothFamiliesLeadToRings(String listen, boolean ipv4Only) throws IOException {
        startDriver();
        ChildJvm server = station(1, accelerated());
        // Without this option the sockets of a JVM are of IPv6, with IPv4 addresses mapped.
        ChildJvm client = station(2, accelerated("-Djava.net.preferIPv4Stack=" + ipv4Only));
        assertEquals("LISTENS", say(server, "listen " + listen + " " + PORT));
        if (!listen.contains(":")) {
            assertJoined(client, "10.78.1.2", server);
        } else if (listen.equals("::")) {
            assertJoined(client, "::ffff:10.78.1.2", server);
            assertJoined(client, "fd78:1::2", server);
        } else {
            assertJoined(client, "fd78:1::2", server);
        }
    }

    @Test
    void aFilterThatChangesBetweenTwoConnectsDecidesAboutTheSecond() throws IOException {
        assumeNft();
        startDriver();
        ChildJvm server = station(1, accelerated());
        ChildJvm client = station(2, accelerated());
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        assertJoined(client, address(1), server);
        in(
                router,
                "nft add table ip guard; nft 'add chain ip guard forward { type filter hook forward priority 0; }'; "
                        + "nft 'add rule ip guard forward tcp flags syn / syn,ack tcp dport " + PORT + " drop'");
        String attempt = "attempt " + address(1) + " " + PORT + " 500";
        String withoutPipeDevice = say(station(3, List.of()), attempt);
        assertTrue(withoutPipeDevice.contains("SocketTimeoutException"), withoutPipeDevice);
        assertEquals(withoutPipeDevice, say(client, attempt));
        in(router, "nft delete table ip guard");
        close(server);
        assertJoined(client, address(1), server);
    }
}
