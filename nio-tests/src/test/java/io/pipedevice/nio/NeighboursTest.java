// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.ReadableClassPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of one network namespace with a driver, which decides by which path they connect. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NeighboursTest extends NamespacesFixture {
    private static final String HERE = "127.0.0.1";

    @TempDir
    private Path classes;

    private String classPath;

    @BeforeEach
    void copyClasses() throws IOException {
        classPath = ReadableClassPath.in(classes);
    }

    /** A program with the driver, in the namespace of all programs of a test. */
    private ChildJvm neighbour(int user) throws IOException {
        List<String> wrapper = new ArrayList<>(List.of("nsenter", "-t", Long.toString(router.pid()), "-n"));
        wrapper.addAll(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"));
        return program(wrapper, accelerated(), classPath);
    }

    /**
     * Connects until the client has gone a way. A late driver leaves connections to the kernel. It gives rings to no
     * users that may not have them.
     */
    private static void joinByWay(String way, ChildJvm client, ChildJvm server) throws IOException {
        Predicate<List<String[]>> decided = joined -> joined.get(0)[2].equals(way) || joined.get(0)[2].equals("rings");
        List<String[]> ends = joinUntil(decided, client, "connect " + HERE + " " + PORT, server, "accept");
        assertEquals(way, ends.get(0)[2]);
    }

    /** Connects until a word of what the client says is as expected. */
    private static void joinUntil(int word, String expected, ChildJvm client, ChildJvm server) throws IOException {
        List<String[]> ends = joinUntil(
                joined -> joined.get(0)[word].equals(expected),
                client,
                "connect " + HERE + " " + PORT,
                server,
                "accept");
        assertEquals(expected, ends.get(0)[word], () -> String.join(" ", ends.get(0)));
    }

    private static void joinByPath(String path, ChildJvm client, ChildJvm server) throws IOException {
        joinByPath(path, client, "connect " + HERE + " " + PORT, server, "accept");
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "device"})
    void theDriverDecidesThePath(String path) throws IOException {
        startDriver("-Dpipedevice.driver.path=" + path);
        ChildJvm server = neighbour(0);
        ChildJvm client = neighbour(0);
        int port = PORT;
        for (String at : List.of("127.0.0.1", "0.0.0.0", "::")) {
            assertEquals("LISTENS", say(server, "listen " + at + " " + port));
            for (String to : at.equals("::") ? List.of("::1", HERE) : List.of(HERE, HERE)) {
                assertConnects(client, "connect " + to + " " + port, server, "accept", path);
                assertConnects(client, "begin " + to + " " + port, server, "select", path);
            }
            port++;
        }
    }

    private static void assertConnects(ChildJvm client, String connect, ChildJvm server, String accept, String path)
            throws IOException {
        List<String[]> ends = joinByPath(path, client, connect, server, accept);
        String[] ours = ends.get(0);
        String[] theirs = ends.get(1);
        assertEquals(ours[0], theirs[1]);
        assertEquals(ours[1], theirs[0]);
        assertTrue(ours[1].endsWith(":" + connect.substring(connect.lastIndexOf(' ') + 1)), ours[1]);
        assertStreamBothWays(client, server);
        close(client, server);
    }

    @Test
    void directConnectionsOutliveTheDriverAndNewOnesFindTheNextOne() throws Exception {
        startDriver();
        ChildJvm server = neighbour(0);
        ChildJvm client = neighbour(0);
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        joinByPath("direct", client, server);
        driver.kill();
        assertTrue(driver.exits(10));
        assertStreamBothWays(client, server);
        ChildJvm other = neighbour(0);
        List<String[]> ends = join(other, "connect " + HERE + " " + PORT, server, "accept");
        assertEquals("kernel(driver-gone)", ends.get(0)[2]);
        assertStreamBothWays(other, server);
        startDriver();
        close(other, server);
        joinByPath("direct", other, server);
        assertStreamBothWays(other, server);
    }

    @ParameterizedTest
    @CsvSource({"same-user, 1000, 2000, kernel(other-user)", "any, 1000, 2000, rings"})
    void thePolicyDecidesThePathBetweenUsers(String policy, int serverUser, int clientUser, String way)
            throws IOException {
        startDriver("-Dpipedevice.driver.policy=" + policy);
        ChildJvm server = neighbour(serverUser);
        ChildJvm client = neighbour(clientUser);
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        for (int i = 0; i < 2; i++) {
            joinByWay(way, client, server);
            assertStreamBothWays(client, server);
            close(client, server);
        }
    }

    @Test
    void aRuleOfThePolicysFileHoldsForTheNextConnection() throws IOException {
        Path policy = classes.resolve("policy.yaml");
        Files.writeString(policy, "default: device\n");
        startDriver("-Dpipedevice.driver.policy=" + policy);
        ChildJvm server = neighbour(0);
        ChildJvm client = neighbour(1000);
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        joinByPath("device", client, server);
        for (String path : List.of("direct", "kernel", "direct", "device")) {
            Files.writeString(policy, "default: " + path + "\n");
            close(client, server);
            // Until the driver has read the file, connections go as before.
            if (path.equals("kernel")) {
                joinUntil(2, "kernel(policy)", client, server);
            } else {
                joinUntil(3, path, client, server);
            }
            assertStreamBothWays(client, server);
        }
    }
}
