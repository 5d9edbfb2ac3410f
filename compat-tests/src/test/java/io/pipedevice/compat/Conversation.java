// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.io.IOException;
import java.util.Map;
import java.util.function.Function;

/** A client program that checks a server program, and what must hold when both did well. */
final class Conversation {
    private final Stage stage;
    private final Pairing pairing;

    Conversation(Stage stage, Pairing pairing) {
        this.stage = stage;
        this.pairing = pairing;
    }

    /** Runs both; the client is made from what the server said when it was ready. */
    void run(JavaCommand server, Function<Map<String, String>, JavaCommand> client)
            throws IOException, InterruptedException {
        Program first = stage.start(pairing.server(), server);
        runClient(first, client.apply(first.ready()));
        first.end();
    }

    /** Runs a client against a server that is there. */
    void runClient(Program server, JavaCommand command) throws IOException, InterruptedException {
        Program client = stage.start(pairing.client(), command);
        Map<String, String> done = client.done();
        check(server, client, Long.parseLong(done.get("sent")), Long.parseLong(done.get("received")));
        client.end();
    }

    private void check(Program server, Program client, long sent, long received) throws IOException {
        switch (pairing) {
            case BOTH -> {
                new Counters(client).allAccelerated(sent, received);
                new Counters(server).allAccelerated(received, sent);
            }
            case SERVER_ONLY -> new Counters(server).allOnKernel(Counters.NOT_PIPEDEVICE_PEER);
            case CLIENT_ONLY -> new Counters(client).allOnKernel(Counters.NO_RENDEZVOUS);
            case NEITHER -> {
                // Without PipeDevice nobody counts.
            }
        }
    }
}
