// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.ACTIVEMQ;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ActiveMQ Classic by {@code tcp://}, for which both ends use sockets of java.net. Only in the full form. */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class ActiveMqProgramsTest {
    @TempDir
    private Path directory;

    @RegisterExtension
    private final Stage stage = new Stage();

    private final int port = Ports.free(1).getFirst();

    @PairingTest
    void brokerServesClients(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing).run(broker(directory), ready -> client());
    }

    @ParameterizedTest
    @CsvSource({"BOTH, false", "BOTH, true", "NEITHER, false", "NEITHER, true"})
    void noAcknowledgedMessageIsLostWhenTheBrokerIsKilled(Pairing pairing, boolean failover)
            throws IOException, InterruptedException {
        Program broker = start(pairing);
        String url = failover ? "failover:(" + url() + ")?maxReconnectDelay=200" : url();
        Program client = stage.start(
                pairing.client(), JavaCommand.program("ActiveMqSteady", ACTIVEMQ, "url=" + url, Sizes.limit()));
        client.ready();
        client.progress("before");
        PeerDeaths deaths = new PeerDeaths(client);
        if (!failover) {
            client.progress("server ends");
        }
        broker.kill();
        long accelerated = pairing == Pairing.BOTH ? deaths.accelerated() : 0;
        broker = start(pairing);
        client.progress(failover ? "after" : "server is back");
        if (pairing == Pairing.BOTH) {
            deaths.survived(accelerated);
        }
        client.say("stop");
        client.done();
        if (pairing == Pairing.BOTH) {
            PeerDeaths.checkServer(broker);
        }
        // It warns of the connections that it lost.
        assertEquals(0, client.leave(), client::toString);
        broker.end();
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "ActiveMQ Classic",
                                ACTIVEMQ.version("activemq-broker"),
                                "tcp://, messages in files or not, up to 8 MB, transactions, a topic, requests on 100 connections; the broker killed and back",
                                "messages/s",
                                "-"))
                .run(pairing -> new Conversation(stage, pairing)
                        .measure(
                                broker(Files.createTempDirectory(directory, "round")),
                                ready -> client().and("measure=true")));
    }

    private Program start(Pairing pairing) throws IOException, InterruptedException {
        Program broker = stage.start(pairing.server(), broker(directory));
        broker.ready();
        return broker;
    }

    private JavaCommand broker(Path data) {
        return JavaCommand.program("ActiveMqBroker", ACTIVEMQ, "port=" + port, "data=" + data);
    }

    private JavaCommand client() {
        return JavaCommand.program("ActiveMqClient", ACTIVEMQ, "url=" + url(), Sizes.size(Sizes.some()), Sizes.limit());
    }

    private String url() {
        return "tcp://127.0.0.1:" + port;
    }
}
