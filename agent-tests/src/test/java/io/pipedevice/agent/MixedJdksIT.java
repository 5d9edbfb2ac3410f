// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.jdk.Literals;
import io.pipedevice.program.NamespaceProgram;
import io.pipedevice.test.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs on different JDKs connect by rings, between peers and through a driver on any of them. */
@Tag("jdks")
@Timeout(480)
class MixedJdksIT {
    /** No other test listens there, so that a port that is free stays free. */
    private static final String ADDRESS = "127.20.30.41";

    private static final int LENGTH = 3_000_000;
    private static final String PROGRAMS = NamespaceProgram.class
            .getProtectionDomain()
            .getCodeSource()
            .getLocation()
            .getPath();

    @TempDir
    private Path directory;

    /** A directory with a JDK in each of its directories, which have their versions as names. */
    private static Path jdks() {
        return Path.of(System.getProperty("pipedevice.test.jdks"));
    }

    private static List<String> versions() {
        String[] names = jdks().toFile().list((parent, name) -> name.matches("\\d\\d"));
        return Arrays.stream(names).sorted().toList();
    }

    static Stream<Arguments> pairs() {
        return versions().stream().flatMap(one -> versions().stream().map(other -> Arguments.of(one, other)));
    }

    private static ChildJvm start(String version, List<String> flags, String... program) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(jdks().resolve(version).resolve("bin").resolve("java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx96m"));
        command.addAll(flags);
        command.addAll(List.of(program));
        return ChildJvm.of(new ProcessBuilder(command));
    }

    private static ChildJvm program(String version, String... flags) throws IOException {
        List<String> all = new ArrayList<>(List.of(flags));
        // A server that gets no processor accepts late.
        all.addAll(List.of(
                "-javaagent:" + Jvm.AGENT_JAR, "-Dpipedevice.enabled=true", "-Dpipedevice.handshake.millis=10000"));
        String classPath = "target/test-classes" + File.pathSeparator + PROGRAMS;
        return start(version, all, "-cp", classPath, NamespaceProgram.class.getName());
    }

    private static void exchange(ChildJvm server, ChildJvm client, String path) throws IOException {
        String at = " " + ADDRESS + " " + freePort();
        server.send("listen" + at);
        assertEquals("LISTENS", server.expect("SAID"));
        client.send("connect" + at);
        server.send("accept");
        for (ChildJvm each : List.of(client, server)) {
            String way = each.expect("SAID");
            assertTrue(way.endsWith(" rings " + path), way);
        }
        stream(client, server);
        stream(server, client);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, Literals.address(ADDRESS))) {
            return socket.getLocalPort();
        }
    }

    private static void stream(ChildJvm from, ChildJvm to) throws IOException {
        from.send("send " + LENGTH);
        to.send("receive " + LENGTH);
        assertEquals("RECEIVED", to.expect("SAID"));
        assertEquals("SENT", from.expect("SAID"));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void programsOnDifferentJdksConnectByRings(String one, String other) throws Exception {
        try (ChildJvm server = program(one);
                ChildJvm client = program(other)) {
            exchange(server, client, "direct");
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void aDriverOnAnyJdkServesThemAll(String version) throws Exception {
        String dir = directory.resolve("driver").toString();
        List<String> device = List.of("-Dpipedevice.driver.path=device", "--enable-native-access=ALL-UNNAMED");
        try (ChildJvm driver = start(version, device, "-jar", Jvm.JAR.toString(), "driver", "--dir", dir)) {
            driver.expect("driver with");
            for (String each : versions()) {
                try (ChildJvm server = program(each, "-Dpipedevice.driver=" + dir);
                        ChildJvm client = program(version, "-Dpipedevice.driver=" + dir)) {
                    exchange(server, client, "device");
                }
            }
        }
    }
}
