// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.account.AccountFile;
import io.pipedevice.driver.account.Statement;
import io.pipedevice.driver.account.Tally;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.tool.PipeDeviceCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The accounts of programs of two network namespaces that exchange data without the driver's device. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DirectAccountsTest extends NamespacesFixture {
    /** The driver reads a link at least every eight seconds. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    private static final int LITTLE = 1234;

    private ChildJvm server;
    private ChildJvm client;
    private String ofServer;
    private String ofClient;

    @BeforeEach
    void startPrograms() throws IOException {
        startDriver("-Dpipedevice.driver.path=direct");
        server = station(1, accelerated());
        client = station(2, accelerated());
        ofServer = namespace(server);
        ofClient = namespace(client);
        assertEquals("LISTENS", say(server, "listen 0.0.0.0 " + PORT));
    }

    private static String namespace(ChildJvm child) throws IOException {
        String link = Files.readSymbolicLink(Path.of("/proc/" + child.pid() + "/ns/net"))
                .toString();
        return ",net=" + link.substring(link.indexOf('[') + 1, link.indexOf(']')) + ",";
    }

    private void connect() throws IOException {
        joinByPath("direct", client, "connect " + address(1) + " " + PORT, server, "accept");
    }

    private static void send(ChildJvm from, ChildJvm to, int bytes) throws IOException {
        from.send("send " + bytes);
        assertEquals("RECEIVED", say(to, "receive " + bytes));
        assertEquals("SENT", from.expect("SAID"));
    }

    private Statement account(String namespace) {
        try {
            return AccountFile.read(directory.resolve(AccountFile.NAME)).statements().stream()
                    .filter(each -> each.container().contains(namespace))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no account"));
        } catch (IOException e) {
            return new Statement("", "", 0, 0, 0, 0, Map.of());
        }
    }

    private List<Long> totals(String namespace) {
        Statement account = account(namespace);
        return List.of(
                account.total(Tally.DIRECT_SENT),
                account.total(Tally.DIRECT_RECEIVED),
                account.total(Tally.DIRECT_CONNECTIONS));
    }

    private void awaitTotals(String namespace, long sent, long received, long connections) throws InterruptedException {
        List<Long> expected = List.of(sent, received, connections);
        long until = System.nanoTime() + PATIENCE_NS;
        while (!totals(namespace).equals(expected)) {
            assertTrue(System.nanoTime() < until, () -> totals(namespace) + " instead of " + expected);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private void close() throws IOException {
        assertEquals("CLOSED", say(client, "close"));
        assertEquals("END after 0", say(server, "receive 1"));
        assertEquals("CLOSED", say(server, "close"));
    }

    private void assertPrinted(String... command) throws IOException {
        try (ChildJvm accounts = ChildJvm.start(PipeDeviceCommand.class, command)) {
            assertEquals(0, accounts.awaitEnd());
            for (int bytes : new int[] {3 * LENGTH, 3 * LITTLE}) {
                assertTrue(
                        accounts.hasSaid(String.format("%,d  bytes sent directly", bytes)),
                        () -> accounts.said().toString());
            }
        }
    }

    @Test
    void theBytesOfEachConnectionAreInTheAccountsOfBothEnds() throws Exception {
        for (int i = 1; i <= 3; i++) {
            connect();
            send(client, server, LENGTH);
            send(server, client, LITTLE);
            awaitTotals(ofClient, (long) i * LENGTH, (long) i * LITTLE, i);
            awaitTotals(ofServer, (long) i * LITTLE, (long) i * LENGTH, i);
            close();
        }
        assertEquals(0, account(ofClient).total(Tally.DEVICE_SENT));
        assertPrinted("accounts", "--dir", directory.toString());
        assertEquals(0, account(ofClient).total(Tally.LINKS_ENDED));
    }

    @Test
    void nothingIsLostAndNothingIsCountedTwiceIfTheDriverIsKilled() throws Exception {
        connect();
        send(client, server, LENGTH);
        awaitTotals(ofClient, LENGTH, 0, 1);
        send(client, server, LITTLE);
        driver.kill();
        assertTrue(driver.exits(10));
        send(server, client, LENGTH);
        startDriver("-Dpipedevice.driver.path=direct");
        // No program does anything: both have a link that the new driver has to know.
        awaitTotals(ofClient, LENGTH + LITTLE, LENGTH, 1);
        awaitTotals(ofServer, LENGTH, LENGTH + LITTLE, 1);
        send(client, server, LITTLE);
        close();
        awaitTotals(ofClient, LENGTH + 2 * LITTLE, LENGTH, 1);
        awaitTotals(ofServer, LENGTH, LENGTH + 2 * LITTLE, 1);
        connect();
        send(client, server, 1);
        close();
        awaitTotals(ofClient, LENGTH + 2 * LITTLE + 1, LENGTH, 2);
        assertEquals(0, account(ofServer).total(Tally.LINKS_ENDED));
    }

    @Test
    void whatAKilledProgramHasSentIsCountedToItsLastByte() throws Exception {
        connect();
        send(client, server, LENGTH);
        client.kill();
        assertEquals("END after 0", say(server, "receive 1"));
        awaitTotals(ofClient, LENGTH, 0, 1);
        awaitTotals(ofServer, 0, LENGTH, 1);
    }
}
