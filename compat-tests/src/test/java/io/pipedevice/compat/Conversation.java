// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import java.io.IOException;
import java.util.Map;

/** A client program that checks a server program, and checks of both after their success. */
final class Conversation {
    private final Stage stage;
    private final Pairing pairing;
    private Alone serverAlone = counters -> counters.allOnKernel(Counters.NOT_PIPEDEVICE_PEER);
    private Alone clientAlone = counters -> counters.allOnKernel(Counters.NO_RENDEZVOUS);

    Conversation(Stage stage, Pairing pairing) {
        this.stage = stage;
        this.pairing = pairing;
    }

    /** Creates a client from the server's ready message. */
    interface Client {
        JavaCommand of(Map<String, String> ready);
    }

    /** Checks the counters of an end whose peer has no PipeDevice. */
    interface Alone {
        void check(Counters counters) throws IOException;
    }

    /** The same with a check for a server that does more than accept connections. */
    Conversation serverAlone(Alone check) {
        serverAlone = check;
        return this;
    }

    /** The same with a check for a client that does more than connect. */
    Conversation clientAlone(Alone check) {
        clientAlone = check;
        return this;
    }

    /** Runs a server, and one client after the other. */
    void run(JavaCommand command, Client... clients) throws IOException, InterruptedException {
        Program server = stage.start(pairing.server(), command);
        Map<String, String> ready = server.ready();
        for (Client client : clients) {
            runClient(server, client.of(ready));
        }
        server.end();
    }

    /** Runs a client against a running server. */
    void runClient(Program server, JavaCommand command) throws IOException, InterruptedException {
        Program client = stage.start(pairing.client(), command);
        Map<String, String> done = client.done();
        check(server, client, Long.parseLong(done.get("sent")), Long.parseLong(done.get("received")));
        client.end();
    }

    /** Runs a server, and a client that measures itself. */
    Contest.Result measure(JavaCommand command, Client measuring) throws IOException, InterruptedException {
        Program server = stage.start(pairing.server(), command);
        Program client = stage.start(pairing.client(), measuring.of(server.ready()));
        client.done();
        Contest.Result result = Contest.Result.of(pairing, server, client);
        client.end();
        server.end();
        return result;
    }

    /** Checks the counters against the least amounts that the programs report. */
    void check(Program server, Program client, long sent, long received) throws IOException {
        switch (pairing) {
            case BOTH -> {
                new Counters(client).allAccelerated(sent, received);
                new Counters(server).allAccelerated(received, sent);
            }
            case SERVER_ONLY -> serverAlone.check(new Counters(server));
            case CLIENT_ONLY -> clientAlone.check(new Counters(client));
            case NEITHER -> {
                // Without PipeDevice there are no counters.
            }
        }
    }
}
