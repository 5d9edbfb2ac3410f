// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.nio.stat.JvmStat;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Checks the counters that the JVM of a running program publishes about its connections. */
final class Counters {
    static final String NO_RENDEZVOUS = "no rendezvous";
    static final String PEER_NOT_LOCAL = "peer not local";
    static final String HANDSHAKE_FAILED = "handshake failed";
    static final String NOT_PIPEDEVICE_PEER = "not pipedevice peer";

    /** How long a JVM's last update may come after its peer saw the end of the connection. */
    private static final long LIMIT_S = 30;

    /** Connections that one restart of a peer may cost. */
    private static final int FEW = 8;

    private final String name;
    private final long pid;

    Counters(Program program) {
        name = program.toString();
        pid = program.pid();
    }

    /** The counters of a JVM that a program has started. */
    Counters(ProcessHandle process) {
        name = process.toString();
        pid = process.pid();
    }

    /**
     * Nothing went through the kernel, and everything that the programs report went through rings: those of a driver's
     * device if the tests have that, else each other's.
     */
    void allAccelerated(long sent, long received) {
        await().atMost(LIMIT_S, TimeUnit.SECONDS).untilAsserted(() -> {
            JvmStat stat = stat();
            assertEquals(Set.of(), stat.onKernel().keySet(), stat::toString);
            assertTrue(accelerated(stat) > 0, stat::toString);
            assertEquals(Stage.BY_DRIVER ? accelerated(stat) : 0, stat.device(), stat::toString);
            assertTrue(stat.bytesSent() >= sent && stat.bytesReceived() >= received, stat::toString);
        });
    }

    /** Connections were made, all on the kernel, and for just these reasons. */
    void allOnKernel(String... reasons) throws IOException {
        onKernelOnly(reasons);
        JvmStat stat = stat();
        assertEquals(0, accelerated(stat), stat::toString);
    }

    /** There are connections on the kernel for each of these reasons, and no others on it. */
    void onKernelOnly(String... reasons) throws IOException {
        JvmStat stat = stat();
        assertEquals(Set.of(reasons), stat.onKernel().keySet(), stat::toString);
    }

    /** Some went through the rings, and some through the kernel, all of those for one reason. */
    void mixed(String reason) throws IOException {
        onKernelOnly(reason);
        JvmStat stat = stat();
        assertTrue(accelerated(stat) > 0, stat::toString);
    }

    /** Most connections went through rings, unless there were only a few, and the others have one of these reasons. */
    void acceleratedOr(String... reasons) throws IOException {
        JvmStat stat = stat();
        long accelerated = accelerated(stat);
        assertTrue(Set.of(reasons).containsAll(stat.onKernel().keySet()), stat::toString);
        assertTrue(accelerated > 0, stat::toString);
        assertTrue(onKernel(stat) <= Math.max(FEW, accelerated), stat::toString);
    }

    /**
     * All connections are direct, but for a few that have one of these reasons, or went through the device: a process
     * that connects in its own network namespace, to a listener that is just opened, may not find it there.
     */
    void acceleratedButFew(String... reasons) throws IOException {
        acceleratedOr(reasons);
        JvmStat stat = stat();
        assertTrue(onKernel(stat) <= FEW && onKernel(stat) < accelerated(stat), stat::toString);
        assertTrue(stat.device() <= FEW && stat.device() < stat.direct(), stat::toString);
    }

    /** PipeDevice is active, and there is no connection of java.nio. */
    void nothing() throws IOException {
        JvmStat stat = stat();
        assertEquals("", stat.whyOff(), stat::toString);
        assertTrue(stat.onKernel().isEmpty() && accelerated(stat) == 0, stat::toString);
    }

    /** These classes of Netty were asked, and said that their transports are unavailable. */
    void switched(String... classes) throws IOException {
        assertEquals(List.of(classes), stat().switched());
    }

    long accelerated() throws IOException {
        return accelerated(stat());
    }

    private static long accelerated(JvmStat stat) {
        return stat.client() + stat.accepted();
    }

    /** Connections on rings that are open now. */
    long open() throws IOException {
        return stat().open();
    }

    long onKernel() throws IOException {
        return onKernel(stat());
    }

    private static long onKernel(JvmStat stat) {
        return stat.onKernel().values().stream().mapToLong(Long::longValue).sum();
    }

    long onKernel(String reason) throws IOException {
        return stat().onKernel().getOrDefault(reason, 0L);
    }

    /** In no test does a peer break the protocol. */
    private JvmStat stat() throws IOException {
        JvmStat stat = find().orElseThrow(() -> new AssertionError(name + " publishes no counters"));
        assertEquals(0, stat.violated(), stat::toString);
        return stat;
    }

    private Optional<JvmStat> find() throws IOException {
        return JvmStat.all().stream().filter(stat -> stat.pid() == pid).findAny();
    }
}
