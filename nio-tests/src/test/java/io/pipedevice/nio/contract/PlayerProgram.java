// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;

/** Plays the listening end of games for a {@link RemotePlayer} until its input ends. */
public final class PlayerProgram {
    private static LocalPlayer player;

    private PlayerProgram() {}

    /** Serves standard input. */
    public static void main(String[] args) throws IOException, ClassNotFoundException {
        PrintStream out = System.out;
        // Other output must not get into the answers.
        System.setOut(System.err);
        ObjectOutputStream answers = new ObjectOutputStream(new BufferedOutputStream(out));
        answers.flush();
        try (ObjectInputStream requests = new ObjectInputStream(new BufferedInputStream(System.in))) {
            while (true) {
                answers.writeObject(answer((Request) requests.readObject()));
                answers.flush();
                answers.reset();
            }
        } catch (EOFException e) {
            // The other process sends no more requests.
            System.exit(0);
        }
    }

    private static Object answer(Request request) {
        try {
            return serve(request);
        } catch (Exception | AssertionError e) {
            // With the stack of the thread that hangs.
            e.printStackTrace();
            return e.toString();
        }
    }

    private static Outcome serve(Request request) throws Exception {
        switch (request.kind()) {
            case ENTER -> player = LocalPlayer.of(request.pairing(), request.ends(), false);
            case ACT -> {
                return player.act(request.act());
            }
            case BEGIN -> player.begin(request.act());
            case INTERRUPT -> player.interrupt();
            case END -> {
                return player.end();
            }
            case LEAVE -> player.leave();
        }
        return Outcome.of("");
    }
}
