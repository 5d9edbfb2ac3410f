// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.jdk.Literals;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessFactsTest {
    private static final int SELF = (int) ProcessHandle.current().pid();

    /** Above the largest number that Linux can give to a process. */
    private static final int NOBODY = (1 << 22) + 1;

    @Test
    void addressesOfThisProcessAreThoseOfItsInterfaces() throws IOException {
        Set<InetAddress> expected = new HashSet<>();
        for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
            network.inetAddresses()
                    .map(address -> withoutScope(address.getAddress()))
                    .forEach(expected::add);
        }
        assertEquals(expected, ProcessFacts.localAddresses(0));
        assertEquals(expected, ProcessFacts.localAddresses(SELF));
    }

    @Test
    void childInANamespaceOfItsOwnHasOtherFacts() throws Exception {
        String flags = ProcessFacts.effectiveUid() == 0 ? "-n" : "-rn";
        // The script prints "ready", then waits for the end of its input, and so ends with this process in any case.
        String script = "ip link set lo up && ip address add 198.51.100.7/24 dev lo && echo ready && read line";
        try (Child child = Child.start("unshare", flags, "sh", "-c", script)) {
            byte[] said = child.process().getInputStream().readNBytes(6);
            assumeTrue(new String(said, java.nio.charset.StandardCharsets.US_ASCII).equals("ready\n"), "no unshare");
            int pid = child.pid();
            assertNotEquals(ProcessFacts.networkNamespace(0), ProcessFacts.networkNamespace(pid));
            Set<InetAddress> addresses = ProcessFacts.localAddresses(pid);
            assertTrue(addresses.contains(Literals.address("127.0.0.1")), addresses.toString());
            assertTrue(addresses.contains(Literals.address("198.51.100.7")), addresses.toString());
            assertFalse(addresses.contains(Literals.address("198.51.100.0")), addresses.toString());
            assertFalse(addresses.contains(Literals.address("198.51.100.255")), addresses.toString());
            assertEquals("sh", ProcessFacts.commandName(pid));
            assertTrue(ProcessFacts.openFds(pid) >= 3);
            assertTrue(ProcessFacts.startTime(pid) >= ProcessFacts.startTime(0));
        }
    }

    @Test
    void processesWithoutANamespaceOfTheirOwnShareOurs() throws Exception {
        assertEquals(ProcessFacts.networkNamespace(SELF), ProcessFacts.networkNamespace(0));
        try (Child child = Child.start("sleep", "60")) {
            assertEquals(ProcessFacts.networkNamespace(0), ProcessFacts.networkNamespace(child.pid()));
        }
    }

    @Test
    void openDescriptorsAreCounted() throws IOException {
        int before = ProcessFacts.openFds(0);
        try (EventFd first = EventFd.open();
                EventFd second = EventFd.open()) {
            assertNotEquals(first.fd().number(), second.fd().number());
            assertEquals(before + 2, ProcessFacts.openFds(0));
            assertEquals(before + 2, ProcessFacts.openFds(SELF));
        }
        assertEquals(before, ProcessFacts.openFds(0));
    }

    @Test
    void mappingsAreListed() throws IOException {
        var entries = ProcessFacts.maps(0);
        assertTrue(entries.stream().anyMatch(entry -> entry.path().equals("[stack]")));
        assertTrue(entries.stream().anyMatch(entry -> entry.path().endsWith("libjvm.so") && entry.inode() != 0));
        for (ProcessFacts.MapEntry entry : entries) {
            assertTrue(Long.compareUnsigned(entry.start(), entry.end()) < 0, entry.toString());
            assertEquals(4, entry.perms().length());
        }
    }

    @Test
    void startTimeIsWhenTheProcessStarted() throws Exception {
        try (Child child = Child.start("sleep", "60")) {
            long ticks = SystemCalls.clockTicksPerSecond();
            Instant started = ProcessHandle.current().info().startInstant().orElseThrow();
            long expected = Duration.between(started, Instant.now()).toMillis() * ticks / 1000;
            long actual = ProcessFacts.startTime(child.pid()) - ProcessFacts.startTime(0);
            assertTrue(Math.abs(actual - expected) < 5 * ticks, actual + " ticks, expected " + expected);
        }
    }

    @Test
    void processorTimeGrowsWithWork() throws IOException {
        double before = ProcessFacts.cpuSeconds(0);
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            long work = 0;
            for (int i = 0; i < 50_000_000; i++) {
                work += Integer.bitCount(i);
            }
            return work > 0 && ProcessFacts.cpuSeconds(0) >= before + 0.05;
        });
    }

    @Test
    void namesWithSpacesAndParenthesesDoNotConfuse() throws Exception {
        String name = "a) b (c) 1 2";
        try (Child child = Child.start("sh", "-c", "printf '" + name + "' > /proc/$$/comm; echo set; read line")) {
            assertEquals('s', child.process().getInputStream().read());
            assertEquals(name, ProcessFacts.commandName(child.pid()));
            assertTrue(ProcessFacts.startTime(child.pid()) >= ProcessFacts.startTime(0));
            assertTrue(ProcessFacts.cpuSeconds(child.pid()) < ProcessFacts.cpuSeconds(0), "a shell beside this JVM");
        }
    }

    @Test
    void reportsThatThereIsNoSuchProcess() {
        for (org.junit.jupiter.api.function.Executable call : new org.junit.jupiter.api.function.Executable[] {
            () -> ProcessFacts.networkNamespace(NOBODY),
            () -> ProcessFacts.localAddresses(NOBODY),
            () -> ProcessFacts.openFds(NOBODY),
            () -> ProcessFacts.maps(NOBODY),
            () -> ProcessFacts.commandName(NOBODY),
            () -> ProcessFacts.startTime(NOBODY),
            () -> ProcessFacts.cpuSeconds(NOBODY)
        }) {
            IOException e = assertThrows(IOException.class, call);
            assertTrue(e.getMessage().startsWith("cannot "), e.getMessage());
            assertTrue(e.getMessage().endsWith(": no such process"), e.getMessage());
            assertTrue(e.getMessage().contains("/proc/" + NOBODY + "/"), e.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> ProcessFacts.maps(-1));
    }

    private static InetAddress withoutScope(byte[] address) {
        try {
            return InetAddress.getByAddress(address);
        } catch (java.net.UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
