// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.NONE;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One JVM is killed, and the connection of the other ends as with kernel TCP. */
@Timeout(600)
final class KilledTest {
    @RegisterExtension
    private final Stage stage = new Stage();

    @ParameterizedTest
    @CsvSource({"BOTH, server", "BOTH, client", "NEITHER, server", "NEITHER, client"})
    void readerSeesTheEnd(Pairing pairing, String victim) throws IOException, InterruptedException {
        kill(pairing, victim, "read", List.of("-1"));
    }

    @ParameterizedTest
    @CsvSource({"BOTH, server", "BOTH, client", "NEITHER, server", "NEITHER, client"})
    void readerSeesAResetIfSomethingWasNotRead(Pairing pairing, String victim)
            throws IOException, InterruptedException {
        kill(pairing, victim, "send", List.of("Connection reset"));
    }

    @ParameterizedTest
    @CsvSource({"BOTH, server", "BOTH, client", "NEITHER, server", "NEITHER, client"})
    void writerFails(Pairing pairing, String victim) throws IOException, InterruptedException {
        kill(pairing, victim, "fill", List.of("Connection reset by peer", "Broken pipe"));
    }

    private void kill(Pairing pairing, String victim, String then, List<String> ends)
            throws IOException, InterruptedException {
        boolean killServer = victim.equals("server");
        Program server = stage.start(pairing.server(), partner(killServer ? "rest" : then));
        Program client = stage.start(
                pairing.client(),
                partner(killServer ? then : "rest", "port=" + server.ready().get("port")));
        Program survivor = killServer ? client : server;
        Program killed = killServer ? server : client;
        killed.await("CONNECTED");
        survivor.await(then.equals("read") ? "CONNECTED" : "SENT");
        if (pairing == Pairing.BOTH) {
            new Counters(survivor).allAccelerated(1, 1);
        }
        killed.kill();
        String end = survivor.await("ENDED");
        assertTrue(ends.contains(end), end);
        survivor.end();
    }

    private static JavaCommand partner(String then, String... arguments) {
        String[] all = new String[arguments.length + 1];
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[0] = "then=" + then;
        return JavaCommand.program("Partner", NONE, all);
    }
}
