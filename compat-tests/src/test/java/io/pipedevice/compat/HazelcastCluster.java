// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.HAZELCAST;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Members of Hazelcast, each in a JVM of its own. One thread. */
final class HazelcastCluster {
    /** The JVM options from Hazelcast's manual, and one more. */
    private static final String[] OPTIONS = {
        "--add-modules=java.se",
        "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-opens=java.management/sun.management=ALL-UNNAMED",
        "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED",
        // With a parallelism of 1, as on two processors, every answer starts a thread.
        "-Djava.util.concurrent.ForkJoinPool.common.parallelism=2"
    };

    private final Stage stage;
    private final boolean pipeDevice;
    private final List<Integer> ports;
    private final List<Program> members = new ArrayList<>();

    /** Starts {@code size} members, each after the previous one has joined. */
    HazelcastCluster(Stage stage, boolean pipeDevice, int size) throws IOException, InterruptedException {
        this.stage = stage;
        this.pipeDevice = pipeDevice;
        this.ports = Ports.free(size);
        for (int i = 0; i < size; i++) {
            members.add(launch(i));
        }
    }

    private Program launch(int member) throws IOException, InterruptedException {
        Program program = stage.start(
                pipeDevice,
                JavaCommand.program("HazelcastMember", HAZELCAST, "port=" + ports.get(member), membersArgument())
                        .with(OPTIONS));
        program.ready();
        return program;
    }

    private String membersArgument() {
        return "members=" + ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    /** A client of the cluster. */
    JavaCommand client(String name, String... more) {
        List<String> arguments = new ArrayList<>(List.of(membersArgument(), Sizes.limit()));
        arguments.addAll(List.of(more));
        return JavaCommand.program(name, HAZELCAST, arguments.toArray(String[]::new))
                .with(OPTIONS);
    }

    List<Program> members() {
        return members;
    }

    void kill(int member) throws InterruptedException {
        members.get(member).kill();
    }

    void bringBack(int member) throws IOException, InterruptedException {
        members.set(member, launch(member));
    }

    void end() throws IOException, InterruptedException {
        for (Program member : members) {
            member.end();
        }
    }
}
