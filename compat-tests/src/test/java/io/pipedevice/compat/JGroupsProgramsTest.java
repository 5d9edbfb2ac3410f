// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.JGROUPS;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * JGroups over TCP_NIO2, with its own configuration: a member drops what a channel does not accept at once, except for
 * ten buffers, and resends it on request. Only in the full form.
 */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class JGroupsProgramsTest {
    private static final int MEMBERS = 3;

    @RegisterExtension
    private final Stage stage = new Stage();

    @ParameterizedTest
    @EnumSource(names = {"BOTH", "NEITHER"})
    void membersReceiveEachOthersMessages(Pairing pairing) throws IOException, InterruptedException {
        List<Program> members = start(pairing);
        Program last = members.getLast();
        last.done();
        if (pairing == Pairing.BOTH) {
            members.forEach(member -> new Counters(member).allAccelerated(1, 1));
        }
        end(members);
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "JGroups",
                                JGROUPS.version("jgroups"),
                                "TCP_NIO2 as in its tcp-nio.xml; three members that all send to all, messages up to 1 MB;"
                                        + " the delay is that of 20,000 messages of each",
                                "messages/s",
                                "-"))
                .run(pairing -> {
                    List<Program> members = start(pairing, "measure=true");
                    members.getLast().done();
                    Contest.Result result = Contest.Result.of(pairing, members.toArray(Program[]::new));
                    end(members);
                    return result;
                });
    }

    /** Starts the members, each after the previous one has joined; the last one makes all of them send. */
    private List<Program> start(Pairing pairing, String... more) throws IOException, InterruptedException {
        assumeTrue(hasAddressBesideLoopback(), "JGroups warns on a machine that has only the loopback interface");
        List<Integer> ports = Ports.free(MEMBERS);
        String all =
                "members=" + ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
        List<Program> members = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            boolean last = i == MEMBERS - 1;
            List<String> arguments = new ArrayList<>(List.of("port=" + ports.get(i), all, Sizes.limit()));
            if (last) {
                arguments.addAll(List.of(more));
            }
            Program member = stage.start(
                    last ? pairing.client() : pairing.server(),
                    JavaCommand.program(
                                    last ? "JGroupsLoad" : "JGroupsMember", JGROUPS, arguments.toArray(String[]::new))
                            .with("-Djava.net.preferIPv4Stack=true"));
            members.add(member);
            if (!last) {
                member.ready();
            }
        }
        return members;
    }

    private static boolean hasAddressBesideLoopback() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .anyMatch(address -> address instanceof Inet4Address && !address.isLoopbackAddress());
    }

    private static void end(List<Program> members) throws IOException, InterruptedException {
        for (Program member : members.reversed()) {
            member.end();
        }
    }
}
