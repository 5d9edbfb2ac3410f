// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.NONE;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tests for every web server: the JDK's client over HTTP/1.1, with long and short connections, and over HTTP/2. */
@Timeout(1800)
abstract class WebServers {
    @RegisterExtension
    private final Stage stage = new Stage();

    abstract JavaCommand server();

    abstract CompatibilityTable.Row row();

    /** The paths below which it answers. */
    List<String> roots() {
        return List.of("");
    }

    @ParameterizedTest
    @EnumSource
    void servesHttpClient(Pairing pairing) throws IOException, InterruptedException {
        List<Conversation.Client> clients = new ArrayList<>();
        for (String root : roots()) {
            clients.add(ready -> client(ready, root, "version=HTTP_1_1", "short=true"));
            clients.add(ready -> client(ready, root, "version=HTTP_2"));
        }
        new Conversation(stage, pairing).run(server(), clients.toArray(Conversation.Client[]::new));
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        new Contest(stage, row())
                .run(pairing -> new Conversation(stage, pairing)
                        .measure(server(), ready -> client(ready, "", "version=HTTP_1_1", "measure=true")));
    }

    private static JavaCommand client(Map<String, String> ready, String root, String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("uri=http://127.0.0.1:" + ready.get("http") + root, Sizes.size(Sizes.some()), Sizes.limit()));
        arguments.addAll(List.of(more));
        return JavaCommand.program("JdkClient", NONE, arguments.toArray(String[]::new));
    }
}
