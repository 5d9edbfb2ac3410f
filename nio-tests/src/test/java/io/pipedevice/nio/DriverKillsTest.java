// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.program.EchoingProgram;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.wait.FairTimeout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A driver is killed again and again while programs of several network namespaces exchange data directly. */
@Timeout(value = 3600, unit = TimeUnit.SECONDS)
class DriverKillsTest extends NamespacesFixture {
    private static final int CONNECTIONS = 64;
    private static final int ROUNDS = Integer.getInteger("pipedevice.test.driver.kills", 3);

    /** Half of them are servers. */
    private static final int PROGRAMS = Integer.getInteger("pipedevice.test.namespaces", 4);

    private final List<ChildJvm> servers = new ArrayList<>();
    private final List<ChildJvm> clients = new ArrayList<>();

    private void startPrograms() throws IOException {
        for (int i = 0; i < PROGRAMS / 2; i++) {
            servers.add(program(1 + i));
            clients.add(program(101 + i));
        }
        for (int i = 0; i < servers.size(); i++) {
            assertEquals("LISTENS", say(servers.get(i), "listen 0.0.0.0 " + PORT));
        }
    }

    private ChildJvm program(int number) throws IOException {
        ChildJvm child = keep(ChildJvm.start(List.of("unshare", "-n"), accelerated(), EchoingProgram.class));
        child.expect("STARTED");
        return station(number, child);
    }

    private long exchanges(int client) throws IOException {
        String[] words = say(clients.get(client), "count").split(" ", 2);
        assertEquals("[]", words[1]);
        return Long.parseLong(words[0]);
    }

    /** Waits until a client has had answers that were under way, and later ones, on all of its connections. */
    private void awaitExchanges(int client) throws IOException, InterruptedException {
        FairTimeout timeout = new FairTimeout(System.nanoTime(), TimeUnit.SECONDS.toNanos(20));
        long before = exchanges(client);
        while (exchanges(client) - before < 4L * CONNECTIONS) {
            assertFalse(timeout.isOver(), "no answers any more");
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private String probe(int i) throws IOException {
        return say(clients.get(i), "probe " + address(1 + i) + " " + PORT);
    }

    /** A client goes on with the driver's rulings until it finds that the driver has ended. */
    private void awaitKernel(int client) throws IOException, InterruptedException {
        FairTimeout timeout = new FairTimeout(System.nanoTime(), TimeUnit.SECONDS.toNanos(20));
        while (probe(client).equals("rings")) {
            assertFalse(timeout.isOver(), "rings without a driver");
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Test
    void directConnectionsNeverNoticeAndNewOnesAreAcceleratedAgain() throws Exception {
        startDriver();
        startPrograms();
        int each = CONNECTIONS / clients.size();
        for (int i = 0; i < clients.size(); i++) {
            assertEquals("OPEN " + each, say(clients.get(i), "open " + address(1 + i) + " " + PORT + " " + each));
        }
        List<Long> millis = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            int client = round % clients.size();
            awaitExchanges(client);
            driver.kill();
            assertTrue(driver.exits(10));
            awaitKernel(client);
            awaitExchanges(client);
            startDriver();
            FairTimeout timeout = new FairTimeout(System.nanoTime(), TimeUnit.SECONDS.toNanos(20));
            int probes = 1;
            for (String way = probe(client); !way.equals("rings"); way = probe(client)) {
                assertFalse(timeout.isOver(), way);
                probes++;
                TimeUnit.MILLISECONDS.sleep(5);
            }
            millis.add(TimeUnit.NANOSECONDS.toMillis(timeout.elapsedNs()));
            System.out.printf(
                    "round %d: rings %d ms after the driver's return, at probe %d%n", round, millis.getLast(), probes);
        }
        for (ChildJvm client : clients) {
            assertEquals("FINISHED []", say(client, "finish"));
        }
        for (ChildJvm server : servers) {
            assertEquals("0 []", say(server, "count"));
        }
        Collections.sort(millis);
        System.out.printf(
                "%d kills of the driver, %d connections of %d programs: accelerated again after %d ms (median), %d ms"
                        + " (longest)%n",
                ROUNDS, CONNECTIONS, PROGRAMS, millis.get(millis.size() / 2), millis.getLast());
    }
}
