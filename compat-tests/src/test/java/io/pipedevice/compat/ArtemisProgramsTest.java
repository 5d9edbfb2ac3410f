// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.ARTEMIS;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Artemis, only in the full form. */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class ArtemisProgramsTest {
    @RegisterExtension
    private final Stage stage = new Stage();

    @ParameterizedTest
    @EnumSource
    void brokerServesClients(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing).run(broker(), ArtemisProgramsTest::client);
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Artemis",
                                ARTEMIS.version("artemis-server"),
                                "tcp://, messages in memory, up to 8 MB, 20 connections",
                                "messages/s",
                                "brings epoll, which the agent says is unavailable"))
                .run(pairing -> new Conversation(stage, pairing)
                        .measure(broker(), ready -> client(ready).and("measure=true")));
    }

    private static JavaCommand broker() {
        return JavaCommand.program("ArtemisBroker", ARTEMIS).with(JavaCommand.NATIVE_ACCESS);
    }

    private static JavaCommand client(Map<String, String> ready) {
        return JavaCommand.program(
                        "ArtemisClient", ARTEMIS, "port=" + ready.get("port"), Sizes.size(Sizes.some()), Sizes.limit())
                .with(JavaCommand.NATIVE_ACCESS);
    }
}
