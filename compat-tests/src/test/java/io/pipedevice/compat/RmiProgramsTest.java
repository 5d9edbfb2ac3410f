// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.NONE;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The JDK's remote objects, and its management agent, which uses them. Both use sockets of java.net. */
@Timeout(1800)
final class RmiProgramsTest {
    /** By default an object has the address of the host's name, whatever that is. */
    private static final String ADDRESS = "-Djava.rmi.server.hostname=127.0.0.1";

    /** An open connection publishes its bytes now and then; a client keeps an idle one for half a minute by default. */
    private static final String CLOSE_SOON = "-Dsun.rmi.transport.connectionTimeout=500";

    @RegisterExtension
    private final Stage stage = new Stage();

    @PairingTest
    void objectsCallEachOther(Pairing pairing) throws IOException, InterruptedException {
        String port = port();
        new Conversation(stage, pairing)
                .serverAlone(RmiProgramsTest::acceptsAndConnects)
                .clientAlone(RmiProgramsTest::acceptsAndConnects)
                .run(server(port).with(CLOSE_SOON), ready -> client(port).with(CLOSE_SOON));
    }

    private static void acceptsAndConnects(Counters counters) throws IOException {
        counters.allOnKernel(Counters.NOT_PIPEDEVICE_PEER, Counters.NO_RENDEZVOUS);
    }

    /** The agent starts before the program, but after PipeDevice. */
    @PairingTest
    void managementAgentServesConnectors(Pairing pairing) throws IOException, InterruptedException {
        String port = port();
        new Conversation(stage, pairing)
                .run(
                        JavaCommand.program("JmxSource", NONE)
                                .with(
                                        ADDRESS,
                                        "-Dcom.sun.management.jmxremote.port=" + port,
                                        "-Dcom.sun.management.jmxremote.authenticate=false",
                                        "-Dcom.sun.management.jmxremote.ssl=false"),
                        ready -> JavaCommand.program("JmxClient", NONE, "port=" + port, Sizes.limit())
                                .with(CLOSE_SOON));
    }

    @Test
    @EnabledIfSystemProperty(named = "compat.full", matches = "true")
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "JDK RMI and JMX",
                                Runtime.version().toString(),
                                "calls and calls back up to 1 MB, 20 threads; management agent, operations, notifications, 20 connectors",
                                "calls/s",
                                "-"))
                .run(pairing -> {
                    String port = port();
                    return new Conversation(stage, pairing)
                            .measure(server(port), ready -> client(port, "measure=true"));
                });
    }

    private static String port() {
        return Ports.free(1).getFirst().toString();
    }

    private static JavaCommand server(String port) {
        return JavaCommand.program("RmiServer", NONE, "port=" + port).with(ADDRESS);
    }

    private static JavaCommand client(String port, String... more) {
        List<String> arguments = new ArrayList<>(List.of("port=" + port, Sizes.limit()));
        arguments.addAll(List.of(more));
        return JavaCommand.program("RmiClient", NONE, arguments.toArray(String[]::new))
                .with(ADDRESS);
    }
}
