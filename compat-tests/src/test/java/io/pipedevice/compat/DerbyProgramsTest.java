// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.DERBY;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The database Derby as a network server, and its JDBC driver; both use sockets of java.net. Only in the full form. */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class DerbyProgramsTest {
    private static final int OBJECT = 4 << 20;

    /** Connections of the program's pool. */
    private static final int POOL = 100;

    private static final long LIMIT_S = 60;

    @RegisterExtension
    private final Stage stage = new Stage();

    @PairingTest
    void serverServesJdbc(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing).run(server(), ready -> client(ready, Sizes.size(OBJECT)));
    }

    @ParameterizedTest
    @EnumSource(names = {"BOTH", "NEITHER"})
    void poolGoesOnWhenTheClientWithAnotherOneIsKilled(Pairing pairing) throws IOException, InterruptedException {
        Program server = stage.start(pairing.server(), server());
        Map<String, String> ready = server.ready();
        Program survivor = stage.start(pairing.client(), pool(ready, "name=1"));
        Program victim = stage.start(pairing.client(), pool(ready, "name=2"));
        for (Program client : List.of(survivor, victim)) {
            client.ready();
            client.progress("with both");
        }
        if (pairing == Pairing.BOTH) {
            long open = new Counters(server).open();
            assertTrue(open >= 2 * POOL, () -> "open: " + open);
        }
        victim.kill();
        survivor.progress("without the other");
        survivor.say("stop");
        Map<String, String> done = survivor.done();
        new Conversation(stage, pairing)
                .check(server, survivor, Long.parseLong(done.get("sent")), Long.parseLong(done.get("received")));
        if (pairing == Pairing.BOTH) {
            await().atMost(LIMIT_S, TimeUnit.SECONDS).untilAsserted(() -> assertEquals(0, new Counters(server).open()));
        }
        survivor.end();
        server.end();
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Derby",
                                DERBY.version("derbynet"),
                                "network server and JDBC; batches, transactions, large objects of 4 MB, 100 connections; a pool of 100 beside that of a client that is killed",
                                "queries/s",
                                "-"))
                .run(pairing -> new Conversation(stage, pairing)
                        .measure(server(), ready -> client(ready, Sizes.size(OBJECT), "measure=true")));
    }

    private static JavaCommand server() {
        return JavaCommand.program("DerbyServer", DERBY, "port=" + Ports.free(1).getFirst());
    }

    private static JavaCommand client(Map<String, String> ready, String... more) {
        return JavaCommand.program("DerbyClient", DERBY, "port=" + ready.get("port"), Sizes.limit())
                .and(more);
    }

    private static JavaCommand pool(Map<String, String> ready, String name) {
        return JavaCommand.program("DerbyPool", DERBY, "port=" + ready.get("port"), name, Sizes.limit());
    }
}
