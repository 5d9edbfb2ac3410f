// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A server and its client. One survives, and the other is killed again and again, so that what each death leaves in the
 * survivor adds up. One thread.
 */
final class SoakPair {
    private static final long QUIET_LIMIT_S = 60;

    private final Stage stage;
    private final JavaCommand serverCommand;
    private final JavaCommand clientCommand;
    private final boolean serverLasts;
    private Program server;
    private Program client;
    private PeerDeaths deaths;

    SoakPair(Stage stage, boolean serverLasts, JavaCommand serverCommand, JavaCommand clientCommand) {
        this.stage = stage;
        this.serverLasts = serverLasts;
        this.serverCommand = serverCommand;
        this.clientCommand = clientCommand;
    }

    Program server() {
        return server;
    }

    Program client() {
        return client;
    }

    void startServer() throws IOException {
        server = stage.start(true, serverCommand);
    }

    void awaitServer() throws InterruptedException {
        server.ready();
    }

    void startClient() throws IOException {
        client = stage.start(true, clientCommand);
        deaths = new PeerDeaths(client);
    }

    void awaitClient() throws IOException, InterruptedException {
        client.ready();
        client.progress("begun");
    }

    /** Kills the one that does not survive, and starts another one. */
    void kill() throws IOException, InterruptedException {
        if (serverLasts) {
            killClient();
        } else {
            killServer();
        }
    }

    /** Kills the client. No connection of a client that starts after its server may be on the kernel. */
    private void killClient() throws IOException, InterruptedException {
        new Counters(client).acceleratedOr();
        client.kill();
        long accelerated = new Counters(server).accelerated();
        startClient();
        awaitClient();
        new Counters(server).acceleratedOr();
        assertTrue(new Counters(server).accelerated() > accelerated, server::toString);
    }

    private void killServer() throws IOException, InterruptedException {
        PeerDeaths.checkServer(server);
        client.progress("server ends");
        server.kill();
        startServer();
        awaitServer();
        long accelerated = deaths.accelerated();
        client.progress("server is back");
        deaths.survived(accelerated);
    }

    void stopClient() throws IOException, InterruptedException {
        client.say("stop");
        client.done();
        deaths.check();
        awaitNoneOpen(client);
        client.end();
        awaitNoneOpen(server);
    }

    static void awaitNoneOpen(Program program) {
        await().atMost(QUIET_LIMIT_S, TimeUnit.SECONDS)
                .untilAsserted(() -> assertEquals(0, new Counters(program).open(), program::toString));
    }

    void stopServer() throws IOException, InterruptedException {
        if (serverLasts) {
            new Counters(server).acceleratedOr();
        } else {
            PeerDeaths.checkServer(server);
        }
        // Its warnings about killed clients do not matter.
        assertEquals(0, server.leave(), server::toString);
    }
}
