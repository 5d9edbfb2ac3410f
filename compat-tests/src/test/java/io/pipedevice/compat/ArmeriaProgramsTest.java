// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.ARMERIA;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Armeria, only in the full form. */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class ArmeriaProgramsTest {
    @RegisterExtension
    private final Stage stage = new Stage();

    @ParameterizedTest
    @EnumSource
    void armeriaServesArmeria(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing).run(server(), ArmeriaProgramsTest::client);
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Armeria",
                                ARMERIA.version("armeria"),
                                "HTTP/2 and HTTP/1.1 without TLS, bodies of 1 MB, 100 requests at once",
                                "requests/s",
                                "brings epoll, which the agent says is unavailable"))
                .run(pairing -> new Conversation(stage, pairing)
                        .measure(server(), ready -> client(ready).and("measure=true")));
    }

    private static JavaCommand server() {
        return JavaCommand.program("ArmeriaServer", ARMERIA).with(JavaCommand.NATIVE_ACCESS);
    }

    private static JavaCommand client(Map<String, String> ready) {
        return JavaCommand.program(
                        "ArmeriaClient", ARMERIA, "port=" + ready.get("port"), Sizes.size(Sizes.some()), Sizes.limit())
                .with(JavaCommand.NATIVE_ACCESS);
    }
}
