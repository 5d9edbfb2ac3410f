// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static io.pipedevice.test.Namespaces.in;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.jdk.Literals;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An address of a container is valid in other network namespaces only if the driver's namespace has a route to it
 * there. Here the driver is in a namespace of its own, too. All namespaces end with their processes.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RouteTest {
    private static final int PORT = 7000;

    private final Deque<ChildJvm> children = new ArrayDeque<>();

    @TempDir
    private Path directory;

    private ChildJvm driver;

    @BeforeEach
    void startDriver() throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may make network namespaces");
        driver = start(List.of("unshare", "-n"), DriverProcess.class, "RUNS");
        in(driver, "ip link set lo up");
    }

    @AfterEach
    void end() {
        while (!children.isEmpty()) {
            children.removeLast().close();
        }
    }

    private ChildJvm start(List<String> wrapper, Class<?> main, String word) throws IOException {
        ChildJvm child = ChildJvm.start(wrapper, List.of(), main, directory.toString());
        children.add(child);
        child.expect(word);
        return child;
    }

    private static String say(ChildJvm child, String line) throws IOException {
        child.send(line);
        return child.expect("SAID");
    }

    /** A container in a namespace of its own, with a pair of interfaces between it and the driver's. */
    private ChildJvm container(String name, String address, String driversEnd) throws IOException {
        ChildJvm child = start(List.of("unshare", "-n"), StationProcess.class, "STARTED");
        in(
                driver,
                "ip link add " + name + " type veth peer name eth0 netns " + child.pid() + "; " + driversEnd
                        + "; ip link set " + name + " up");
        in(child, "ip link set lo up; ip address add " + address + " dev eth0; ip link set eth0 up");
        return child;
    }

    /** A process that is root in a user namespace of its own, and gives itself any address. */
    private ChildJvm impostor(String... addresses) throws IOException {
        StringBuilder commands = new StringBuilder("ip link set lo up");
        for (String address : addresses) {
            commands.append("; ip address add ")
                    .append(address)
                    .append(address.contains(":") ? "/128" : "/32")
                    .append(" dev lo");
        }
        ChildJvm child = start(
                List.of("unshare", "-Urn", "sh", "-c", commands + "; exec \"$@\"", "sh"),
                StationProcess.class,
                "STARTED");
        assertEquals("READY", say(child, "attach"));
        return child;
    }

    @Test
    void anAddressThatAProcessGivesItselfCountsForNobodyElse() throws IOException {
        ChildJvm owner = container("owner", "10.77.0.2/24", "ip address add 10.77.0.1/24 dev owner");
        ChildJvm client =
                start(List.of("nsenter", "-t", Long.toString(driver.pid()), "-n"), StationProcess.class, "STARTED");
        assertEquals("READY", say(owner, "attach"));
        assertEquals("READY", say(client, "attach"));
        assertEquals("LISTENS", say(owner, "listen 0.0.0.0 " + PORT));
        ChildJvm impostor = impostor("10.77.0.2", "10.77.0.1", "10.99.0.1");
        for (String address : List.of("10.77.0.2", "10.77.0.1", "10.99.0.1")) {
            assertEquals("LISTENS", say(impostor, "listen " + address + " " + PORT));
            assertEquals(address, say(impostor, "connect " + address + " " + PORT));
            assertEquals(address, say(impostor, "accept " + PORT));
        }

        assertEquals("10.77.0.1", awaitConnect(client, "10.77.0.2", PORT));
        assertEquals("10.77.0.1", say(owner, "accept " + PORT));
        assertEquals("ECONNREFUSED", say(client, "connect 10.77.0.1 " + PORT));
        assertEquals("ECONNREFUSED", say(client, "connect 10.99.0.1 " + PORT));
        assertEquals("ECONNREFUSED", say(owner, "connect 10.99.0.1 " + PORT));
        assertEquals("EAGAIN", say(impostor, "accept " + PORT));

        // A connection may not come from such an address, either.
        assertEquals("LISTENS", say(owner, "listen 10.77.0.2 " + (PORT + 1)));
        assertEquals("LISTENS", say(client, "listen 10.77.0.1 " + (PORT + 1)));
        ChildJvm stranger = impostor("10.99.0.1");
        assertEquals("ECONNREFUSED", say(stranger, "connect 10.77.0.2 " + (PORT + 1)));
        assertEquals("ECONNREFUSED", say(stranger, "from 10.99.0.1 10.77.0.2 " + (PORT + 1)));
        assertEquals("ECONNREFUSED", say(stranger, "connect 10.77.0.1 " + (PORT + 1)));
        assertEquals("10.77.0.2", awaitConnect(owner, "10.77.0.1", PORT + 1));
        assertEquals("10.77.0.2", say(owner, "from 10.77.0.2 10.77.0.1 " + (PORT + 1)));
        try (DriverStat stat = DriverStat.open(directory)) {
            assertTrue(TestDriver.counter(stat, CounterType.UNROUTED) > 0);
        }
    }

    /** An IPv6 address cannot be used for a second or two after it was set; the server has attached by then. */
    @ParameterizedTest
    @CsvSource({"10.79.0., 24, 0.0.0.0", "fd00:79::, 64, ::"})
    void containersOfABridgeReachEachOther(String network, int prefix, String any) throws IOException {
        in(
                driver,
                "ip link add br0 type bridge; ip address add " + network + "1/" + prefix
                        + " dev br0; ip link set br0 up");
        ChildJvm server = container("one", network + "2/" + prefix, "ip link set one master br0");
        ChildJvm client = container("two", network + "3/" + prefix, "ip link set two master br0");
        assertEquals("READY", say(server, "attach"));
        assertEquals("READY", say(client, "attach"));
        assertEquals("LISTENS", say(server, "listen " + any + " " + PORT));
        ChildJvm impostor = impostor(network + "2", network + "4");
        assertEquals("LISTENS", say(impostor, "listen " + network + "2 " + PORT));
        assertEquals("LISTENS", say(impostor, "listen " + network + "4 " + PORT));

        String source = Literals.address(network + "3").getHostAddress();
        assertEquals(source, awaitConnect(client, network + "2", PORT));
        assertEquals(source, say(server, "accept " + PORT));
        assertEquals("ECONNREFUSED", say(client, "connect " + network + "4 " + PORT));
        assertEquals("EAGAIN", say(impostor, "accept " + PORT));

        in(server, "ip address add " + network + "5/" + prefix + " dev eth0");
        assertEquals(source, awaitConnect(client, network + "5", PORT));
    }

    /** Retries until the kernel has resolved both addresses and has reported that; earlier connections fail. */
    private static String awaitConnect(ChildJvm client, String address, int port) throws IOException {
        String said = say(client, "connect " + address + " " + port);
        long deadline = System.nanoTime() + TestDriver.PATIENCE_NS;
        while (said.equals("ECONNREFUSED") && System.nanoTime() < deadline) {
            LockSupport.parkNanos(50_000_000);
            said = say(client, "connect " + address + " " + port);
        }
        return said;
    }
}
