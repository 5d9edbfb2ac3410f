// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The processes of an allreduce. Closing it ends them, the last one first. */
final class Ring implements AutoCloseable {
    private final Deque<Program> open = new ArrayDeque<>();

    /** Adds a process that ends after those that are added later. */
    Program add(Program process) {
        open.push(process);
        return process;
    }

    /** Adds arrays up twice; returns what each process says of its connections. */
    List<String> reduce(List<String> flags, Class<?> program, int ranks, int megabytes)
            throws IOException, InterruptedException {
        List<Program> ring = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            ring.add(add(Program.startMain(
                    flags,
                    program,
                    Integer.toString(rank),
                    Integer.toString(ranks),
                    Integer.toString(megabytes),
                    "2")));
        }
        List<String> ports = new ArrayList<>();
        for (Program each : ring) {
            ports.add(each.await("listening "));
        }
        for (int rank = 0; rank < ranks; rank++) {
            ring.get(rank).send("127.0.0.1 " + ports.get((rank + 1) % ranks));
        }
        List<String> connections = new ArrayList<>();
        for (Program each : ring) {
            connections.add(each.await("verified "));
            assertTrue(each.printed().contains("reduced "), each.printed());
            assertEquals(0, each.exitCode());
        }
        return connections;
    }

    @Override
    public void close() {
        open.forEach(Program::close);
    }
}
