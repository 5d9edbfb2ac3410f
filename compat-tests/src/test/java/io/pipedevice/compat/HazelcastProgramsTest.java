// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.HAZELCAST;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Hazelcast's members, which are each other's clients and servers, and its client. Only in the full form. */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class HazelcastProgramsTest {
    @RegisterExtension
    private final Stage stage = new Stage();

    @ParameterizedTest
    @EnumSource
    void oneMemberServesClients(Pairing pairing) throws IOException, InterruptedException {
        HazelcastCluster cluster = new HazelcastCluster(stage, pairing.server(), 1);
        new Conversation(stage, pairing).runClient(cluster.members().getFirst(), load(cluster));
        cluster.end();
    }

    private static JavaCommand load(HazelcastCluster cluster, String... more) {
        String[] arguments = new String[more.length + 1];
        System.arraycopy(more, 0, arguments, 1, more.length);
        arguments[0] = Sizes.size(Sizes.some());
        return cluster.client("HazelcastLoad", arguments);
    }

    @ParameterizedTest
    @EnumSource(names = {"BOTH", "NEITHER"})
    void nothingAcknowledgedIsLostWhenAMemberIsKilled(Pairing pairing) throws IOException, InterruptedException {
        HazelcastCluster cluster = new HazelcastCluster(stage, pairing.server(), 3);
        Program client = stage.start(pairing.client(), cluster.client("HazelcastSteady"));
        client.ready();
        client.progress("with all");
        cluster.kill(1);
        client.progress("without one");
        cluster.bringBack(1);
        client.progress("with all again");
        client.say("stop");
        client.done();
        if (pairing == Pairing.BOTH) {
            new Counters(client).acceleratedOr(Counters.NO_RENDEZVOUS);
            for (Program member : cluster.members()) {
                new Counters(member).acceleratedOr(Counters.NO_RENDEZVOUS);
            }
        }
        client.end();
        cluster.end();
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Hazelcast",
                                HAZELCAST.version("hazelcast"),
                                "one member and three; map and topics, values up to 4 MB, one member killed and back",
                                "reads/s",
                                "-"))
                .run(pairing -> {
                    HazelcastCluster cluster = new HazelcastCluster(stage, pairing.server(), 1);
                    Program client = stage.start(pairing.client(), load(cluster, "measure=true"));
                    client.done();
                    Contest.Result result =
                            Contest.Result.of(pairing, cluster.members().getFirst(), client);
                    client.end();
                    cluster.end();
                    return result;
                });
    }
}
