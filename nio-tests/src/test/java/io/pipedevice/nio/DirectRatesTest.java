// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.account.AccountFile;
import io.pipedevice.driver.account.Tally;
import io.pipedevice.program.HeedlessProgram;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rate of a policy's file, between programs of two network namespaces that exchange data without the driver's
 * device.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DirectRatesTest extends NamespacesFixture {
    private static final double BYTES_PER_NS = 25e6 / 1e9;
    private static final int MUCH = 60_000_000;

    /** What may be sent at once. */
    private static final int BURST = 1_250_000;

    @TempDir
    private Path policies;

    private Path policy;
    private ChildJvm server;

    @BeforeEach
    void startServer() throws IOException {
        policy = policies.resolve("policy.yaml");
        write("200 Mbit/s");
        startDriver("-Dpipedevice.driver.policy=" + policy);
        server = station(1, accelerated());
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
    }

    private void write(String rate) throws IOException {
        Files.writeString(
                policy, "default: direct\n" + (rate == null ? "" : "limits: [{of: any, rate: " + rate + "}]\n"));
    }

    private ChildJvm connected() throws IOException {
        ChildJvm client = station(2, accelerated());
        joinByPath("direct", client, "connect " + address(1) + " " + PORT, server, "accept");
        return client;
    }

    private long linksEnded() throws IOException {
        return AccountFile.read(directory.resolve(AccountFile.NAME)).statements().stream()
                .mapToLong(each -> each.total(Tally.LINKS_ENDED))
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "pour"})
    void dataTakeTheTimeThatTheRateSays(String how) throws IOException {
        ChildJvm client = connected();
        for (int i = 0; i < 2; i++) {
            long begin = System.nanoTime();
            client.send(how + " " + MUCH);
            assertEquals("RECEIVED", say(server, "receive " + MUCH));
            long took = System.nanoTime() - begin;
            assertEquals("SENT", client.expect("SAID"));
            assertTrue(took >= (MUCH - BURST) / BYTES_PER_NS, () -> took + " ns");
            System.out.printf("%s: %.3f of the rate%n", how, MUCH / BYTES_PER_NS / took);
        }
        assertStreamBothWays(client, server);
        assertEquals(0, linksEnded());
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "pour"})
    void whatWaitsGoesOnWhenTheLimitIsRemoved(String how) throws Exception {
        ChildJvm client = connected();
        write("10000");
        // The driver looks at the file twice a second.
        TimeUnit.SECONDS.sleep(3);
        client.send(how + " " + MUCH);
        server.send("receive " + MUCH);
        TimeUnit.SECONDS.sleep(1);
        assertFalse(client.hasSaid("SAID SENT"));
        write(null);
        assertEquals("RECEIVED", server.expect("SAID"));
        assertEquals("SENT", client.expect("SAID"));
        assertEquals(0, linksEnded());
    }

    @Test
    void aProgramThatDoesNotHeedItsRateLosesItsLinks() throws Exception {
        ChildJvm heedless = keep(ChildJvm.start(
                List.of("unshare", "-n"), accelerated(), HeedlessProgram.class, address(1), Integer.toString(PORT)));
        heedless.expect("STARTED");
        station(2, heedless);
        heedless.send("");
        assertTrue(say(server, "accept").contains("direct"));
        heedless.expect("HEEDLESS");
        String drained = say(server, "drain");
        assertTrue(drained.contains("Connection reset"), drained);
        assertTrue(heedless.expect("SAID").contains("Connection reset"));
        // The driver writes the file once a second.
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (linksEnded() < 2 && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertEquals(2, linksEnded());
    }
}
