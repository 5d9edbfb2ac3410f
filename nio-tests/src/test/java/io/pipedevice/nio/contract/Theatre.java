// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;
import java.util.List;

/** Plays games: in this process, or with the servers in another one. */
interface Theatre extends AutoCloseable {
    /**
     * Prepares a game.
     *
     * @param ends what the ends are; null if both are channels
     */
    Game game(Pairing pairing, SocketEnds ends, List<Step> plan) throws IOException;

    @Override
    void close();

    static Theatre inThisProcess(Pairing rings) {
        return new Theatre() {
            @Override
            public Game game(Pairing pairing, SocketEnds ends, List<Step> plan) throws IOException {
                return new Game(
                        LocalPlayer.of(pairing, ends, true),
                        LocalPlayer.of(pairing, ends, false),
                        plan,
                        ends,
                        rings.connectsWhenAccepted());
            }

            @Override
            public void close() {}
        };
    }

    /** If the servers of the pairing are in a network namespace, those of the JDK are in another process. */
    static Theatre inTwoProcesses(Pairing rings) throws IOException {
        RemotePlayer server = RemotePlayer.of(rings);
        RemotePlayer oracle = rings == Pairing.PIPEDEVICE_DIRECT ? RemotePlayer.of(Pairing.JDK_JDK) : server;
        return new Theatre() {
            @Override
            public Game game(Pairing pairing, SocketEnds ends, List<Step> plan) throws IOException {
                RemotePlayer player = pairing == rings ? server : oracle;
                player.enter(pairing, ends);
                return new Game(LocalPlayer.of(pairing, ends, true), player, plan, ends, rings.connectsWhenAccepted());
            }

            @Override
            public void close() {
                server.close();
                oracle.close();
            }
        };
    }
}
