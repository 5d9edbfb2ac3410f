// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.ZOOKEEPER;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * ZooKeeper's servers, with the NIO server that is their default, and its client. Traffic between servers uses sockets
 * of java.net.
 */
@Timeout(1800)
final class ZooKeeperProgramsTest {
    @RegisterExtension
    private final Stage stage = new Stage();

    @PairingTest
    void oneServerServesClients(Pairing pairing, @TempDir Path directory) throws IOException, InterruptedException {
        ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble(stage, pairing.server(), directory, 1).start();
        new Conversation(stage, pairing)
                .runClient(
                        ensemble.servers().getFirst(),
                        JavaCommand.program(
                                "ZooKeeperClient", ZOOKEEPER, ensemble.argument(), "name=root", Sizes.limit()));
        ensemble.end();
    }

    @ParameterizedTest
    @EnumSource(names = {"BOTH", "NEITHER"})
    @EnabledIfSystemProperty(named = "compat.full", matches = "true")
    void countsGoOnWhenServersAreKilled(Pairing pairing, @TempDir Path directory)
            throws IOException, InterruptedException {
        ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble(stage, pairing.server(), directory, 3).start();
        Program client = stage.start(
                pairing.client(),
                JavaCommand.program("ZooKeeperSteady", ZOOKEEPER, ensemble.argument(), "name=steady", Sizes.limit()));
        client.ready();
        client.progress("with all");
        int leader = ensemble.leader();
        killAndBringBack(ensemble, client, leader);
        int next = ensemble.leader();
        killAndBringBack(
                ensemble,
                client,
                IntStream.range(0, ensemble.servers().size())
                        .filter(i -> i != next)
                        .findAny()
                        .orElseThrow());
        client.say("stop");
        client.done();
        if (pairing == Pairing.BOTH) {
            new Counters(client).allAccelerated(1, 1);
            for (Program server : ensemble.servers()) {
                new Counters(server).acceleratedOr(Counters.NO_RENDEZVOUS);
            }
        }
        client.end();
        ensemble.end();
    }

    private static void killAndBringBack(ZooKeeperEnsemble ensemble, Program client, int server)
            throws IOException, InterruptedException {
        ensemble.kill(server);
        client.progress("without server " + server);
        ensemble.bringBack(server);
        client.progress("with server " + server + " again");
    }

    @Test
    @EnabledIfSystemProperty(named = "compat.full", matches = "true")
    void measuresItself(@TempDir Path directory) throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "ZooKeeper",
                                ZOOKEEPER.version("zookeeper"),
                                "one server and three; nodes of all sizes, requests in order, watches, sessions, leader and follower killed and back",
                                "reads/s",
                                "-"))
                .run(pairing -> {
                    ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble(
                                    stage, pairing.server(), Files.createTempDirectory(directory, "round"), 1)
                            .start();
                    Program client = stage.start(
                            pairing.client(),
                            JavaCommand.program(
                                    "ZooKeeperClient",
                                    ZOOKEEPER,
                                    ensemble.argument(),
                                    "name=measured",
                                    "measure=true",
                                    Sizes.limit()));
                    client.done();
                    Contest.Result result =
                            Contest.Result.of(pairing, ensemble.servers().getFirst(), client);
                    client.end();
                    ensemble.end();
                    return result;
                });
    }
}
