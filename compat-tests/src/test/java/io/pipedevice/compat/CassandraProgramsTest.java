// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.CASSANDRA;
import static io.pipedevice.compat.JavaCommand.Library.CASSANDRA_SERVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cassandra and its Java driver. Cassandra sets a security manager, so it runs on no JDK after 23: here on a JDK 21,
 * and on a JDK 17, for which PipeDevice is too new. Only in the full form.
 */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class CassandraProgramsTest {
    /** What compat-tests/jdks.sh has fetched. */
    private static final Path JDK_21 = Path.of(System.getProperty("compat.jdks"), "21", "bin", "java");

    private static final Path SYSTEM_JDKS = Path.of("/usr/lib/jvm");

    @TempDir
    private Path directory;

    @RegisterExtension
    private final Stage stage = new Stage();

    private int port;

    @ParameterizedTest
    @EnumSource
    void cassandraServesItsDriver(Pairing pairing) throws IOException, InterruptedException {
        Program cassandra = cassandra(pairing.server(), jdk21());
        new Conversation(stage, pairing).runClient(cassandra, client());
        cassandra.terminateJvm();
    }

    @Test
    void onAnOlderJdkItServesItsDriver() throws IOException, InterruptedException {
        Program cassandra = cassandra(true, jdk17());
        assertEquals(
                1,
                cassandra
                        .log()
                        .lines()
                        .filter(line -> line.startsWith("PipeDevice "))
                        .count(),
                cassandra::log);
        new Conversation(stage, Pairing.CLIENT_ONLY).runClient(cassandra, client());
        cassandra.terminateJvm();
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        Path java = jdk21();
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Cassandra's Java driver",
                                CASSANDRA.version("java-driver-core"),
                                "server Cassandra " + CASSANDRA_SERVER.version("cassandra-all")
                                        + " on JDK 21; rows of up to 1 MB, requests at once, batches, pages, 20 sessions",
                                "reads/s",
                                "both bring epoll, which the agent says is unavailable; Cassandra runs on no JDK after 23"))
                .run(pairing -> {
                    Program cassandra = cassandra(pairing.server(), java);
                    Program client = stage.start(pairing.client(), client().and("measure=true"));
                    client.done();
                    Contest.Result result = Contest.Result.of(pairing, cassandra, client);
                    client.end();
                    cassandra.terminateJvm();
                    return result;
                });
    }

    private static Path jdk21() {
        assumeTrue(
                Files.isExecutable(JDK_21),
                () -> "there is no " + JDK_21 + ", for Cassandra: compat-tests/jdks.sh fetches it");
        return JDK_21;
    }

    private static Path jdk17() throws IOException {
        Path found = null;
        if (Files.isDirectory(SYSTEM_JDKS)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(SYSTEM_JDKS, "java-17-openjdk-*")) {
                for (Path each : all) {
                    found = each.resolve("bin").resolve("java");
                }
            }
        }
        assumeTrue(found != null, "no JDK 17 is installed: Debian has it in the package openjdk-17-jdk-headless");
        return found;
    }

    private Program cassandra(boolean pipeDevice, Path java) throws IOException, InterruptedException {
        List<Integer> ports = Ports.free(2);
        port = ports.getFirst();
        Path home = Files.createTempDirectory(directory, "home");
        Path settings = home.resolve("cassandra.yaml");
        Files.writeString(settings, settings(ports));
        Program cassandra = stage.start(
                pipeDevice,
                JavaCommand.main("org.apache.cassandra.service.CassandraDaemon", CASSANDRA_SERVER)
                        .with(options(home, settings))
                        .on(java));
        cassandra.awaitLine("that it is ready", line -> line.contains("Starting listening for CQL clients"));
        return cassandra;
    }

    private static String settings(List<Integer> ports) {
        return String.join(
                "\n",
                "cluster_name: programs",
                "num_tokens: 1",
                "partitioner: org.apache.cassandra.dht.Murmur3Partitioner",
                "endpoint_snitch: SimpleSnitch",
                "listen_address: 127.0.0.1",
                "rpc_address: 127.0.0.1",
                "start_native_transport: true",
                "native_transport_port: " + ports.getFirst(),
                "storage_port: " + ports.getLast(),
                "commitlog_sync: periodic",
                "commitlog_sync_period: 10s",
                "seed_provider:",
                "  - class_name: org.apache.cassandra.locator.SimpleSeedProvider",
                "    parameters:",
                "      - seeds: 127.0.0.1:" + ports.getLast(),
                "");
    }

    /** Those of its own files, jvm-server.options and jvm17-server.options, that it needs. */
    private static String[] options(Path home, Path settings) {
        List<String> options = new ArrayList<>(List.of(
                "-Xmx512m",
                "-Djava.security.manager=allow",
                "-Djdk.attach.allowAttachSelf=true",
                "-Dcassandra.config=" + settings.toUri(),
                "-Dcassandra.storagedir=" + home,
                "-Djava.io.tmpdir=" + home,
                "-Dcassandra-foreground=yes",
                // Without other nodes there is nothing to wait for.
                "-Dcassandra.skip_wait_for_gossip_to_settle=0",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-exports=java.management.rmi/com.sun.jmx.remote.internal.rmi=ALL-UNNAMED",
                "--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED",
                "--add-exports=java.rmi/sun.rmi.server=ALL-UNNAMED",
                "--add-exports=java.sql/java.sql=ALL-UNNAMED",
                "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED"));
        Stream.of(
                        "java.io",
                        "java.lang",
                        "java.lang.module",
                        "java.lang.reflect",
                        "java.net",
                        "java.nio",
                        "java.util",
                        "java.util.concurrent",
                        "java.util.concurrent.atomic",
                        "jdk.internal.loader",
                        "jdk.internal.math",
                        "jdk.internal.module",
                        "jdk.internal.ref",
                        "jdk.internal.reflect",
                        "sun.nio.ch")
                .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
                .forEach(options::add);
        return options.toArray(String[]::new);
    }

    private JavaCommand client() {
        return JavaCommand.program(
                        "CassandraClient", CASSANDRA, "port=" + port, Sizes.size(Sizes.some()), Sizes.limit())
                .with(JavaCommand.NATIVE_ACCESS);
    }
}
