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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs of java.nio in two network namespaces, joined by a third one that routes, as containers on a bridge are. The
 * kernel makes each connection; through the driver it changes to rings. All namespaces end with their processes.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NamespacesTest extends NamespacesFixture {
    private static final String SERVER = "10.78.1.2";
    private static final String CLIENT = "10.78.2.2";
    private static final String ROUTER = "10.78.2.1";
    private static final int PUBLISHED = 7100;

    /** Starts a driver that gives all connections one path. */
    private void startDriverWithPath(String path) throws IOException {
        startDriver("-Dpipedevice.driver.path=" + path);
    }

    private ChildJvm server(List<String> flags) throws IOException {
        return station(1, flags);
    }

    private ChildJvm client(List<String> flags) throws IOException {
        return station(2, flags);
    }

    @ParameterizedTest
    @CsvSource({"direct, connect, accept", "direct, begin, select", "device, connect, accept", "device, begin, select"})
    void connectionsBetweenNamespacesGoThroughRings(String path, String connect, String accept) throws IOException {
        startDriverWithPath(path);
        ChildJvm server = server(accelerated());
        ChildJvm client = client(accelerated());
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        for (int i = 0; i < 3; i++) {
            List<String[]> ends = joinByRings(client, connect + " " + SERVER + " " + PORT, server, accept);
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
            close(server);
            assertEquals("END after 0", say(client, "receive 1"));
            close(client);
        }
    }

    /** As in a ring of processes, each of which connects to the next one before it accepts. */
    @ParameterizedTest
    @CsvSource({"direct, connect, accept", "direct, begin, select", "device, connect, accept", "device, begin, select"})
    void aServerThatDoesNotAcceptYetIsReachedByRings(String path, String connect, String accept) throws IOException {
        startDriverWithPath(path);
        ChildJvm server = server(accelerated());
        ChildJvm client = client(accelerated());
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        assertEquals("LISTENS", say(client, "listen 0.0.0.0 " + PORT));
        for (int i = 0; i < 3; i++) {
            String[] ours = say(client, connect + " " + SERVER + " " + PORT).split(" ");
            String[] theirs = say(server, accept).split(" ");
            assertWay("rings", List.of(ours, theirs));
            assertStreams(client, server);
            assertStreams(server, client);
        }
        server.send(connect + " " + CLIENT + " " + PORT);
        client.send(connect + " " + SERVER + " " + PORT);
        String[] one = server.expect("SAID").split(" ");
        String[] other = client.expect("SAID").split(" ");
        assertWay("rings", List.of(one, other));
        one = say(server, accept).split(" ");
        other = say(client, accept).split(" ");
        assertWay("rings", List.of(one, other));
    }

    @ParameterizedTest
    @CsvSource({"connect, accept", "begin, select"})
    void anEndWithoutPipeDeviceIsServedByTheKernel(String connect, String accept) throws IOException {
        startDriverWithPath("direct");
        ChildJvm server = server(accelerated());
        ChildJvm client = client(List.of());
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        List<String[]> ends = join(client, connect + " " + SERVER + " " + PORT, server, accept);
        assertEquals("tcp", ends.get(0)[2]);
        assertEquals("kernel(not-pipedevice-peer)", ends.get(1)[2]);
        assertStreams(client, server);
        assertStreams(server, client);

        close(server);
        assertEquals("LISTENS", say(client, "listen 0.0.0.0 " + PORT));
        ends = join(server, connect + " " + CLIENT + " " + PORT, client, accept);
        assertEquals("kernel(peer-not-local)", ends.get(0)[2]);
        assertEquals("tcp", ends.get(1)[2]);
        assertStreams(client, server);
        assertStreams(server, client);
    }

    @Test
    void aPublishedPortLeadsToTheRingsOfTheServerBehindIt() throws IOException {
        startDriverWithPath("direct");
        assumeNft();
        ChildJvm server = server(accelerated());
        ChildJvm client = client(accelerated());
        in(
                router,
                "nft add table ip nat; nft 'add chain ip nat pre { type nat hook prerouting priority -100; }'; "
                        + "nft 'add rule ip nat pre tcp dport " + PUBLISHED + " dnat to " + SERVER + ":" + PORT + "'");
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        for (String connect : List.of("connect", "begin")) {
            List<String[]> ends = joinByRings(client, connect + " " + ROUTER + " " + PUBLISHED, server, "select");
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
        startDriverWithPath("direct");
        ChildJvm server = server(accelerated());
        ChildJvm client = client(accelerated());
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        joinByRings(client, "connect " + SERVER + " " + PORT, server, "accept");
        for (int round = 0; round < 2; round++) {
            driver.kill();
            assertTrue(driver.exits(10));
            assertStreams(client, server);
            assertStreams(server, client);
            ChildJvm other = program(List.of("nsenter", "-t", Long.toString(client.pid()), "-n"), accelerated());
            List<String[]> ends = join(other, "connect " + SERVER + " " + PORT, server, "accept");
            assertEquals("kernel(peer-not-local)", ends.get(0)[2]);
            startDriverWithPath("direct");
            awaitRings(client, server);
        }
    }

    /** A server that does nothing but wait finds the new driver within a second, and so does a client that connects. */
    private static void awaitRings(ChildJvm client, ChildJvm server) throws IOException {
        close(client, server);
        joinByRings(client, "connect " + SERVER + " " + PORT, server, "accept");
        assertStreams(client, server);
    }

    @Test
    void connectionsOfTheDeviceEndWithTheDriverAndNewOnesFindTheNextOne() throws Exception {
        startDriverWithPath("device");
        ChildJvm server = server(accelerated());
        ChildJvm client = client(accelerated());
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        joinByRings(client, "connect " + SERVER + " " + PORT, server, "accept");
        assertStreams(client, server);
        driver.kill();
        assertTrue(driver.exits(10));
        assertEquals("java.net.SocketException: Connection reset", say(client, "receive 1"));
        assertEquals("java.net.SocketException: Connection reset", say(server, "receive 1"));
        startDriverWithPath("device");
        awaitRings(client, server);
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "device"})
    void aProcessThatIsKilledLooksAsOverTcp(String path) throws Exception {
        startDriverWithPath(path);
        ChildJvm server = server(accelerated());
        ChildJvm client = client(accelerated());
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        joinByRings(client, "connect " + SERVER + " " + PORT, server, "accept");
        assertStreams(client, server);
        client.kill();
        assertTrue(client.exits(10));
        assertEquals("END after 0", say(server, "receive 1"));
    }
}
