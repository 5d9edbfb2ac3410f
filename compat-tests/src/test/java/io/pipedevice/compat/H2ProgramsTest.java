// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.H2;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The database H2 in its TCP mode, and its JDBC driver; both use sockets of java.net. */
@Timeout(1800)
final class H2ProgramsTest {
    private static final int OBJECT = 4 << 20;

    /** H2 leaves the files of large objects where its JVM ends without closing the database. */
    @TempDir
    private Path directory;

    @RegisterExtension
    private final Stage stage = new Stage();

    @PairingTest
    void serverServesJdbc(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing)
                // The server connects to itself once, to find out whether it runs.
                .serverAlone(counters -> counters.mixed(Counters.NOT_PIPEDEVICE_PEER))
                .run(server(), this::client);
    }

    @Test
    @EnabledIfSystemProperty(named = "compat.full", matches = "true")
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "H2",
                                H2.version("h2"),
                                "TCP mode and JDBC; batches, transactions, large objects of 4 MB, 100 connections, cancelled statements",
                                "queries/s",
                                "-"))
                .run(pairing ->
                        new Conversation(stage, pairing).measure(server(), ready -> client(ready, "measure=true")));
    }

    private JavaCommand server() {
        return program("H2Server");
    }

    private JavaCommand client(Map<String, String> ready, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("port=" + ready.get("port"), Sizes.size(OBJECT), Sizes.limit()));
        arguments.addAll(List.of(more));
        return program("H2Client", arguments.toArray(String[]::new));
    }

    private JavaCommand program(String name, String... arguments) {
        return JavaCommand.program(name, H2, arguments).with("-Djava.io.tmpdir=" + directory);
    }
}
