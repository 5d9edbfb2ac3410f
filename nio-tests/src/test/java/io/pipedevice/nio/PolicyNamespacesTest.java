// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static io.pipedevice.nio.NamespacesFixture.close;
import static io.pipedevice.nio.NamespacesFixture.say;
import static io.pipedevice.test.Namespaces.in;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.driver.DriverProcess;
import io.pipedevice.driver.DriverStat;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.program.NamespaceProgram;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.ReadableClassPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs of two users in two network namespaces, whose driver has a policy's file that changes. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PolicyNamespacesTest {
    private static final String SERVER = "10.79.1.2";
    private static final int PORT = 7000;
    private static final int USER = 65_533;
    private static final int LENGTH = 100_000;

    private final Deque<ChildJvm> children = new ArrayDeque<>();

    @TempDir
    private Path directory;

    private Path policy;
    private Path home;
    private String classPath;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may make network namespaces, and become another user");
        classPath = ReadableClassPath.in(directory);
        policy = directory.resolve("policy.yaml");
        home = Files.createDirectory(directory.resolve("driver"));
    }

    @AfterEach
    void end() {
        while (!children.isEmpty()) {
            children.removeLast().close();
        }
    }

    private void startDriver(String text) throws IOException {
        Files.writeString(policy, text);
        children.add(DriverProcess.start(home, "-Dpipedevice.driver.policy=" + policy));
        for (Path each : List.of(home, home.resolve("driver.sock"))) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
    }

    private void change(String text) throws IOException {
        try (DriverStat stat = DriverStat.open(home)) {
            long before = reloads(stat);
            Files.writeString(policy, text);
            while (reloads(stat) == before) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    private static long reloads(DriverStat stat) throws IOException {
        return stat.values().stream()
                .filter(value -> value.type() == CounterType.POLICY_RELOADS.id())
                .mapToLong(DriverStat.Value::value)
                .sum();
    }

    /** A program in a network namespace of its own, as a user. */
    private ChildJvm program(int user) throws IOException {
        List<String> flags = new ArrayList<>(ChildJvm.inheritedFlags());
        flags.add("-Djava.nio.channels.spi.SelectorProvider=io.pipedevice.nio.PipeDeviceSelectorProvider");
        flags.add("-Dpipedevice.driver=" + home);
        String become = "exec setpriv --reuid=" + user + " --regid=" + user + " --clear-groups \"$@\"";
        ChildJvm child = ChildJvm.start(
                List.of("unshare", "-n", "sh", "-c", become, "sh"), flags, classPath, NamespaceProgram.class);
        children.add(child);
        child.expect("STARTED");
        return child;
    }

    private static void join(ChildJvm server, ChildJvm client) throws IOException {
        in(server, "ip link add eth0 type veth peer name eth0 netns " + client.pid());
        int end = 2;
        for (ChildJvm each : List.of(server, client)) {
            in(each, "ip link set lo up; ip address add 10.79.1." + end++ + "/24 dev eth0; ip link set eth0 up");
        }
    }

    /** Connects, and sends something. The client asks again after at most some seconds of pause. */
    private static void assertJoins(String way, ChildJvm server, ChildJvm client) throws IOException {
        NamespacesFixture.joinByWay(way, client, "connect " + SERVER + " " + PORT, server, "accept");
        assertStream(client, server);
    }

    private static void assertStream(ChildJvm client, ChildJvm server) throws IOException {
        client.send("send " + LENGTH);
        assertEquals("RECEIVED", say(server, "receive " + LENGTH));
        assertEquals("SENT", client.expect("SAID"));
    }

    private static String rules(String path) {
        return "containers:\n  shop: {user: " + USER + ", cgroup: '**'}\n  outside: {address: 10.79.1.0/24}\n"
                + "rules:\n- {from: shop, to: outside, path: " + path + "}\n- {from: outside, path: kernel}\n"
                + "default: kernel\n";
    }

    @Test
    void theFileRefusesPermitsAndChanges() throws IOException {
        startDriver(rules("kernel"));
        ChildJvm server = program(0);
        ChildJvm client = program(USER);
        join(server, client);
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        assertJoins("kernel(policy)", server, client);

        // The next one does not ask, and has the same reason.
        close(client, server);
        client.send("connect " + SERVER + " " + PORT);
        say(server, "accept");
        assertEquals("kernel(policy)", client.expect("SAID").split(" ", -1)[2]);
        assertStream(client, server);

        change(rules("direct"));
        close(client, server);
        assertJoins("rings", server, client);

        // Open connections go on.
        change(rules("kernel"));
        assertStream(client, server);
        close(client, server);
        assertJoins("kernel(policy)", server, client);

        // The other direction has no rule of its own.
        assertEquals("LISTENS", say(client, "listen 0.0.0.0 " + (PORT + 1)));
        server.send("connect 10.79.1.3 " + (PORT + 1));
        client.send("accept");
        assertEquals("kernel(policy)", client.expect("SAID").split(" ", -1)[2]);
        assertEquals("kernel(policy)", server.expect("SAID").split(" ", -1)[2]);
    }

    @Test
    void withoutAMatchingRuleUsersStayOnTheKernel() throws IOException {
        startDriver("rules: [{same: user, path: direct}]\ndefault: kernel\n");
        ChildJvm server = program(0);
        ChildJvm client = program(USER);
        join(server, client);
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        assertJoins("kernel(policy)", server, client);
    }
}
