// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.KAFKA;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Clients that go on while each broker of a cluster is killed and comes back. One thread. */
final class KafkaKills {
    private final Stage stage;
    private final Network network;
    private final KafkaCluster cluster;
    private final Pairing pairing;

    KafkaKills(Stage stage, Network network, KafkaCluster cluster, Pairing pairing) {
        this.stage = stage;
        this.network = network;
        this.cluster = cluster;
        this.pairing = pairing;
    }

    /** Kills the brokers, and checks that no record is lost or doubled, and that all programs have used rings. */
    void run() throws IOException, InterruptedException {
        List<Program> clients = List.of(
                client("KafkaClient", "name=first", Sizes.size(Sizes.some())),
                client("KafkaSteady", "name=steady"),
                client("KafkaSteady", "name=transactions", "transactions=true"));
        clients.getFirst().done();
        List<Program> lasting = clients.subList(1, clients.size());
        for (Program client : lasting) {
            client.ready();
        }
        progress(lasting, "before");
        for (int broker = 0; broker < cluster.brokers().size(); broker++) {
            cluster.kill(broker);
            progress(lasting, "without broker " + broker);
            cluster.bringBack(broker);
            progress(lasting, "with broker " + broker + " again");
        }
        for (Program client : lasting) {
            client.say("stop");
            client.done();
        }
        if (pairing == Pairing.BOTH) {
            for (Program client : clients) {
                new Counters(client).allAccelerated(1, 1);
            }
            for (Program broker : cluster.brokers()) {
                new Counters(broker).allAccelerated(1, 1);
            }
        }
        for (Program client : clients) {
            client.end();
        }
    }

    /** Starts a client beside the brokers. */
    private Program client(String name, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(cluster.arguments(more)));
        arguments.add(Sizes.limit());
        JavaCommand command = JavaCommand.program(name, KAFKA, arguments.toArray(String[]::new));
        return stage.start(pairing.client(), network.at(cluster.brokers().size(), command));
    }

    /** Each client must make progress. */
    static void progress(List<Program> clients, String line) throws IOException, InterruptedException {
        for (Program client : clients) {
            client.progress(line);
        }
    }
}
