// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.KAFKA;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kafka's brokers and its client. A broker is the client of a controller, which is in the same JVM or in another. */
@Timeout(1800)
final class KafkaProgramsTest {
    @RegisterExtension
    private final Stage stage = new Stage();

    @ParameterizedTest
    @EnumSource(names = {"BOTH", "CLIENT_ONLY"})
    void oneBrokerServesClients(Pairing pairing, @TempDir Path directory) throws IOException, InterruptedException {
        KafkaCluster cluster = new KafkaCluster(stage, pairing.server(), directory, 1).start();
        Program broker = cluster.brokers().getFirst();
        new Conversation(stage, pairing).runClient(broker, client(cluster, "first"));
        if (pairing.server()) {
            // The broker's own connections, to the controller in the same JVM, stay on rings.
            serveWithoutPipeDevice(cluster);
            new Counters(broker).onKernelOnly(Counters.NOT_PIPEDEVICE_PEER);
        } else if (Sizes.FULL) {
            serveWithoutPipeDevice(cluster);
        }
        cluster.end();
    }

    private void serveWithoutPipeDevice(KafkaCluster cluster) throws IOException, InterruptedException {
        Program client = stage.start(false, client(cluster, "second"));
        client.done();
        client.end();
    }

    private static JavaCommand client(KafkaCluster cluster, String name) {
        return JavaCommand.program(
                "KafkaClient", KAFKA, cluster.arguments("name=" + name, Sizes.size(Sizes.some()), Sizes.limit()));
    }

    @ParameterizedTest
    @EnumSource(names = {"BOTH", "NEITHER"})
    @EnabledIfSystemProperty(named = "compat.full", matches = "true")
    void noRecordIsLostOrDoubledWhenABrokerIsKilled(Pairing pairing, @TempDir Path directory)
            throws IOException, InterruptedException {
        KafkaCluster cluster = new KafkaCluster(stage, pairing.server(), directory, 3).start();
        new KafkaKills(stage, Network.LOOPBACK, cluster, pairing).run();
    }

    /**
     * Introduces PipeDevice as users would, one broker after the other while clients continue, and removes it in the
     * same way.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @EnabledIfSystemProperty(named = "compat.full", matches = "true")
    void brokersTakePipeDeviceOrLeaveItOneByOne(boolean take, @TempDir Path directory)
            throws IOException, InterruptedException {
        KafkaCluster cluster = new KafkaCluster(stage, !take, directory, 3).start();
        List<Program> clients =
                List.of(steady(cluster, "name=steady"), steady(cluster, "name=transactions", "transactions=true"));
        for (Program client : clients) {
            client.ready();
        }
        KafkaKills.progress(clients, "before");
        for (int broker = 0; broker < cluster.brokers().size(); broker++) {
            cluster.stop(broker);
            cluster.bringBack(broker, take);
            KafkaKills.progress(clients, "after broker " + broker);
        }
        for (Program client : clients) {
            client.say("stop");
            client.done();
            new Counters(client).mixed(Counters.NO_RENDEZVOUS);
            client.end();
        }
        if (take) {
            Program last = cluster.brokers().getLast();
            assertTrue(new Counters(last).accelerated() > 0, last::toString);
        }
    }

    private Program steady(KafkaCluster cluster, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.add(Sizes.limit());
        return stage.start(
                true, JavaCommand.program("KafkaSteady", KAFKA, cluster.arguments(arguments.toArray(String[]::new))));
    }

    @Test
    @EnabledIfSystemProperty(named = "compat.full", matches = "true")
    void measuresItself(@TempDir Path directory) throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Kafka",
                                KAFKA.version("kafka-clients"),
                                "KRaft, one broker and three; acks=all, transactions, batches of megabytes, brokers killed and back",
                                "records/s",
                                "-"))
                .run(pairing -> {
                    Path data = Files.createTempDirectory(directory, "round");
                    KafkaCluster cluster = new KafkaCluster(stage, pairing.server(), data, 1).start();
                    Program client = stage.start(
                            pairing.client(),
                            JavaCommand.program(
                                    "KafkaClient",
                                    KAFKA,
                                    cluster.arguments(
                                            "name=measured", "measure=true", Sizes.size(Sizes.some()), Sizes.limit())));
                    client.done();
                    Contest.Result result =
                            Contest.Result.of(pairing, cluster.brokers().getFirst(), client);
                    client.end();
                    cluster.end();
                    return result;
                });
    }
}
