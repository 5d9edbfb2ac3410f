// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.NONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Peers that do not run PipeDevice, or no longer run it. */
@Timeout(600)
final class NeighboursTest {
    @RegisterExtension
    private final Stage stage = new Stage();

    @Test
    void curlSendsAndGets(@TempDir Path directory) throws IOException, InterruptedException {
        assumeTrue(Program.isInstalled("curl"), "curl is not installed");
        TestFile file = TestFile.make(directory);
        Program server = stage.start(true, JavaCommand.program("JdkServer", NONE, "port=0"));
        String uri = "http://127.0.0.1:" + server.ready().get("http");
        Program upload = curl("--upload-file", file.path().toString(), "--write-out", "\\n", uri + "/digest");
        assertEquals(file.sha256(), "sha256=" + upload.awaitLine("a digest", line -> true));
        upload.end();
        Path copy = directory.resolve("copy");
        curl("--output", copy.toString(), uri + "/noise/1/" + file.size()).end();
        assertEquals(file.size(), Files.size(copy));
        new Counters(server).allOnKernel(Counters.NOT_PIPEDEVICE_PEER);
        server.end();
    }

    private Program curl(String... arguments) throws IOException {
        return stage.start(Stream.concat(Stream.of("curl", "--silent", "--show-error", "--fail"), Stream.of(arguments))
                .toArray(String[]::new));
    }

    @Test
    void clientFollowsAServerThatLeavesPipeDeviceAndComesBack() throws IOException, InterruptedException {
        Program server = stage.start(true, JavaCommand.program("JdkServer", NONE, "port=0"));
        String port = server.ready().get("http");
        Program client =
                stage.start(true, JavaCommand.program("RepeatClient", NONE, "uri=http://127.0.0.1:" + port + "/echo"));
        client.ready();
        client.say("rings");
        assertEquals("rings", client.await("ANSWER"));
        Counters counters = new Counters(client);
        assertEquals(1, counters.accelerated());
        server.end();

        client.say("nobody");
        assertEquals("nobody", client.await("REFUSED"));
        long onKernel = counters.onKernel(Counters.NO_RENDEZVOUS);

        Program plain = stage.start(false, JavaCommand.program("JdkServer", NONE, "port=" + port));
        plain.ready();
        client.say("kernel");
        assertEquals("kernel", client.await("ANSWER"));
        assertEquals(1, counters.accelerated());
        assertEquals(onKernel + 1, counters.onKernel(Counters.NO_RENDEZVOUS));
        plain.end();

        Program again = stage.start(true, JavaCommand.program("JdkServer", NONE, "port=" + port));
        again.ready();
        client.say("rings again");
        assertEquals("rings again", client.await("ANSWER"));
        assertEquals(2, counters.accelerated());
        assertEquals(onKernel + 1, counters.onKernel(Counters.NO_RENDEZVOUS));
        client.end();
        again.end();
    }
}
