// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.NONE;
import static io.pipedevice.compat.JavaCommand.Library.REACTOR;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reactor Netty, only in the full form. */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class ReactorProgramsTest {
    @RegisterExtension
    private final Stage stage = new Stage();

    @ParameterizedTest
    @EnumSource
    void reactorServesReactor(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing)
                .run(
                        server().with(JavaCommand.NATIVE_ACCESS),
                        ready -> client(ready).with(JavaCommand.NATIVE_ACCESS));
    }

    @ParameterizedTest
    @EnumSource
    void reactorServesHttpClient(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing)
                .run(
                        server().with(JavaCommand.NATIVE_ACCESS),
                        ready -> jdkClient(ready, "version=HTTP_1_1", "short=true"),
                        ready -> jdkClient(ready, "version=HTTP_2"));
    }

    @Test
    void reactorKeepsItsNativeTransportIfTheUserWantsThat() throws IOException, InterruptedException {
        String[] options = {"-Dpipedevice.netty=off", JavaCommand.NATIVE_ACCESS};
        Program server = stage.start(true, server().with(options));
        Program client = stage.start(true, client(server.ready()).with(options));
        client.done();
        new Counters(client).nothing();
        new Counters(server).nothing();
        client.end();
        server.end();
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Reactor Netty",
                                REACTOR.version("reactor-netty-http"),
                                "HTTP and TCP with back-pressure, 20 connections, downloads given up; JDK's client over HTTP/1.1 and HTTP/2",
                                "MB/s",
                                "brings epoll, which the agent says is unavailable"))
                .run(pairing -> new Conversation(stage, pairing)
                        .measure(
                                server().with(JavaCommand.NATIVE_ACCESS),
                                ready -> client(ready, "measure=true").with(JavaCommand.NATIVE_ACCESS)));
    }

    private static JavaCommand server() {
        return JavaCommand.program("ReactorServer", REACTOR);
    }

    private static JavaCommand client(Map<String, String> ready, String... more) {
        List<String> arguments = new ArrayList<>(List.of(Sizes.size(Sizes.some()), Sizes.limit()));
        ready.forEach((name, port) -> arguments.add(name + "=" + port));
        arguments.addAll(List.of(more));
        return JavaCommand.program("ReactorClient", REACTOR, arguments.toArray(String[]::new));
    }

    private static JavaCommand jdkClient(Map<String, String> ready, String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("uri=http://127.0.0.1:" + ready.get("http"), Sizes.size(Sizes.some()), Sizes.limit()));
        arguments.addAll(List.of(more));
        return JavaCommand.program("JdkClient", NONE, arguments.toArray(String[]::new));
    }
}
