// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.JEDIS;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Jedis, and a server of the protocol of Redis that is written in Java; both use sockets of java.net. Only in the full
 * form.
 */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class JedisProgramsTest {
    private static final int SIZE = 16 << 20;

    @RegisterExtension
    private final Stage stage = new Stage();

    @PairingTest
    void serverServesJedis(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing).run(server(), JedisProgramsTest::client);
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Jedis",
                                JEDIS.version("jedis"),
                                "server Jedis-Mock " + JEDIS.version("jedis-mock")
                                        + "; values up to 1 MB, pipelined commands, a subscriber, a pool of 100 connections",
                                "reads/s",
                                "-"))
                .run(pairing -> new Conversation(stage, pairing)
                        .measure(server(), ready -> client(ready).and("measure=true")));
    }

    private static JavaCommand server() {
        return JavaCommand.program("JedisServer", JEDIS);
    }

    private static JavaCommand client(Map<String, String> ready) {
        return JavaCommand.program("JedisClient", JEDIS, "port=" + ready.get("port"), Sizes.size(SIZE), Sizes.limit());
    }
}
