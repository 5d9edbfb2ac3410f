// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static io.pipedevice.test.Namespaces.in;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.driver.DriverProcess;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.program.NamespaceProgram;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.wait.FairTimeout;
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
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A network namespace that routes between others, each with one program, as a host does for containers. All namespaces
 * end with their processes. Several tests run at a time: they share nothing, and what they test runs in processes.
 */
@Tag("namespaces")
abstract class NamespacesFixture {
    static final int PORT = 7000;
    static final int LENGTH = 3_000_000;
    private static final int FEW = 3000;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final String PROVIDER =
            "-Djava.nio.channels.spi.SelectorProvider=io.pipedevice.nio.PipeDeviceSelectorProvider";

    private final Deque<ChildJvm> children = new ArrayDeque<>();

    /** Prints what the processes of a failed test have said: among others, why connections stayed on the kernel. */
    @RegisterExtension
    final AfterTestExecutionCallback report = context -> context.getExecutionException()
            .ifPresent(failure -> children.forEach(child -> System.out.println(child.pid() + " said " + child.said())));

    @TempDir
    Path directory;

    ChildJvm router;
    ChildJvm driver;

    @BeforeEach
    void startRouter() throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may make network namespaces");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        router = holder();
        in(router, "ip link set lo up; sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1");
    }

    @AfterEach
    void endAll() {
        while (!children.isEmpty()) {
            children.removeLast().close();
        }
    }

    /** Ends with the test, before what was kept earlier. */
    final ChildJvm keep(ChildJvm child) {
        children.add(child);
        return child;
    }

    /** Starts a driver, which programs of all users can reach. */
    final void startDriver(String... flags) throws IOException {
        driver = keep(DriverProcess.start(directory, flags));
        Files.setPosixFilePermissions(directory.resolve("driver.sock"), PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    /** A process that does nothing but hold a network namespace, and so needs no JVM. */
    final ChildJvm holder() throws IOException {
        ChildJvm child = keep(ChildJvm.of(new ProcessBuilder("unshare", "-n", "sh", "-c", "echo STARTED; exec cat")));
        child.expect("STARTED");
        return child;
    }

    final ChildJvm program(List<String> wrapper, List<String> flags) throws IOException {
        return program(wrapper, flags, System.getProperty("java.class.path"));
    }

    /** Starts a program, by a wrapper that gives it a network namespace of its own. */
    final ChildJvm program(List<String> wrapper, List<String> flags, String classPath) throws IOException {
        ChildJvm child = keep(ChildJvm.start(wrapper, flags, classPath, NamespaceProgram.class));
        child.expect("STARTED");
        return child;
    }

    /** The flags of a program with PipeDevice. */
    final List<String> accelerated(String... more) {
        List<String> flags = new ArrayList<>(ChildJvm.inheritedFlags());
        // On a busy machine a server may accept late.
        flags.addAll(List.of(PROVIDER, "-Dpipedevice.driver=" + directory, "-Dpipedevice.handshake.millis=10000"));
        flags.addAll(List.of(more));
        return flags;
    }

    /** A program in network 10.78.number.0/24, fd78:number::/64, at the address that ends in 2. */
    final ChildJvm station(int number, List<String> flags) throws IOException {
        return station(number, program(List.of("unshare", "-n"), flags));
    }

    /** Gives a program's namespace a link to the router. */
    final ChildJvm station(int number, ChildJvm child) throws IOException {
        String name = "station" + number;
        in(
                router,
                "ip link add " + name + " type veth peer name eth0 netns " + child.pid() + "; ip address add 10.78."
                        + number + ".1/24 dev " + name + "; ip address add fd78:" + number + "::1/64 dev " + name
                        + " nodad; ip link set " + name + " up");
        in(
                child,
                "ip link set lo up; ip address add " + address(number) + "/24 dev eth0; ip address add fd78:" + number
                        + "::2/64 dev eth0 nodad; ip link set eth0 up; ip route add default via 10.78." + number
                        + ".1; ip route add default via fd78:" + number + "::1");
        return child;
    }

    static String address(int number) {
        return "10.78." + number + ".2";
    }

    static void assumeNft() {
        assumeTrue(Files.exists(Path.of("/usr/sbin/nft")), "nftables is not installed");
    }

    static String say(ChildJvm child, String line) throws IOException {
        child.send(line);
        return child.expect("SAID");
    }

    /** Connects, and returns what both ends say of the connection: each its own address, the other one, and the way. */
    static List<String[]> join(ChildJvm client, String connect, ChildJvm server, String accept) throws IOException {
        client.send(connect);
        server.send(accept);
        String accepted = server.expect("SAID");
        String connected = client.expect("SAID");
        return List.of(connected.split(" "), accepted.split(" "));
    }

    /** Connects until both ends are on rings. Returns what {@link #join} returns. */
    static List<String[]> joinByRings(ChildJvm client, String connect, ChildJvm server, String accept)
            throws IOException {
        return joinByWay("rings", client, connect, server, accept);
    }

    /**
     * Connects until both ends have gone a way, which may be that the kernel keeps the connection. An end on rings is
     * final: no driver is late in that way.
     */
    static List<String[]> joinByWay(String way, ChildJvm client, String connect, ChildJvm server, String accept)
            throws IOException {
        List<String[]> ends = joinUntil(
                joined -> isOnRings(joined) || joined.stream().allMatch(each -> each[2].equals(way)),
                client,
                connect,
                server,
                accept);
        assertWay(way, ends);
        return ends;
    }

    /** Connects until both ends are on rings, whose path is direct or device. */
    static List<String[]> joinByPath(String path, ChildJvm client, String connect, ChildJvm server, String accept)
            throws IOException {
        List<String[]> ends = joinByRings(client, connect, server, accept);
        ends.forEach(each -> assertEquals(path, each[3], () -> String.join(" ", each)));
        return ends;
    }

    /** Connects to a program without PipeDevice, until the driver has had the time to say so. */
    static List<String[]> joinStranger(ChildJvm client, String connect, ChildJvm server, String accept)
            throws IOException {
        String way = "kernel(no-rendezvous)";
        List<String[]> ends =
                joinUntil(joined -> isOnRings(joined) || joined.get(0)[2].equals(way), client, connect, server, accept);
        assertEquals(way, ends.get(0)[2], () -> String.join(" ", ends.get(0)));
        return ends;
    }

    private static boolean isOnRings(List<String[]> ends) {
        return ends.stream().anyMatch(each -> each[2].equals("rings"));
    }

    /**
     * Connects until the two ends are as they should be, or for some time: a driver that is late, because the machine
     * is busy, leaves connections to the kernel. Those carry data too.
     */
    static List<String[]> joinUntil(
            Predicate<List<String[]>> expected, ChildJvm client, String connect, ChildJvm server, String accept)
            throws IOException {
        FairTimeout timeout = new FairTimeout(System.nanoTime(), TimeUnit.SECONDS.toNanos(20));
        List<String[]> ends = join(client, connect, server, accept);
        while (!expected.test(ends) && !timeout.isOver()) {
            assertStreams(client, server, FEW);
            assertStreams(server, client, FEW);
            close(client, server);
            LockSupport.parkNanos(PAUSE_NS);
            ends = join(client, connect, server, accept);
        }
        return ends;
    }

    static void close(ChildJvm... ends) throws IOException {
        for (ChildJvm each : ends) {
            assertEquals("CLOSED", say(each, "close"));
        }
    }

    static void assertStreams(ChildJvm from, ChildJvm to) throws IOException {
        assertStreams(from, to, LENGTH);
    }

    private static void assertStreams(ChildJvm from, ChildJvm to, int length) throws IOException {
        from.send("send " + length);
        assertEquals("RECEIVED", say(to, "receive " + length));
        assertEquals("SENT", from.expect("SAID"));
    }

    static void assertStreamBothWays(ChildJvm one, ChildJvm other) throws IOException {
        assertStreams(one, other);
        assertStreams(other, one);
    }

    static void assertWay(String way, List<String[]> ends) {
        assertEquals(way, ends.get(0)[2], () -> String.join(" ", ends.get(0)));
        assertEquals(way, ends.get(1)[2], () -> String.join(" ", ends.get(1)));
    }
}
