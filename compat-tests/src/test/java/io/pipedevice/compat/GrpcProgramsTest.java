// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.GRPC;

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

/** gRPC over Netty, only in the full form. */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class GrpcProgramsTest {
    @RegisterExtension
    private final Stage stage = new Stage();

    @ParameterizedTest
    @EnumSource
    void nettyServesNetty(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing).run(server(), GrpcProgramsTest::client);
    }

    @Test
    void shadedNettyIsAccelerated() throws IOException, InterruptedException {
        new Conversation(stage, Pairing.BOTH)
                .run(
                        server("shaded=true").with(JavaCommand.NATIVE_ACCESS),
                        ready -> client(ready, "shaded=true").with(JavaCommand.NATIVE_ACCESS));
    }

    @Test
    void shadedNettyKeepsItsNativeTransportIfTheUserWantsThat() throws IOException, InterruptedException {
        String[] options = {"-Dpipedevice.netty=off", JavaCommand.NATIVE_ACCESS};
        Program server = stage.start(true, server("shaded=true").with(options));
        Program client = stage.start(true, client(server.ready(), "shaded=true").with(options));
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
                                "gRPC",
                                GRPC.version("grpc-netty"),
                                "over Netty; unary calls up to 8 MB, streams in all directions with flow control, 20 connections, deadlines, cancellation",
                                "MB/s",
                                "grpc-netty-shaded brings epoll, which the agent says is unavailable"))
                .run(pairing ->
                        new Conversation(stage, pairing).measure(server(), ready -> client(ready, "measure=true")));
    }

    private static JavaCommand server(String... arguments) {
        return JavaCommand.program("GrpcServer", GRPC, arguments);
    }

    private static JavaCommand client(Map<String, String> ready, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("port=" + ready.get("port"), Sizes.size(Sizes.some()), Sizes.limit()));
        arguments.addAll(List.of(more));
        return JavaCommand.program("GrpcClient", GRPC, arguments.toArray(String[]::new));
    }
}
