// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.PULSAR;
import static io.pipedevice.compat.JavaCommand.Library.PULSAR_CLIENT;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pulsar, whose broker and bookie are one JVM, and whose client has relocated libraries. Only in the full form. */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class PulsarProgramsTest {
    @TempDir
    private Path directory;

    @RegisterExtension
    private final Stage stage = new Stage();

    private int port;

    @ParameterizedTest
    @EnumSource
    void pulsarServesItsClient(Pairing pairing) throws IOException, InterruptedException {
        Program pulsar = pulsar(pairing.server());
        Program client = stage.start(pairing.client(), client("PulsarTrips"));
        end(pairing, pulsar, client);
        pulsar.terminateJvm();
    }

    @ParameterizedTest
    @EnumSource
    void aConsumerReceivesWhatAProducerSends(Pairing pairing) throws IOException, InterruptedException {
        Program pulsar = pulsar(pairing.server());
        Program consumer = stage.start(pairing.client(), client("PulsarConsumer"));
        consumer.ready();
        Program producer = stage.start(pairing.client(), client("PulsarProducer"));
        end(pairing, pulsar, producer);
        end(pairing, pulsar, consumer);
        pulsar.terminateJvm();
    }

    /** Its clients need no switch, but its bookie creates the event loops of epoll without asking. */
    private static void end(Pairing pairing, Program pulsar, Program client) throws IOException, InterruptedException {
        Map<String, String> done = client.done();
        switch (pairing) {
            case BOTH -> {
                new Counters(client)
                        .allAccelerated(Long.parseLong(done.get("sent")), Long.parseLong(done.get("received")));
                new Counters(pulsar).mixed(Counters.NO_RENDEZVOUS);
            }
            case SERVER_ONLY -> new Counters(pulsar).onKernelOnly(Counters.NO_RENDEZVOUS, Counters.NOT_PIPEDEVICE_PEER);
            case CLIENT_ONLY -> new Counters(client).allOnKernel(Counters.NO_RENDEZVOUS);
            case NEITHER -> {
                // Without PipeDevice there are no counters.
            }
        }
        client.end();
    }

    @Test
    void withASwitchItsBookieIsOnRingsToo() throws IOException, InterruptedException {
        Program pulsar = pulsar(true, "-Dio.netty.transport.noNative=true");
        new Conversation(stage, Pairing.BOTH).runClient(pulsar, client("PulsarTrips"));
        pulsar.terminateJvm();
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Pulsar",
                                PULSAR.version("pulsar-broker"),
                                "standalone, persistent topics; messages of up to 4 MB there and back, 20 clients; a stream from a producer to a consumer in another JVM",
                                "messages/s",
                                "both bring epoll, which the agent says is unavailable; the bookie uses it without asking, until it is started with `-Dio.netty.transport.noNative=true`"))
                .run(pairing -> {
                    Program pulsar = pulsar(pairing.server());
                    Program client =
                            stage.start(pairing.client(), client("PulsarTrips").and("measure=true"));
                    client.done();
                    // Those of the bookie are within one JVM.
                    Contest.Result result = Contest.Result.of(pairing, client, List.of(new Counters(client)));
                    client.end();
                    pulsar.terminateJvm();
                    return result;
                });
    }

    private Program pulsar(boolean pipeDevice, String... options) throws IOException, InterruptedException {
        List<Integer> ports = Ports.free(3);
        port = ports.getFirst();
        Path home = Files.createTempDirectory(directory, "home");
        Path settings = home.resolve("standalone.conf");
        Files.writeString(
                settings,
                String.join(
                        "\n",
                        "brokerServicePort=" + port,
                        "webServicePort=" + ports.get(1),
                        "bindAddress=127.0.0.1",
                        "advertisedAddress=127.0.0.1",
                        "clusterName=standalone",
                        "managedLedgerDefaultEnsembleSize=1",
                        "managedLedgerDefaultWriteQuorum=1",
                        "managedLedgerDefaultAckQuorum=1",
                        // It would wait for the disk with each message.
                        "journalSyncData=false",
                        ""));
        Program pulsar = stage.start(
                pipeDevice,
                JavaCommand.main(
                                "org.apache.pulsar.PulsarStandaloneStarter",
                                PULSAR,
                                "--config",
                                settings.toString(),
                                "--no-functions-worker",
                                "--no-stream-storage",
                                "--metadata-dir",
                                home.resolve("metadata").toString(),
                                "--bookkeeper-dir",
                                home.resolve("bookkeeper").toString(),
                                "--bookkeeper-port",
                                ports.get(2).toString())
                        .with("-Xmx512m", JavaCommand.NATIVE_ACCESS)
                        .with(options));
        pulsar.awaitLine("that it is ready", line -> line.endsWith("Created namespace public/default"));
        return pulsar;
    }

    private JavaCommand client(String program) {
        return JavaCommand.program(program, PULSAR_CLIENT, "port=" + port, Sizes.size(Sizes.some()), Sizes.limit())
                .with(JavaCommand.NATIVE_ACCESS);
    }
}
