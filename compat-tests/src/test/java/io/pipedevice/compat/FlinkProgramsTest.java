// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.FLINK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
 * A standalone cluster of Flink and a client that submits jobs. The job manager and one task manager are the servers of
 * a pairing, the other task manager and the client are the clients. Only in the full form.
 */
@Timeout(3600)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class FlinkProgramsTest {
    private static final int SLOTS = 2;

    /** What a job manager logs when the client asks for the results of a job that has just ended. */
    private static final String ENDED = "SEVERE: Unhandled exception.";

    @TempDir
    private Path directory;

    @RegisterExtension
    private final Stage stage = new Stage();

    @ParameterizedTest
    @EnumSource
    void taskManagersShuffle(Pairing pairing) throws IOException, InterruptedException {
        Cluster cluster = start(pairing);
        Program client = stage.start(pairing.client(), client(cluster));
        client.done();
        // A task manager makes half of the records, and sends half of these to the other one.
        long least = Sizes.some() / 4;
        switch (pairing) {
            case BOTH -> {
                new Counters(cluster.jobManager()).allAccelerated(1, 1);
                new Counters(cluster.first()).allAccelerated(least, least);
                new Counters(cluster.second()).allAccelerated(least, least);
                new Counters(client).allAccelerated(1, 1);
            }
            case SERVER_ONLY -> {
                checkMixed(cluster.jobManager());
                checkMixed(cluster.first());
            }
            case CLIENT_ONLY -> {
                new Counters(cluster.second()).allOnKernel(Counters.NO_RENDEZVOUS, Counters.NOT_PIPEDEVICE_PEER);
                new Counters(client).allOnKernel(Counters.NO_RENDEZVOUS);
            }
            case NEITHER -> {
                // Without PipeDevice there are no counters.
            }
        }
        end(cluster, client);
    }

    /** It is on rings with a program that has PipeDevice, and on the kernel with the others. */
    private static void checkMixed(Program one) throws IOException {
        Counters counters = new Counters(one);
        assertTrue(counters.accelerated() > 0, one::toString);
        long expected = counters.onKernel(Counters.NO_RENDEZVOUS) + counters.onKernel(Counters.NOT_PIPEDEVICE_PEER);
        assertTrue(expected > 0, one::toString);
        assertEquals(expected, counters.onKernel(), one::toString);
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Flink",
                                FLINK.version("flink-runtime"),
                                "a job manager and two task managers in JVMs of their own; shuffles with digests, as streams and in stages; the delay is that of a job",
                                "MB/s",
                                "brings epoll, which the agent says is unavailable"))
                .run(pairing -> {
                    Cluster cluster = start(pairing);
                    Program client =
                            stage.start(pairing.client(), client(cluster).and("measure=true"));
                    client.done();
                    Contest.Result result =
                            Contest.Result.of(pairing, cluster.jobManager(), cluster.first(), cluster.second(), client);
                    end(cluster, client);
                    return result;
                });
    }

    /** A job manager, whose REST interface has the port, and its task managers. */
    private record Cluster(int port, Program jobManager, Program first, Program second) {}

    private Cluster start(Pairing pairing) throws IOException, InterruptedException {
        List<Integer> ports = Ports.free(2);
        Path home = Files.createTempDirectory(directory, "home");
        Files.writeString(home.resolve("config.yaml"), settings(home, ports));
        String[] arguments = {"--configDir", home.toString()};
        String entry = "org.apache.flink.runtime.";
        Program jobManager = stage.start(
                pairing.server(), process(entry + "entrypoint.StandaloneSessionClusterEntrypoint", arguments));
        jobManager.awaitLine("that it is ready", line -> line.contains("Rest endpoint listening"));
        List<Program> taskManagers = new ArrayList<>();
        for (boolean with : List.of(pairing.server(), pairing.client())) {
            taskManagers.add(stage.start(with, process(entry + "taskexecutor.TaskManagerRunner", arguments)));
        }
        for (Program one : taskManagers) {
            one.awaitLine(
                    "that it is registered", line -> line.contains("Successful registration at resource manager"));
        }
        return new Cluster(ports.getFirst(), jobManager, taskManagers.getFirst(), taskManagers.getLast());
    }

    private static String settings(Path home, List<Integer> ports) {
        return String.join(
                "\n",
                "rest.address: 127.0.0.1",
                "rest.port: " + ports.getFirst(),
                "rest.bind-address: 127.0.0.1",
                "jobmanager.rpc.address: 127.0.0.1",
                "jobmanager.rpc.port: " + ports.getLast(),
                "jobmanager.bind-host: 127.0.0.1",
                "taskmanager.host: 127.0.0.1",
                "taskmanager.bind-host: 127.0.0.1",
                "taskmanager.numberOfTaskSlots: " + SLOTS,
                // What its start script computes from the size of the process.
                "taskmanager.cpu.cores: " + SLOTS,
                "taskmanager.memory.framework.heap.size: 64m",
                "taskmanager.memory.framework.off-heap.size: 64m",
                "taskmanager.memory.jvm-metaspace.size: 128m",
                "taskmanager.memory.jvm-overhead.min: 64m",
                "taskmanager.memory.jvm-overhead.max: 64m",
                "taskmanager.memory.task.heap.size: 128m",
                "taskmanager.memory.task.off-heap.size: 0",
                "taskmanager.memory.managed.size: 64m",
                "taskmanager.memory.network.min: 64m",
                "taskmanager.memory.network.max: 64m",
                "io.tmp.dirs: " + home,
                "");
    }

    private static JavaCommand process(String mainClass, String... arguments) {
        return JavaCommand.main(mainClass, FLINK, arguments).with(options());
    }

    private static JavaCommand client(Cluster cluster) {
        return JavaCommand.program(
                        "FlinkShuffle",
                        FLINK,
                        "port=" + cluster.port(),
                        "slots=" + 2 * SLOTS,
                        Sizes.size(Sizes.some()),
                        Sizes.limit())
                .with(options());
    }

    /** Those of its own settings, env.java.opts.all, that matter here. */
    private static String[] options() {
        List<String> options = new ArrayList<>(List.of("-Xmx512m", JavaCommand.NATIVE_ACCESS));
        Stream.of("lang", "net", "io", "nio", "util", "util.concurrent", "util.concurrent.atomic", "text", "time")
                .map(name -> "--add-opens=java.base/java." + name + "=ALL-UNNAMED")
                .forEach(options::add);
        return options.toArray(String[]::new);
    }

    private static void end(Cluster cluster, Program client) throws IOException, InterruptedException {
        client.end();
        for (Program one : List.of(cluster.second(), cluster.first(), cluster.jobManager())) {
            one.terminateJvm();
            assertEquals(
                    List.of(),
                    one.errors().stream().filter(line -> !line.equals(ENDED)).toList(),
                    one::toString);
        }
    }
}
