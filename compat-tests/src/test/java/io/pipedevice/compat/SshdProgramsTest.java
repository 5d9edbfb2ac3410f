// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.SSHD;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Apache MINA SSHD, whose both ends use asynchronous channels, only in the full form. */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class SshdProgramsTest {
    @RegisterExtension
    private final Stage stage = new Stage();

    @ParameterizedTest
    @EnumSource
    void serverServesClients(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing).run(server(), SshdProgramsTest::client);
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Apache MINA SSHD",
                                SSHD.version("sshd-core"),
                                "both ends with asynchronous channels; streams of up to 1 MB there and back, 20 sessions",
                                "trips/s",
                                "encrypted"))
                .run(pairing -> new Conversation(stage, pairing)
                        .measure(server(), ready -> client(ready).and("measure=true")));
    }

    private static JavaCommand server() {
        return JavaCommand.program("SshdServer", SSHD);
    }

    private static JavaCommand client(Map<String, String> ready) {
        return JavaCommand.program(
                "SshdClient", SSHD, "port=" + ready.get("port"), Sizes.size(Sizes.some()), Sizes.limit());
    }
}
