// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.program.socket.LeakProgram;
import io.pipedevice.program.socket.SocketProgram;
import io.pipedevice.program.socket.StreamAllocation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program of java.net's sockets sees the same with and without the agent, in every placement. */
@Timeout(480)
class SocketsIT {
    private static final String AGENT = "-javaagent:" + Jvm.AGENT_JAR;
    private static final List<String> ALL_KINDS = List.of(
            "CLIENT",
            "ACCEPTED",
            "CLIENT_OF_CHANNEL",
            "ACCEPTED_FROM_CHANNEL",
            "CLIENT_ON_KERNEL",
            "ACCEPTED_ON_KERNEL");
    private static final String IPV4 = "-Djava.net.preferIPv4Stack=true";

    /** The scenarios of the program that have to do with addresses. */
    private static final List<String> ADDRESSES = List.of("CLIENT", "-", "address", "IPv6", "states", "connect");

    @TempDir
    private Path dir;

    /** Begins to run the program. */
    private static CompletableFuture<Jvm.Result> start(List<String> flags, List<String> args) {
        List<String> command = new ArrayList<>(flags);
        command.addAll(List.of(
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "-cp",
                "target/test-classes",
                SocketProgram.class.getName()));
        command.addAll(args);
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return Jvm.java(command.toArray(String[]::new)).run();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                },
                each -> Thread.ofPlatform().start(each));
    }

    private static void assertSame(CompletableFuture<Jvm.Result> jdk, CompletableFuture<Jvm.Result> ours) {
        assertEquals(List.of(), ours.join().err());
        assertEquals(0, ours.join().exit());
        assertEquals(without(jdk, ours), without(ours, jdk));
    }

    /** The lines of one program that the other has not printed. */
    private static String without(CompletableFuture<Jvm.Result> lines, CompletableFuture<Jvm.Result> others) {
        List<String> left = new ArrayList<>(lines.join().out());
        left.removeAll(others.join().out());
        return String.join("\n", left);
    }

    @Test
    void readAndWriteAllocateNothing() throws Exception {
        Jvm.Result result = Jvm.java(AGENT, "-cp", "target/test-classes", StreamAllocation.class.getName())
                .run();
        assertEquals(List.of("0"), result.out(), result::toString);
    }

    @Test
    void aLeakedSocketThatWouldLingerDelaysNoOther() throws Exception {
        Jvm.Result result = Jvm.java(
                        AGENT,
                        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                        "-cp",
                        "target/test-classes",
                        LeakProgram.class.getName())
                .run();
        assertEquals(List.of("true"), result.out(), result::toString);
    }

    @Test
    void aProgramSeesWhatItSeesWithoutTheAgent() throws Exception {
        try (PipeDeviceDriver driver = PipeDeviceDriver.launch(new DriverContext().directory(dir))) {
            CompletableFuture<Jvm.Result> jdk = start(List.of(), ALL_KINDS);
            CompletableFuture<Jvm.Result> peers = start(List.of(AGENT), ALL_KINDS);
            CompletableFuture<Jvm.Result> device = start(List.of(AGENT, "-Dpipedevice.driver=" + dir), ALL_KINDS);
            CompletableFuture<Jvm.Result> jdkIpv4 = start(List.of(IPV4), ADDRESSES);
            CompletableFuture<Jvm.Result> peersIpv4 = start(List.of(AGENT, IPV4), ADDRESSES);
            assertTrue(jdk.join().out().size() > 300, jdk.join()::toString);
            assertSame(jdk, peers);
            assertSame(jdk, device);
            assertSame(jdkIpv4, peersIpv4);
            assertTrue(driver.toString().length() > 0);
        }
    }
}
