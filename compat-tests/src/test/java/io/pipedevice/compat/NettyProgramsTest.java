// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.NETTY;
import static io.pipedevice.compat.JavaCommand.Library.NONE;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Netty's NIO transport. A selector that it had to rebuild would be a warning, and those fail the test. */
@Timeout(1800)
final class NettyProgramsTest {
    private static final String ASKED = "transport=asked";

    @TempDir
    private static Path directory;

    private static String keystore;
    private static TestFile file;

    @RegisterExtension
    private final Stage stage = new Stage();

    @BeforeAll
    static void makeFiles() throws IOException, InterruptedException {
        keystore = Keystore.make(directory);
        file = TestFile.make(directory);
    }

    @PairingTest
    void nettyServesNetty(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing).run(server(), NettyProgramsTest::client);
    }

    private static JavaCommand client(Map<String, String> ready, String... more) {
        List<String> arguments = new ArrayList<>(
                List.of(keystore, file.sha256(), file.filesize(), Sizes.size(Sizes.some()), Sizes.limit()));
        arguments.addAll(List.of(more));
        ready.forEach((name, port) -> arguments.add(name + "=" + port));
        return JavaCommand.program("NettyClient", NETTY, arguments.toArray(String[]::new));
    }

    @PairingTest
    void nettyServesHttpClientAndItsWebSocket(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing)
                .run(
                        server(),
                        ready -> JavaCommand.program(
                                "JdkClient",
                                NONE,
                                "uri=http://127.0.0.1:" + ready.get("http"),
                                "websocket=ws://127.0.0.1:" + ready.get("websocket") + "/",
                                "version=HTTP_1_1",
                                Sizes.size(Sizes.some()),
                                Sizes.limit()));
    }

    /** As libraries do, which then use epoll or io_uring. */
    @Test
    void programsThatAskForTheBestTransportAreAccelerated() throws IOException, InterruptedException {
        Program server = stage.start(true, server().and(ASKED).with(JavaCommand.NATIVE_ACCESS));
        new Conversation(stage, Pairing.BOTH)
                .runClient(server, client(server.ready(), ASKED).with(JavaCommand.NATIVE_ACCESS));
        new Counters(server).switched("io.netty.channel.uring.IoUring", "io.netty.channel.epoll.Epoll");
        server.end();
    }

    @Test
    void programsThatAskGetTheirTransportIfTheUserWantsThat() throws IOException, InterruptedException {
        bypassJavaNio(ASKED, "-Dpipedevice.netty=off");
    }

    @Test
    void programsThatDoNotAskKeepTheirTransport() throws IOException, InterruptedException {
        bypassJavaNio("transport=epoll", "-Dpipedevice.netty=auto");
    }

    private void bypassJavaNio(String transport, String option) throws IOException, InterruptedException {
        String[] options = {option, JavaCommand.NATIVE_ACCESS};
        Program server = stage.start(true, server().and(transport).with(options));
        Program client = stage.start(true, client(server.ready(), transport).with(options));
        client.done();
        new Counters(client).nothing();
        new Counters(server).nothing();
        client.end();
        server.end();
    }

    private static JavaCommand server() {
        return JavaCommand.program("NettyServer", NETTY, keystore, "file=" + file.path());
    }

    @Test
    @EnabledIfSystemProperty(named = "compat.full", matches = "true")
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Netty, NIO transport",
                                NETTY.version("netty-handler"),
                                "echo of up to 8 MB with back-pressure, 500 connections, TLS, half-close, file region, HTTP, WebSocket, idle handlers",
                                "MB/s",
                                "a program that insists on epoll or io_uring keeps it"))
                .run(pairing ->
                        new Conversation(stage, pairing).measure(server(), ready -> client(ready, "measure=true")));
    }
}
