// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.JETTY;
import static io.pipedevice.compat.JavaCommand.Library.NONE;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Jetty with HTTP/1.1 and HTTP/2, in the clear and through TLS. */
@Timeout(1800)
final class JettyProgramsTest {
    @TempDir
    private static Path directory;

    private static String keystore;

    @RegisterExtension
    private final Stage stage = new Stage();

    @BeforeAll
    static void makeKeystore() throws IOException, InterruptedException {
        keystore = Keystore.make(directory);
    }

    @PairingTest
    void jettyServesJetty(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing)
                .run(
                        server(),
                        ready -> client("uri=http://127.0.0.1:" + ready.get("http"), Sizes.much()),
                        ready -> client("uri=http://127.0.0.1:" + ready.get("http"), Sizes.much(), "http2=true"),
                        ready -> client("uri=https://127.0.0.1:" + ready.get("https"), Sizes.some()));
    }

    @PairingTest
    void jettyServesHttpClientWithHttp2AndItsWebSocket(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing)
                .run(
                        server(),
                        ready -> http2Client(
                                "uri=http://127.0.0.1:" + ready.get("http"),
                                "websocket=ws://127.0.0.1:" + ready.get("http") + "/websocket"),
                        ready -> http2Client("uri=https://127.0.0.1:" + ready.get("https")));
    }

    private static JavaCommand client(String uri, long size, String... more) {
        List<String> arguments = new ArrayList<>(List.of(uri, keystore, Sizes.size(size), Sizes.limit()));
        arguments.addAll(List.of(more));
        return JavaCommand.program("JettyClient", JETTY, arguments.toArray(String[]::new));
    }

    private static JavaCommand http2Client(String... uris) {
        List<String> arguments =
                new ArrayList<>(List.of(keystore, "version=HTTP_2", Sizes.size(Sizes.some()), Sizes.limit()));
        arguments.addAll(List.of(uris));
        return JavaCommand.program("JdkClient", NONE, arguments.toArray(String[]::new));
    }

    /** The server stops under load: it completes every request that it has begun. */
    @PairingTest
    void jettyStopsGracefully(Pairing pairing) throws IOException, InterruptedException {
        Program server = stage.start(pairing.server(), server());
        Program client = stage.start(
                pairing.client(),
                JavaCommand.program(
                        "JettyClient",
                        JETTY,
                        "uri=http://127.0.0.1:" + server.ready().get("http"),
                        "last=true",
                        Sizes.size(0),
                        Sizes.limit()));
        client.await("BEGUN");
        new Conversation(stage, pairing).check(server, client, 1, 1);
        server.end();
        client.done();
        client.end();
    }

    private static JavaCommand server() {
        return JavaCommand.program("JettyServer", JETTY, keystore);
    }

    @Test
    @EnabledIfSystemProperty(named = "compat.full", matches = "true")
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Jetty",
                                JETTY.version("jetty-server"),
                                "HTTP/1.1 and HTTP/2, with TLS too, 1 GB up and down, WebSocket, events, graceful stop under load",
                                "MB/s",
                                "-"))
                .run(pairing -> new Conversation(stage, pairing)
                        .measure(
                                server(),
                                ready -> JavaCommand.program(
                                        "JettyClient",
                                        JETTY,
                                        "uri=http://127.0.0.1:" + ready.get("http"),
                                        "measure=true",
                                        Sizes.size(Sizes.some()),
                                        Sizes.limit())));
    }
}
