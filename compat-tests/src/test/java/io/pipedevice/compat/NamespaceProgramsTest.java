// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.GRPC;
import static io.pipedevice.compat.JavaCommand.Library.JETTY;
import static io.pipedevice.compat.JavaCommand.Library.KAFKA;
import static io.pipedevice.compat.JavaCommand.Library.NETTY;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each program in a network namespace of its own, all introduced to each other by a driver, as on a host with
 * containers. Without -Pcontainers, only the first. Each prints its figures on PipeDevice and on the kernel's bridge.
 */
@Timeout(900)
final class NamespaceProgramsTest {
    private static final String ALL = "compat.containers";
    private static final int BROKERS = 3;
    private static final int SERVER = 0;
    private static final int CLIENT = BROKERS;

    /** The last size counts. It is that of the measurements in one namespace. */
    private static final String[] MEASURE = {"measure=true", Sizes.size(256L << 20)};

    /** What both ends say of a connection whose ends have not met. */
    private static final String[] MEETING_FAILED = {
        Counters.PEER_NOT_LOCAL, Counters.NOT_PIPEDEVICE_PEER, Counters.HANDSHAKE_FAILED, Counters.NO_RENDEZVOUS
    };

    @RegisterExtension
    private final NamespaceNetwork network = new NamespaceNetwork(BROKERS + 1);

    @RegisterExtension
    private final Stage stage = new Stage();

    @TempDir
    private Path directory;

    /** The server of the sample sees all connections: the client ends by itself, with its counters. */
    @Test
    void javaNio() throws IOException, InterruptedException {
        Program server =
                stage.start(true, network.at(SERVER, JavaCommand.sample("DigestServer", "0", network.address(SERVER))));
        String port = server.await("listening");
        Program client = stage.start(
                true, network.at(CLIENT, JavaCommand.sample("DigestClient", port, "200", network.address(SERVER))));
        long sent = 0;
        for (int i = 0; i < 2; i++) {
            String figures = client.await("stream");
            sent += Long.parseLong(figures.split(" ", -1)[1]);
        }
        client.await("roundtrip");
        client.end();
        new Counters(server).allAccelerated(0, sent);
        network.introduced();
        server.end();
    }

    @ParameterizedTest
    @EnumSource(names = {"BOTH", "NEITHER"})
    @EnabledIfSystemProperty(named = ALL, matches = "true")
    void netty(Pairing pairing) throws IOException, InterruptedException {
        String keystore = keystore();
        TestFile file = TestFile.make(directory);
        JavaCommand server = JavaCommand.program("NettyServer", NETTY, keystore, "file=" + file.path(), host());
        Client client = ready -> {
            List<String> arguments = words(keystore, file.sha256(), file.filesize(), host());
            ready.forEach((name, port) -> arguments.add(name + "=" + port));
            return program("NettyClient", NETTY, arguments);
        };
        converse(pairing, "Netty", server, client);
    }

    @ParameterizedTest
    @EnumSource(names = {"BOTH", "NEITHER"})
    @EnabledIfSystemProperty(named = ALL, matches = "true")
    void jetty(Pairing pairing) throws IOException, InterruptedException {
        String keystore = keystore();
        JavaCommand server = JavaCommand.program("JettyServer", JETTY, keystore, host());
        Client http = ready -> program("JettyClient", JETTY, words(keystore, uri("http", ready)));
        Client http2 = ready -> program("JettyClient", JETTY, words(keystore, uri("http", ready), "http2=true"));
        Client https = ready -> program("JettyClient", JETTY, words(keystore, uri("https", ready)));
        converse(pairing, "Jetty", server, http, http2, https);
    }

    @ParameterizedTest
    @EnumSource(names = {"BOTH", "NEITHER"})
    @EnabledIfSystemProperty(named = ALL, matches = "true")
    void grpc(Pairing pairing) throws IOException, InterruptedException {
        JavaCommand server = JavaCommand.program("GrpcServer", GRPC, host());
        Client client = ready -> program("GrpcClient", GRPC, words("port=" + ready.get("port"), host()));
        converse(pairing, "gRPC", server, client);
    }

