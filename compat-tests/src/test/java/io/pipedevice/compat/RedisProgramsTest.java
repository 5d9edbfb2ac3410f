// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.REDIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lettuce, whose server is no JVM: it must work as without PipeDevice. Only in the full form. */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class RedisProgramsTest {
    @TempDir
    private Path directory;

    @RegisterExtension
    private final Stage stage = new Stage();

    @BeforeEach
    void thereIsRedis() {
        assumeTrue(
                Program.isInstalled("redis-server"),
                "redis-server is not installed: Debian has it in the package redis-server");
    }

    @ParameterizedTest
    @EnumSource(names = {"CLIENT_ONLY", "NEITHER"})
    void redisServesLettuce(Pairing pairing) throws IOException, InterruptedException {
        int port = Ports.free(1).getFirst();
        Program redis = redis(port);
        new Conversation(stage, pairing).runClient(redis, client(port));
        end(redis);
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Lettuce",
                                REDIS.version("lettuce-core"),
                                "Redis of the system; values up to 8 MB, pipelined commands, subscribers, 100 connections",
                                "reads/s",
                                "the server is no JVM, so all connections stay on the kernel"))
                .run(pairing -> {
                    int port = Ports.free(1).getFirst();
                    Program redis = redis(port);
                    Program client = stage.start(pairing.client(), client(port, "measure=true"));
                    client.done();
                    // None of its connections is between two JVMs, so none can be accelerated.
                    Contest.Result result = Contest.Result.of(pairing, client, List.of());
                    client.end();
                    end(redis);
                    return result;
                });
    }

    private Program redis(int port) throws IOException, InterruptedException {
        Program redis = stage.start(
                "redis-server",
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--dir",
                directory.toString(),
                "--save",
                "");
        redis.awaitLine("that it is ready", line -> line.contains("Ready to accept connections"));
        return redis;
    }

    private static JavaCommand client(int port, String... more) {
        List<String> arguments = new ArrayList<>(List.of("port=" + port, Sizes.size(Sizes.some()), Sizes.limit()));
        arguments.addAll(List.of(more));
        return JavaCommand.program("LettuceClient", REDIS, arguments.toArray(String[]::new));
    }

    private static void end(Program redis) throws InterruptedException {
        assertEquals(0, redis.terminate(), redis::toString);
    }
}
