// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.HTTP;
import static io.pipedevice.compat.JavaCommand.Library.JETTY;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** HTTP clients with sockets of java.net, in the clear and through TLS. The server is Jetty, which uses channels. */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class HttpProgramsTest {
    @TempDir
    private static Path directory;

    private static String keystore;

    @RegisterExtension
    private final Stage stage = new Stage();

    /** A client library; the names are those of the program's argument, in capitals. */
    enum Api {
        JDK("JDK HttpURLConnection"),
        OKHTTP("OkHttp"),
        APACHE("Apache HttpClient, classic");

        private final String row;

        Api(String row) {
            this.row = row;
        }

        private String version() {
            return switch (this) {
                case JDK -> Runtime.version().toString();
                case OKHTTP -> HTTP.version("okhttp-jvm");
                case APACHE -> HTTP.version("httpclient5");
            };
        }
    }

    @BeforeAll
    static void makeKeystore() throws IOException, InterruptedException {
        keystore = Keystore.make(directory);
    }

    @ParameterizedTest
    @EnumSource
    void jettyServesBlockingClients(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing)
                .run(
                        server(),
                        Stream.of(Api.values())
                                .flatMap(api -> Stream.<Conversation.Client>of(
                                        ready -> client(api, "http://127.0.0.1:" + ready.get("http")),
                                        ready -> client(api, "https://127.0.0.1:" + ready.get("https"))))
                                .toArray(Conversation.Client[]::new));
    }

    @ParameterizedTest
    @EnumSource
    void measuresItself(Api api) throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                api.row,
                                api.version(),
                                "with Jetty; HTTP/1.1, with TLS too, 20 threads, connections long and short",
                                "MB/s",
                                "-"))
                .run(pairing -> new Conversation(stage, pairing)
                        .measure(
                                server(),
                                ready -> client(api, "http://127.0.0.1:" + ready.get("http"), "measure=true")));
    }

    private static JavaCommand server() {
        return JavaCommand.program("JettyServer", JETTY, keystore);
    }

    private static JavaCommand client(Api api, String uri, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "api=" + api.name().toLowerCase(Locale.ROOT),
                "uri=" + uri,
                keystore,
                Sizes.size(Sizes.some()),
                Sizes.limit()));
        arguments.addAll(List.of(more));
        return JavaCommand.program("BlockingHttpClient", HTTP, arguments.toArray(String[]::new));
    }
}
