// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.KAFKA;

import java.io.IOException;
import java.nio.file.Path;

/** A broker that is killed again and again, and a client that lasts. One thread. */
final class SoakKafka {
    private static final int RECORDS_PER_S = 300;

    private final KafkaCluster cluster;
    private final Program client;
    private final PeerDeaths deaths;

    SoakKafka(Stage stage, Path directory, String... options) throws IOException, InterruptedException {
        cluster = new KafkaCluster(stage, true, directory, 1).with(options).start();
        client = stage.start(
                true,
                JavaCommand.program(
                                "KafkaSteady",
                                KAFKA,
                                cluster.arguments("name=soak", "rate=" + RECORDS_PER_S, Sizes.limit()))
                        .with(options));
        deaths = new PeerDeaths(client);
        client.ready();
        client.progress("begun");
    }

    Program broker() {
        return cluster.brokers().getFirst();
    }

    Program client() {
        return client;
    }

    void killBroker() throws IOException, InterruptedException {
        PeerDeaths.checkServer(broker());
        long accelerated = deaths.accelerated();
        cluster.kill(0);
        cluster.bringBack(0);
        client.progress("broker is back");
        deaths.survived(accelerated);
    }

    /** Stops the client, and checks that nothing was lost or repeated. */
    void stopClient() throws IOException, InterruptedException {
        client.say("stop");
        client.done();
        deaths.check();
        SoakPair.awaitNoneOpen(client);
        client.end();
        PeerDeaths.checkServer(broker());
    }

    void stopBroker() throws InterruptedException {
        cluster.end();
    }
}
