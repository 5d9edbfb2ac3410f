// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.JETTY;
import static io.pipedevice.compat.JavaCommand.Library.NONE;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jetty with HTTP/1.1 and HTTP/2, in the clear and through TLS. */
@Timeout(600)
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

    @ParameterizedTest
    @EnumSource
    void jettyServesJetty(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing)
                .run(
                        server(),
                        ready -> client("uri=http://127.0.0.1:" + ready.get("http"), Sizes.much()),
                        ready -> client("uri=https://127.0.0.1:" + ready.get("https"), Sizes.some()));
    }

    @ParameterizedTest
    @EnumSource
    void jettyServesHttpClientWithHttp2(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing)
                .run(
                        server(),
                        ready -> http2Client("uri=http://127.0.0.1:" + ready.get("http")),
                        ready -> http2Client("uri=https://127.0.0.1:" + ready.get("https")));
    }

    private static JavaCommand client(String uri, long size) {
        return JavaCommand.program("JettyClient", JETTY, uri, keystore, Sizes.size(size), Sizes.limit());
    }

    private static JavaCommand http2Client(String uri) {
        return JavaCommand.program(
                "JdkClient", NONE, uri, keystore, "version=HTTP_2", Sizes.size(Sizes.some()), Sizes.limit());
    }

    /** The server stops while it answers: what it has begun it also ends. */
    @ParameterizedTest
    @EnumSource
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
        server.end();
        client.done();
        client.end();
    }

    private static JavaCommand server() {
        return JavaCommand.program("JettyServer", JETTY, keystore);
    }
}
