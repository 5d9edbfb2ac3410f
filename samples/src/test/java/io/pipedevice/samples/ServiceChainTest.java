// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.samples.nio.ServiceChain;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ServiceChainTest {
    private static final String LENGTH = "1500";
    private static final int WORKERS = 2;

    private final Deque<Program> open = new ArrayDeque<>();
    private List<String> flags = List.of();

    @AfterEach
    void end() {
        open.forEach(Program::close);
    }

    private Program start(String... args) throws IOException {
        Program process = Program.startMain(flags, ServiceChain.class, args);
        open.add(process);
        return process;
    }

    /** The address at which a process listens. */
    private static String address(Program process) throws IOException {
        return "127.0.0.1 " + process.await("listening ");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyRequestIsAnsweredOnce(boolean accelerated) throws IOException, InterruptedException {
        flags = accelerated ? List.of(RingAllreduceTest.PROVIDER) : List.of();
        List<String> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            workers.add(address(start("worker", LENGTH)));
        }
        Program balancer = start("balancer", LENGTH);
        String balancerAt = address(balancer);
        balancer.tell(String.join(" ", workers));
        Program firewall = start("firewall", LENGTH);
        String firewallAt = address(firewall);
        firewall.tell(balancerAt);
        Program client = start("client", "2000", LENGTH);
        client.tell(firewallAt);
        String channel = client.await("completed ");
        assertEquals(accelerated, channel.contains("rings"), channel);
        for (Program each : open) {
            assertEquals(0, each.exitCode(), each::printed);
        }
    }
}
