// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The processes of a chain of network functions. Closing it ends them, the last one first. */
final class Chain implements AutoCloseable {
    private static final String LENGTH = "1500";
    private static final int WORKERS = 2;

    private final Deque<Program> open = new ArrayDeque<>();

    /** Adds a process that ends after those that are added later. */
    Program add(Program process) {
        open.push(process);
        return process;
    }

    /** Sends requests for a while, each of which must be answered; returns what the client says of its connection. */
    String answer(List<String> flags, Class<?> program) throws IOException, InterruptedException {
        List<Program> chain = new ArrayList<>();
        List<String> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            Program worker = start(flags, program, "worker", LENGTH);
            chain.add(worker);
            workers.add(address(worker));
        }
        Program balancer = start(flags, program, "balancer", LENGTH);
        String balancerAt = address(balancer);
        balancer.send(String.join(" ", workers));
        Program firewall = start(flags, program, "firewall", LENGTH);
        String firewallAt = address(firewall);
        firewall.send(balancerAt);
        Program client = start(flags, program, "client", LENGTH, "2000", "0.5");
        client.send(firewallAt);
        chain.addAll(List.of(balancer, firewall, client));
        String connection = client.await("completed ");
        for (Program each : chain) {
            assertEquals(0, each.exitCode(), each::printed);
        }
        return connection;
    }

    private Program start(List<String> flags, Class<?> program, String... args) throws IOException {
        return add(Program.startMain(flags, program, args));
    }

    /** The address at which a process listens. */
    private static String address(Program process) throws IOException {
        return "127.0.0.1 " + process.await("listening ");
    }

    @Override
    public void close() {
        open.forEach(Program::close);
    }
}
