// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static io.pipedevice.test.Namespaces.in;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.driver.DriverProcess;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.program.NamespaceProgram;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs of java.nio in two network namespaces, joined by a third one that routes, as containers on a bridge are. The
 * kernel makes each connection; through the driver it changes to rings. All namespaces end with their processes.
 */
@Tag("nio")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NamespacesTest {
    private static final String SERVER = "10.78.1.2";
    private static final String CLIENT = "10.78.2.2";
    private static final String ROUTER = "10.78.2.1";
    private static final int PORT = 7000;
    private static final int PUBLISHED = 7100;
    private static final int LENGTH = 3_000_000;
    private static final String PROVIDER =
            "-Djava.nio.channels.spi.SelectorProvider=io.pipedevice.nio.PipeDeviceSelectorProvider";

    private final Deque<ChildJvm> children = new ArrayDeque<>();
    private Path directory;
    private ChildJvm router;
    private ChildJvm driver;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may make network namespaces");
        directory = Files.createTempDirectory("namespaces");
        router = program(List.of("unshare", "-n"), List.of());
        in(router, "ip link set lo up; sysctl -qw net.ipv4.ip_forward=1");
    }

    private void startDriver(String path) throws IOException {
        driver = DriverProcess.start(directory, "-Dpipedevice.driver.path=" + path);
        children.add(driver);
    }

    @AfterEach
    void end() throws IOException {
        while (!children.isEmpty()) {
            children.removeLast().close();
        }
        if (directory != null) {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path each : files.toList()) {
                    Files.delete(each);
                }
            }
            Files.delete(directory);
        }
    }

    private ChildJvm program(List<String> wrapper, List<String> flags) throws IOException {
        ChildJvm child = ChildJvm.start(wrapper, flags, NamespaceProgram.class);
        children.add(child);
        child.expect("STARTED");
        return child;
    }

    /** The flags of a program with PipeDevice. */
    private List<String> accelerated() {
        List<String> flags = new ArrayList<>(ChildJvm.inheritedFlags());
        flags.addAll(List.of(PROVIDER, "-Dpipedevice.driver=" + directory));
        return flags;
    }

    /** A program in a namespace of its own, with a link to the router. */
    private ChildJvm station(String name, String network, List<String> flags) throws IOException {
        ChildJvm child = program(List.of("unshare", "-n"), flags);
        in(
                router,
                "ip link add " + name + " type veth peer name eth0 netns " + child.pid() + "; ip address add " + network
                        + ".1/24 dev " + name + "; ip link set " + name + " up");
        in(
                child,
                "ip link set lo up; ip address add " + network + ".2/24 dev eth0; ip link set eth0 up; "
                        + "ip route add default via " + network + ".1");
        return child;
    }

    private ChildJvm server(List<String> flags) throws IOException {
        return station("server", "10.78.1", flags);
    }

    private ChildJvm client(List<String> flags) throws IOException {
        return station("client", "10.78.2", flags);
    }

    private static String say(ChildJvm child, String line) throws IOException {
        child.tell(line);
        return child.expect("SAID");
    }

    /** Connects, and returns what both ends say of the connection: each its own address, the other one, and the way. */
    private static List<String[]> join(ChildJvm client, String connect, ChildJvm server, String accept)
            throws IOException {
        client.tell(connect);
        server.tell(accept);
        String accepted = server.expect("SAID");
        String connected = client.expect("SAID");
        return List.of(connected.split(" "), accepted.split(" "));
    }

    private static void assertStreams(ChildJvm from, ChildJvm to) throws IOException {
        from.tell("send " + LENGTH);
        assertEquals("RECEIVED", say(to, "receive " + LENGTH));
        assertEquals("SENT", from.expect("SAID"));
    }

    private static void assertWay(String way, List<String[]> ends) {
        assertEquals(way, ends.get(0)[2], () -> String.join(" ", ends.get(0)));
        assertEquals(way, ends.get(1)[2], () -> String.join(" ", ends.get(1)));
    }

    @ParameterizedTest
    @CsvSource({"direct, connect, accept", "direct, begin, select", "device, connect, accept", "device, begin, select"})
    void connectionsBetweenNamespacesGoThroughRings(String path, String connect, String accept) throws IOException {
        startDriver(path);
        ChildJvm server = server(accelerated());
        ChildJvm client = client(accelerated());
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        for (int i = 0; i < 3; i++) {
            List<String[]> ends = join(client, connect + " " + SERVER + " " + PORT, server, accept);
            assertWay("rings", ends);
            assertEquals(path, ends.get(0)[3]);
            assertEquals(path, ends.get(1)[3]);
            String[] ours = ends.get(0);
            String[] theirs = ends.get(1);
            assertEquals("/" + SERVER + ":" + PORT, ours[1]);
            assertEquals("/" + SERVER + ":" + PORT, theirs[0]);
            assertEquals(ours[0], theirs[1]);
            assertTrue(ours[0].startsWith("/" + CLIENT + ":"), ours[0]);
            // The kernel's connection stays, as what operators see.
            String seen = in(client, "ss -Htn state established dst " + SERVER);
            assertTrue(seen.contains(ours[0].substring(ours[0].indexOf(':')) + " "), seen);
            assertStreams(client, server);
            assertStreams(server, client);
            assertEquals("ENDED", say(client, "end"));
            assertEquals("END after 0", say(server, "receive 1"));
            assertStreams(server, client);
            assertEquals("CLOSED", say(server, "close"));
            assertEquals("END after 0", say(client, "receive 1"));
            assertEquals("CLOSED", say(client, "close"));
        }
    }

    @ParameterizedTest
    @CsvSource({"connect, accept", "begin, select"})
    void anEndWithoutPipeDeviceIsServedByTheKernel(String connect, String accept) throws IOException {
        startDriver("direct");
        ChildJvm server = server(accelerated());
        ChildJvm client = client(List.of());
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        List<String[]> ends = join(client, connect + " " + SERVER + " " + PORT, server, accept);
        assertEquals("tcp", ends.get(0)[2]);
        assertEquals("kernel(not-pipedevice-peer)", ends.get(1)[2]);
        assertStreams(client, server);
        assertStreams(server, client);

        assertEquals("CLOSED", say(server, "close"));
        assertEquals("LISTENS", say(client, "listen 0.0.0.0 " + PORT));
        ends = join(server, connect + " " + CLIENT + " " + PORT, client, accept);
        assertEquals("kernel(peer-not-local)", ends.get(0)[2]);
        assertEquals("tcp", ends.get(1)[2]);
        assertStreams(client, server);
        assertStreams(server, client);
    }

    @Test
    void aPublishedPortLeadsToTheRingsOfTheServerBehindIt() throws IOException {
        startDriver("direct");
        assumeTrue(Files.exists(Path.of("/usr/sbin/nft")), "nftables is not installed");
        ChildJvm server = server(accelerated());
        ChildJvm client = client(accelerated());
        in(
                router,
                "nft add table ip nat; nft 'add chain ip nat pre { type nat hook prerouting priority -100; }'; "
                        + "nft 'add rule ip nat pre tcp dport " + PUBLISHED + " dnat to " + SERVER + ":" + PORT + "'");
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        for (String connect : List.of("connect", "begin")) {
            List<String[]> ends = join(client, connect + " " + ROUTER + " " + PUBLISHED, server, "select");
            assertWay("rings", ends);
            assertEquals("/" + ROUTER + ":" + PUBLISHED, ends.get(0)[1]);
            assertEquals("/" + SERVER + ":" + PORT, ends.get(1)[0]);
            assertEquals(ends.get(0)[0], ends.get(1)[1]);
            assertStreams(client, server);
            assertStreams(server, client);
        }
        // What the kernel's policy refuses is refused.
        in(
                router,
                "nft add table ip guard; "
                        + "nft 'add chain ip guard forward { type filter hook forward priority 0; }'; "
                        + "nft 'add rule ip guard forward tcp flags syn tcp dport " + PORT
                        + " reject with tcp reset'");
        assertEquals(
                "java.net.ConnectException: Connection refused", say(client, "connect " + ROUTER + " " + PUBLISHED));
        assertEquals("java.net.ConnectException: Connection refused", say(client, "begin " + SERVER + " " + PORT));
    }

    @Test
    void connectionsOutliveTheDriverAndNewOnesFindTheNextOne() throws Exception {
        startDriver("direct");
        ChildJvm server = server(accelerated());
        ChildJvm client = client(accelerated());
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        assertWay("rings", join(client, "connect " + SERVER + " " + PORT, server, "accept"));
        for (int round = 0; round < 2; round++) {
            driver.kill();
            assertTrue(driver.exits(10));
            assertStreams(client, server);
            assertStreams(server, client);
            ChildJvm other = program(List.of("nsenter", "-t", Long.toString(client.pid()), "-n"), accelerated());
            List<String[]> ends = join(other, "connect " + SERVER + " " + PORT, server, "accept");
            assertEquals("kernel(peer-not-local)", ends.get(0)[2]);
            startDriver("direct");
            awaitRings(client, server);
        }
    }

    /** A server that does nothing but wait finds the new driver within a second, and so does a client that connects. */
    private static void awaitRings(ChildJvm client, ChildJvm server) throws IOException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        List<String[]> ends;
        do {
            assertEquals("CLOSED", say(client, "close"));
            ends = join(client, "connect " + SERVER + " " + PORT, server, "accept");
            assertStreams(client, server);
        } while (!ends.get(0)[2].equals("rings") && System.nanoTime() < until);
        assertWay("rings", ends);
    }

    @Test
    void connectionsOfTheDeviceEndWithTheDriverAndNewOnesFindTheNextOne() throws Exception {
        startDriver("device");
        ChildJvm server = server(accelerated());
        ChildJvm client = client(accelerated());
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        assertWay("rings", join(client, "connect " + SERVER + " " + PORT, server, "accept"));
        assertStreams(client, server);
        driver.kill();
        assertTrue(driver.exits(10));
        assertEquals("java.net.SocketException: Connection reset", say(client, "receive 1"));
        assertEquals("java.net.SocketException: Connection reset", say(server, "receive 1"));
        startDriver("device");
        awaitRings(client, server);
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "device"})
    void aProcessThatIsKilledLooksAsOverTcp(String path) throws Exception {
        startDriver(path);
        ChildJvm server = server(accelerated());
        ChildJvm client = client(accelerated());
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        assertWay("rings", join(client, "connect " + SERVER + " " + PORT, server, "accept"));
        assertStreams(client, server);
        client.kill();
        assertTrue(client.exits(10));
        assertEquals("END after 0", say(server, "receive 1"));
    }
}
