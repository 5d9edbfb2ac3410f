// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.program.NamespaceProgram;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Containers of Podman, with its seccomp profile, namespaces of their own and a read-only root file system. The
 * programs read commands; those of the samples do what docs/containers.md says.
 */
@Tag("containers")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ContainersIT {
    /** A jar, or a directory of classes. */
    private static final Path PROGRAMS = Path.of(NamespaceProgram.class
            .getProtectionDomain()
            .getCodeSource()
            .getLocation()
            .getPath());

    private static final Path JAR =
            Path.of(System.getProperty("pipedevice.all.jar")).toAbsolutePath();
    private static final Path AGENT_JAR =
            Path.of(System.getProperty("pipedevice.agent.jar")).toAbsolutePath();
    private static final Path SAMPLES = Path.of("../samples").toAbsolutePath().normalize();
    private static final Path KUBERNETES =
            Path.of("../kubernetes/base").toAbsolutePath().normalize();
    private static final String DRIVER_IMAGE = "localhost/" + Podman.name("driver");
    private static final String RUN = "/run/pipedevice";
    private static final String TRIPS = Podman.name("round-trips");
    private static final int PORT = 9000;
    private static final int LENGTH = 3_000_000;
    private static final long PATIENCE_S = 60;

    @TempDir
    private static Path shared;

    private static Podman podman;
    private static String base;

    @TempDir
    private Path directory;

    private final Deque<ChildJvm> children = new ArrayDeque<>();
    private int mark;

    @BeforeAll
    static void makeImages() throws IOException {
        podman = new Podman(shared);
        base = podman.base();
    }

    @AfterAll
    static void removeImages() throws IOException {
        if (podman != null) {
            podman.close();
        }
    }

    /** The end of a skipped test must not remove the images. */
    @BeforeEach
    void begin() {
        mark = podman.mark();
    }

    @AfterEach
    void end() throws IOException {
        podman.undo(mark);
        while (!children.isEmpty()) {
            children.removeLast().close();
        }
    }

    private ChildJvm keep(ChildJvm child) {
        children.add(child);
        return child;
    }

    private void startDriver(String... options) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-jar",
                JAR.toString(),
                "driver",
                "--dir",
                directory.toString()));
        command.addAll(List.of(options));
        keep(ChildJvm.of(new ProcessBuilder(command))).expect("driver with");
        Files.setPosixFilePermissions(directory.resolve("driver.sock"), PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    private static List<String> program(String jar, String directory, String classes) {
        return List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx96m",
                "-javaagent:" + jar,
                "-Dpipedevice.driver=" + directory,
                "-cp",
                classes,
                NamespaceProgram.class.getName());
    }

    private ChildJvm container(String name, String... flags) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "--read-only",
                "-v",
                directory + ":" + RUN + ":ro",
                "-v",
                JAR + ":/app/pipedevice.jar:ro",
                "-v",
                AGENT_JAR + ":/app/pipedevice-agent.jar:ro",
                "-v",
                PROGRAMS + ":/app/programs:ro"));
        for (String each : flags) {
            if (!each.isEmpty()) {
                all.addAll(List.of(each.split(" ")));
            }
        }
        List<String> command = new ArrayList<>(List.of("java"));
        command.addAll(program("/app/pipedevice-agent.jar", RUN, "/app/programs"));
        ChildJvm child = keep(podman.start(Podman.name(name), all, base, command));
        child.expect("STARTED");
        return child;
    }

    /** A program in the host's own namespaces. */
    private ChildJvm onTheHost() throws IOException {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        command.addAll(program(JAR.toString(), directory.toString(), PROGRAMS.toString()));
        ChildJvm child = keep(ChildJvm.of(new ProcessBuilder(command)));
        child.expect("STARTED");
        return child;
    }

    private static String say(ChildJvm child, String line) throws IOException {
        child.send(line);
        return child.expect("SAID");
    }

    private static void assertWay(String way, ChildJvm client, String connect, ChildJvm server) throws IOException {
        client.send(connect);
        server.send("accept");
        String accepted = server.expect("SAID");
        String connected = client.expect("SAID");
        assertEquals(way, connected.split(" ", -1)[2], connected);
        assertEquals(way, accepted.split(" ", -1)[2], accepted);
        assertStreams(client, server);
        assertStreams(server, client);
    }

    private static void assertStreams(ChildJvm from, ChildJvm to) throws IOException {
        from.send("send " + LENGTH);
        assertEquals("RECEIVED", say(to, "receive " + LENGTH));
        assertEquals("SENT", from.expect("SAID"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "same-user | '' | '' | rings",
                "same-user | --cap-drop=all --security-opt=no-new-privileges |"
                        + " --cap-drop=all --security-opt=no-new-privileges | rings",
                "same-user | --user=1000 | --user=1000 | rings",
                "same-user | --user=1000 | --user=2000 | kernel(other-user)",
                "same-user | --uidmap=0:100000:65536 | --uidmap=0:100000:65536 | rings",
                "same-user | --uidmap=0:100000:65536 | --uidmap=0:200000:65536 | kernel(other-user)",
                "same-user | --uidmap=0:100000:65536 | '' | kernel(other-user)",
                "any | --user=1000 | --user=2000 --cap-drop=all | rings",
                // Podman makes the network namespace within the user namespace, whose root could choose the numbers by
                // which the driver knows the ends of a connection.
                "any | --uidmap=0:100000:65536 | --uidmap=0:200000:65536 | kernel(other-user)"
            })
    void thePolicyDecidesThePathBetweenTwoContainersOnABridge(
            String policy, String ofServer, String ofClient, String way) throws IOException {
        startDriver("--policy", policy);
        ChildJvm server = container("server", ofServer);
        ChildJvm client = container("client", ofClient);
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        String connect = " " + podman.address(Podman.name("server")) + " " + PORT;
        assertWay(way, client, "connect" + connect, server);
        if (way.equals("rings")) {
            assertWay(way, client, "begin" + connect, server);
            String stat = podman.podman("exec", Podman.name("server"), "java", "-jar", "/app/pipedevice.jar", "stat");
            assertTrue(stat.contains("2  accelerated connections accepted"), stat);
        }
    }

    @Test
    void aPublishedPortAndTheHostLeadToRings() throws IOException {
        startDriver();
        String network = Podman.name("network");
        podman.afterwards("podman", "network", "rm", "-f", network);
        podman.podman("network", "create", network);
        ChildJvm server = container("server", "-p 19000:" + PORT);
        ChildJvm client = container("client");
        ChildJvm other = container("other", "--network=" + network);
        ChildJvm host = onTheHost();
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        String gateway = podman.podman(
                "inspect", Podman.name("server"), "--format", "{{range .NetworkSettings.Networks}}{{.Gateway}}{{end}}");
        String address = podman.address(Podman.name("server"));
        assertWay("rings", host, "connect " + address + " " + PORT, server);
        assertWay("rings", client, "connect " + gateway + " 19000", server);
        // Its address is masqueraded, with the same port.
        assertWay("rings", other, "connect " + address + " " + PORT, server);
        assertEquals("LISTENS", say(host, "listen 0.0.0.0 19001"));
        assertWay("rings", client, "connect " + gateway + " 19001", host);
    }

    @Test
    void aPortPublishedAtTheHostsOwnAddressesLeadsItsProgramsToRings() throws IOException {
        startDriver();
        ChildJvm server = container("server", "-p 127.0.0.1:19002:" + PORT, "-p 19003:" + PORT);
        ChildJvm host = onTheHost();
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
        String gateway = podman.podman(
                "inspect", Podman.name("server"), "--format", "{{range .NetworkSettings.Networks}}{{.Gateway}}{{end}}");
        for (String connect : List.of("connect", "begin")) {
            assertWay("rings", host, connect + " 127.0.0.1 19002", server);
            assertWay("rings", host, connect + " 127.0.0.1 19003", server);
            assertWay("rings", host, connect + " " + gateway + " 19003", server);
        }
    }

    /** What the samples' client prints in the end. */
    private static void awaitRings(String client) throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        String log = "";
        while (System.nanoTime() < until) {
            log = podman.podman("logs", "--tail", "1", client);
            if (log.endsWith(" rings]")) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new AssertionError(log);
    }

    /** The images of the samples, and a driver in a container as the DaemonSet has it. */
    private void startSamples() throws IOException {
        mark = podman.mark();
        assumeTrue(Files.isDirectory(SAMPLES.resolve("target")), "the samples are not built");
        Path containers = SAMPLES.resolve("containers");
        podman.build(
                "localhost/" + TRIPS, base, containers.resolve("Containerfile").toString(), SAMPLES.resolve("target"));
        podman.build(
                DRIVER_IMAGE, base, containers.resolve("Containerfile.driver").toString(), JAR.getParent());
        podman.afterwards("podman", "rm", "-f", "-i", "-t", "0", Podman.name("driver"));
        podman.podman(driverOfTheDaemonSet().toArray(new String[0]));
    }

    /**
     * Podman 4.3 knows no DaemonSet, and ignores hostPID. So the command, the capabilities and the policy of the one in
     * kubernetes/base go to {@code podman run}.
     */
    private List<String> driverOfTheDaemonSet() throws IOException {
        Map<?, ?> set = (Map<?, ?>) new Load(LoadSettings.builder().build())
                .loadFromString(Files.readString(KUBERNETES.resolve("driver.yaml")));
        Map<?, ?> spec = below(set, "spec", "template", "spec");
        Map<?, ?> container = (Map<?, ?>) ((List<?>) spec.get("containers")).get(0);
        Map<?, ?> capabilities = below(container, "securityContext", "capabilities");
        assertEquals(List.of("ALL"), capabilities.get("drop"));
        assertEquals(true, spec.get("hostPID"));
        List<String> command = new ArrayList<>(List.of("run", "-d", "--name", Podman.name("driver"), "--pid=host"));
        command.addAll(List.of("--read-only", "--security-opt=no-new-privileges", "--cap-drop=all"));
        ((List<?>) capabilities.get("add")).forEach(each -> command.add("--cap-add=" + each));
        command.addAll(List.of("-v", directory + ":" + RUN, "-v", KUBERNETES + ":/etc/pipedevice:ro", DRIVER_IMAGE));
        ((List<?>) container.get("command")).forEach(each -> command.add(each.toString()));
        return command;
    }

    private static Map<?, ?> below(Map<?, ?> map, String... keys) {
        Map<?, ?> at = map;
        for (String each : keys) {
            at = (Map<?, ?>) at.get(each);
        }
        return at;
    }

    /** A file of the samples with names, a directory and a jar of this test. */
    private String sample(String file) throws IOException {
        return Files.readString(SAMPLES.resolve("containers").resolve(file))
                .replace("round-trips", TRIPS)
                .replace("- " + RUN + ":", "- " + directory + ":")
                .replace("- jar:", "- " + JAR.getParent() + ":");
    }

    /** Runs {@code pipedevice kube inject} from one file to another. */
    private void inject(Path from, Path to, String... options) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("sh", "-ec", "from=$1; to=$2; shift 2; \"$@\" <$from >$to", "sh"));
        command.addAll(List.of(from.toString(), to.toString(), System.getProperty("java.home") + "/bin/java"));
        command.addAll(List.of("-jar", JAR.toString(), "kube", "inject"));
        command.addAll(List.of(options));
        podman.run(command.toArray(new String[0]));
    }

    @Test
    void injectedPodsConnectByRings() throws Exception {
        assumeTrue(Podman.isInstalled("catatonit"), "catatonit is missing: apt-get install catatonit");
        startSamples();
        podman.leaveAsFound("network", "podman-default-kube-network");
        podman.leaveAsFound("image", "localhost/podman-pause");
        Path plain = Files.writeString(directory.resolve("plain.yaml"), sample("pods.yaml"));
        Path pods = directory.resolve("pods.yaml");
        inject(plain, pods, "--driver", directory.toString(), "--image", DRIVER_IMAGE + ":latest");
        podman.afterwards("podman", "kube", "down", pods.toString());
        podman.podman("kube", "play", pods.toString());
        awaitRings(TRIPS + "-client-client");
        assertTrue(podman.podman("logs", Podman.name("driver")).contains("driver with"));
        Path removed = directory.resolve("removed.yaml");
        inject(pods, removed, "--remove");
        assertEquals(Files.readString(plain), Files.readString(removed));
    }

    /** podman-compose 1.0 knows no pid: host; so the driver was started before, and the jar comes by a volume. */
    @Test
    void theContainersOfTheSamplesComposeFileConnectByRings() throws Exception {
        assumeTrue(Podman.isInstalled("podman-compose"), "podman-compose is missing: apt-get install podman-compose");
        startSamples();
        String services = sample("compose.yaml")
                .replaceAll(" {2}driver:\n( {4}.*\n)+", "")
                .replace("    depends_on: [driver]\n", "");
        String project = Podman.name("compose");
        Path file = Files.writeString(directory.resolve("compose.yaml"), services);
        podman.afterwards("podman", "network", "rm", "-f", project + "_default");
        podman.afterwards("podman", "volume", "rm", "-f", project + "_jar");
        podman.afterwards("podman", "rm", "-f", "-i", "-t", "0", project + "_client_1", project + "_server_1");
        podman.run("podman-compose", "-p", project, "-f", file.toString(), "up", "-d");
        awaitRings(project + "_client_1");
    }
}
