// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.NONE;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The JDK's own HTTP servers and its client. */
@Timeout(1800)
final class JdkProgramsTest {
    @RegisterExtension
    private final Stage stage = new Stage();

    @PairingTest
    void httpServerServesHttpClient(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing)
                .run(
                        JavaCommand.program("JdkServer", NONE, "port=0"),
                        ready -> JavaCommand.program(
                                "JdkClient",
                                NONE,
                                "uri=http://127.0.0.1:" + ready.get("http"),
                                "version=HTTP_1_1",
                                Sizes.size(Sizes.some()),
                                Sizes.limit()));
    }

    @PairingTest
    void jwebserverServesHttpClient(Pairing pairing, @TempDir Path directory) throws IOException, InterruptedException {
        TestFile file = TestFile.make(directory);
        Program server = stage.start(
                pairing.server(), JavaCommand.module("jdk.httpserver", "-p", "0", "-d", directory.toString()));
        String serving = server.awaitLine("its port", line -> line.contains(" port "));
        String port = serving.substring(serving.lastIndexOf(' ') + 1);
        new Conversation(stage, pairing)
                .runClient(
                        server,
                        JavaCommand.program(
                                "FileClient",
                                NONE,
                                "uri=http://127.0.0.1:" + port + "/"
                                        + file.path().getFileName(),
                                file.sha256(),
                                file.filesize(),
                                Sizes.limit()));
        server.terminateJvm();
    }

    @Test
    @EnabledIfSystemProperty(named = "compat.full", matches = "true")
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "JDK HTTP server and client",
                                Runtime.version().toString(),
                                "HTTP/1.1 (HTTP/2 and WebSocket with Jetty and Netty), virtual threads, jwebserver",
                                "MB/s",
                                "-"))
                .run(pairing -> new Conversation(stage, pairing)
                        .measure(
                                JavaCommand.program("JdkServer", NONE, "port=0"),
                                ready -> JavaCommand.program(
                                        "JdkClient",
                                        NONE,
                                        "uri=http://127.0.0.1:" + ready.get("http"),
                                        "version=HTTP_1_1",
                                        "measure=true",
                                        Sizes.size(Sizes.some()),
                                        Sizes.limit())));
    }
}
