// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.ZOOKEEPER;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Servers of ZooKeeper, each in a JVM of its own. One thread. */
final class ZooKeeperEnsemble {
    private static final long ELECTION_LIMIT_S = 60;

    /** The error that servers log when a connected server ends: at the end each of several servers loses one. */
    private static final String LOST =
            "SEVERE: ((Unexpected exception|Exception while sending packets) in LearnerHandler"
                    + "|Severe unrecoverable error, from thread : FollowerRequestProcessor).*";

    private final Stage stage;
    private final boolean pipeDevice;
    private final Path directory;
    private final int size;

    /** Ports for clients, for the leader's followers, and for elections. */
    private final List<Integer> ports;

    private final List<Program> servers = new ArrayList<>();

    ZooKeeperEnsemble(Stage stage, boolean pipeDevice, Path directory, int size) throws IOException {
        this.stage = stage;
        this.pipeDevice = pipeDevice;
        this.directory = directory;
        this.size = size;
        ports = Ports.free(3 * size);
        for (int i = 0; i < size; i++) {
            Path data = Files.createDirectory(data(i));
            Files.writeString(data.resolve("myid"), Integer.toString(i));
            Files.writeString(settings(i), properties(i));
        }
    }

    private Path data(int server) {
        return directory.resolve("server" + server);
    }

    private Path settings(int server) {
        return directory.resolve("server" + server + ".cfg");
    }

    private String properties(int server) {
        List<String> lines = new ArrayList<>(List.of(
                "tickTime=500",
                "initLimit=20",
                "syncLimit=10",
                "dataDir=" + data(server),
                "clientPort=" + ports.get(server),
                "clientPortAddress=127.0.0.1",
                "maxSessionTimeout=60000",
                // Disable the web server, which has no port here.
                "admin.enableServer=false"));
        if (size > 1) {
            IntStream.range(0, size)
                    .mapToObj(i -> "server." + i + "=127.0.0.1:" + ports.get(size + i) + ":" + ports.get(2 * size + i))
                    .forEach(lines::add);
        }
        return String.join("\n", lines) + "\n";
    }

    ZooKeeperEnsemble start() throws IOException, InterruptedException {
        for (int i = 0; i < size; i++) {
            servers.add(launch(i));
        }
        for (Program server : servers) {
            awaitBound(server);
        }
        return this;
    }

    private Program launch(int server) throws IOException {
        return stage.start(
                pipeDevice,
                JavaCommand.main(
                        "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                        ZOOKEEPER,
                        settings(server).toString()));
    }

    /** Waits until the port is bound; clients find out whether it serves then. */
    private static void awaitBound(Program server) throws InterruptedException {
        server.awaitLine("its port", line -> line.contains("binding to port"));
    }

    /** The argument of a client for this ensemble. */
    String argument() {
        return "servers="
                + ports.subList(0, size).stream()
                        .map(port -> "127.0.0.1:" + port)
                        .collect(Collectors.joining(","));
    }

    List<Program> servers() {
        return servers;
    }

    /** Waits until one of the running servers is the leader. */
    int leader() {
        return await().atMost(ELECTION_LIMIT_S, TimeUnit.SECONDS)
                .until(
                        () -> IntStream.range(0, size)
                                .filter(i -> servers.get(i).isAlive() && leads(servers.get(i)))
                                .findAny(),
                        OptionalInt::isPresent)
                .getAsInt();
    }

    /** Whether its last election made it the leader. */
    private static boolean leads(Program server) {
        String log = server.log();
        return log.lastIndexOf("LEADING - LEADER ELECTION TOOK") > log.lastIndexOf("FOLLOWING - LEADER ELECTION TOOK");
    }

    void kill(int server) throws InterruptedException {
        servers.get(server).kill();
    }

    void bringBack(int server) throws IOException, InterruptedException {
        servers.set(server, launch(server));
        awaitBound(servers.get(server));
    }

    void end() throws InterruptedException {
        for (Program server : servers) {
            server.terminateJvm();
            assertEquals(List.of(), errors(server), server::toString);
        }
    }

    /** A single server logs no such error. */
    private List<String> errors(Program server) {
        return server.errors().stream()
                .filter(line -> size == 1 || !line.matches(LOST))
                .toList();
    }
}