    /**
     * Three brokers, whose controllers elect a leader and whose replicas follow each other, and clients beside them. A
     * broker that starts may be met, also by itself, before the driver knows that it listens; that connection is the
     * kernel's. Between busy programs a meeting may fail.
     */
    @ParameterizedTest
    @EnumSource(names = {"BOTH", "NEITHER"})
    @EnabledIfSystemProperty(named = ALL, matches = "true")
    void kafka(Pairing pairing) throws IOException, InterruptedException {
        KafkaCluster cluster = new KafkaCluster(
                        stage, network, pairing.server(), Files.createDirectory(directory.resolve("brokers")), BROKERS)
                .start();
        for (boolean measure : new boolean[] {false, true}) {
            List<String> arguments = words(cluster.arguments("name=" + (measure ? "measured" : "checked")));
            if (measure) {
                arguments.addAll(List.of(MEASURE));
            }
            Program client =
                    stage.start(pairing.client(), network.at(CLIENT, program("KafkaClient", KAFKA, arguments)));
            client.done();
            if (pairing == Pairing.BOTH) {
                new Counters(client).acceleratedButFew(MEETING_FAILED);
            }
            if (measure) {
                print("Kafka", "records/s", pairing, client);
            }
            client.end();
        }
        if (pairing == Pairing.BOTH) {
            for (Program broker : cluster.brokers()) {
                new Counters(broker).acceleratedButFew(MEETING_FAILED);
            }
            network.introduced();
        }
        // The last broker of three does not end in an orderly way: there is no quorum any more.
        cluster.stop(0);
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "true")
    void kafkaWithKilledBrokers() throws IOException, InterruptedException {
        KafkaCluster cluster =
                new KafkaCluster(stage, network, true, Files.createDirectory(directory.resolve("brokers")), BROKERS);
        new KafkaKills(stage, network, cluster.start(), Pairing.BOTH).run();
        network.introduced();
    }

    /** Creates a client from the server's ready message. */
    private interface Client {
        JavaCommand of(Map<String, String> ready);
    }

    /** Runs a server, and one client after the other, and the first of them once more to measure. */
    private void converse(Pairing pairing, String name, JavaCommand command, Client... clients)
            throws IOException, InterruptedException {
        Program server = stage.start(pairing.server(), network.at(SERVER, command));
        Map<String, String> ready = server.ready();
        Conversation conversation = new Conversation(stage, pairing);
        for (Client client : clients) {
            conversation.runClient(server, network.at(CLIENT, client.of(ready)));
        }
        Program client = stage.start(
                pairing.client(), network.at(CLIENT, clients[0].of(ready).and(MEASURE)));
        client.done();
        conversation.check(server, client, 1, 1);
        print(name, "MB/s", pairing, client);
        client.end();
        if (pairing == Pairing.BOTH) {
            network.introduced();
        }
        server.end();
    }

    private static void print(String name, String unit, Pairing pairing, Program client) {
        System.out.printf(
                "%s between namespaces, %s: %,.0f %s, p99 %s%n",
                name,
                pairing == Pairing.BOTH ? "PipeDevice" : "TCP",
                client.measured("rate").orElseThrow(),
                unit,
                Delay.of(client));
    }

    private String keystore() throws IOException, InterruptedException {
        return Keystore.make(directory, network.address(SERVER));
    }

    private String host() {
        return "host=" + network.address(SERVER);
    }

    private String uri(String protocol, Map<String, String> ready) {
        return "uri=" + protocol + "://" + network.address(SERVER) + ":" + ready.get(protocol);
    }

    private static List<String> words(String... some) {
        List<String> words = new ArrayList<>(List.of(some));
        words.addAll(List.of(Sizes.size(Sizes.some()), Sizes.limit()));
        return words;
    }

    private static JavaCommand program(String name, JavaCommand.Library library, List<String> arguments) {
        return JavaCommand.program(name, library, arguments.toArray(String[]::new));
    }
}
