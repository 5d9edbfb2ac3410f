// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.KAFKA;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Brokers of Kafka, each in a JVM of its own, which also form their quorum (KRaft). One thread. */
final class KafkaCluster {
    private static final String ID = "AAAAAAAAAAAAAAAAAAAAAQ";

    private final Stage stage;
    private final Network network;
    private final boolean pipeDevice;
    private final Path directory;
    private final List<Integer> ports;
    private final List<Integer> controllerPorts;
    private final List<Program> brokers = new ArrayList<>();
    private String[] options = {};

    /** Formats the storage of {@code size} brokers below a directory. */
    KafkaCluster(Stage stage, boolean pipeDevice, Path directory, int size) throws IOException, InterruptedException {
        this(stage, Network.LOOPBACK, pipeDevice, directory, size);
    }

    /** The same, on the first members of a network. */
    KafkaCluster(Stage stage, Network network, boolean pipeDevice, Path directory, int size)
            throws IOException, InterruptedException {
        this.stage = stage;
        this.network = network;
        this.pipeDevice = pipeDevice;
        this.directory = directory;
        List<Integer> all = Ports.free(2 * size);
        ports = all.subList(0, size);
        controllerPorts = all.subList(size, 2 * size);
        List<Program> formats = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Files.writeString(settings(i), properties(i));
            formats.add(stage.start(
                    false,
                    JavaCommand.main(
                            "kafka.tools.StorageTool",
                            KAFKA,
                            "format",
                            "-t",
                            ID,
                            "-c",
                            settings(i).toString())));
        }
        for (Program format : formats) {
            format.end();
        }
    }

    private Path settings(int broker) {
        return directory.resolve("broker" + broker + ".properties");
    }

    private String properties(int broker) {
        int size = ports.size();
        String voters = IntStream.range(0, size)
                .mapToObj(i -> i + "@" + network.address(i) + ":" + controllerPorts.get(i))
                .collect(Collectors.joining(","));
        return String.join(
                "\n",
                "process.roles=broker,controller",
                "node.id=" + broker,
                "controller.quorum.voters=" + voters,
                "listeners=PLAINTEXT://" + network.address(broker) + ":" + ports.get(broker) + ",CONTROLLER://"
                        + network.address(broker) + ":" + controllerPorts.get(broker),
                "controller.listener.names=CONTROLLER",
                "log.dirs=" + directory.resolve("broker" + broker),
                "offsets.topic.replication.factor=" + size,
                "offsets.topic.num.partitions=4",
                "transaction.state.log.replication.factor=" + size,
                "transaction.state.log.min.isr=" + (size + 1) / 2,
                "transaction.state.log.num.partitions=4",
                "share.coordinator.state.topic.replication.factor=" + size,
                "share.coordinator.state.topic.min.isr=1",
                "min.insync.replicas=" + (size + 1) / 2,
                "group.initial.rebalance.delay.ms=0",
                // The default is half of the memory of a test's JVM.
                "log.cleaner.dedupe.buffer.size=2097152",
                "");
    }

    /** Adds options for the JVMs of brokers that are started from now on. */
    KafkaCluster with(String... more) {
        options = more;
        return this;
    }

    KafkaCluster start() throws IOException, InterruptedException {
        for (int i = 0; i < ports.size(); i++) {
            brokers.add(launch(i, pipeDevice));
        }
        for (Program broker : brokers) {
            awaitStarted(broker);
        }
        return this;
    }

    private Program launch(int broker, boolean with) throws IOException {
        return stage.start(
                with,
                network.at(
                        broker,
                        JavaCommand.main("kafka.Kafka", KAFKA, settings(broker).toString())
                                .with(options)));
    }

    private static void awaitStarted(Program broker) throws InterruptedException {
        broker.awaitLine("that it started", line -> line.endsWith("Kafka Server started"));
    }

    /** The arguments of a client for this cluster. */
    String[] arguments(String... more) {
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.add("bootstrap="
                + IntStream.range(0, ports.size())
                        .mapToObj(i -> network.address(i) + ":" + ports.get(i))
                        .collect(Collectors.joining(",")));
        arguments.add("replicas=" + ports.size());
        return arguments.toArray(String[]::new);
    }

    List<Program> brokers() {
        return brokers;
    }

    void kill(int broker) throws InterruptedException {
        brokers.get(broker).kill();
    }

    void bringBack(int broker) throws IOException, InterruptedException {
        bringBack(broker, pipeDevice);
    }

    /** Restarts a broker, with PipeDevice or without. */
    void bringBack(int broker, boolean with) throws IOException, InterruptedException {
        brokers.set(broker, launch(broker, with));
        awaitStarted(brokers.get(broker));
    }

    void stop(int broker) throws InterruptedException {
        brokers.get(broker).terminateJvm();
    }

    /** Stops the brokers one after the other, in an orderly way. */
    void end() throws InterruptedException {
        for (int i = 0; i < brokers.size(); i++) {
            stop(i);
            assertEquals(List.of(), brokers.get(i).errors(), brokers.get(i)::toString);
        }
    }
}
