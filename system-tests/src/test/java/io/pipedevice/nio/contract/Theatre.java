// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.util.List;

/** Plays games: in this process, or with the servers in another one. */
interface Theatre extends AutoCloseable {
    Game game(Pairing pairing, List<Step> plan) throws IOException;

    @Override
    void close();

    static Theatre inThisProcess() {
        return new Theatre() {
            @Override
            public Game game(Pairing pairing, List<Step> plan) throws IOException {
                return new Game(
                        new LocalPlayer(pairing.client(), true), new LocalPlayer(pairing.server(), false), plan);
            }

            @Override
            public void close() {}
        };
    }

    static Theatre inTwoProcesses() throws IOException {
        RemotePlayer server = new RemotePlayer();
        return new Theatre() {
            @Override
            public Game game(Pairing pairing, List<Step> plan) throws IOException {
                server.enter(pairing);
                return new Game(new LocalPlayer(pairing.client(), true), server, plan);
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }
}
