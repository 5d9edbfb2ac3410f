// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.jdk.Literals;
import io.pipedevice.program.NamespaceProgram;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The jar that programs load and the jar that has everything stand in for each other. */
@Timeout(480)
class TwoJarsIT {
    /** No other test listens there, so that a port that is free stays free. */
    private static final String ADDRESS = "127.20.30.40";

    /** A class that only tools, drivers or functions need, from each of their packages. */
    private static final List<String> LEFT_OUT = List.of("tool/", "driver/", "device/", "active/", "shaded/picocli/");

    private static ChildJvm program(Path jar) throws IOException {
        return ChildJvm.start(
                List.of(),
                List.of("-javaagent:" + jar, "-Dpipedevice.enabled=true"),
                "target/test-classes:"
                        + NamespaceProgram.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .getPath(),
                NamespaceProgram.class);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, Literals.address(ADDRESS))) {
            return socket.getLocalPort();
        }
    }

    private static Path jar(String name) {
        return name.equals("agent") ? Jvm.AGENT_JAR : Jvm.JAR;
    }

    @ParameterizedTest
    @CsvSource({"agent, agent", "agent, all", "all, agent"})
    void programsWithEitherJarConnectByRings(String server, String client) throws Exception {
        try (ChildJvm accepting = program(jar(server));
                ChildJvm connecting = program(jar(client))) {
            String at = " " + ADDRESS + " " + freePort();
            accepting.send("listen" + at);
            assertEquals("LISTENS", accepting.expect("SAID"));
            connecting.send("connect" + at);
            accepting.send("accept");
            String way = connecting.expect("SAID");
            assertTrue(way.contains("rings"), way);
            way = accepting.expect("SAID");
            assertTrue(way.contains("rings"), way);
        }
    }

    @Test
    void theAgentsJarHasNoToolsAndNoDriver() throws IOException {
        try (JarFile jar = new JarFile(Jvm.AGENT_JAR.toFile())) {
            List<String> tools = jar.stream()
                    .map(each -> each.getName().replace("io/pipedevice/", ""))
                    .filter(each -> LEFT_OUT.stream().anyMatch(each::startsWith))
                    .toList();
            assertEquals(List.of(), tools);
        }
    }

    @Test
    void theAgentsJarNamesTheJarWithTheCommands() throws Exception {
        Jvm.Result result = Jvm.java("-jar", Jvm.AGENT_JAR.toString(), "stat").run();
        assertEquals(
                new Jvm.Result(
                        1,
                        List.of(),
                        List.of(
                                "pipedevice: this jar is the agent (-javaagent:pipedevice-agent.jar); the commands are in"
                                        + " pipedevice.jar")),
                result);
    }
}
