// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.driver.account.AccountFile;
import io.pipedevice.driver.account.Statement;
import io.pipedevice.driver.account.Tally;
import io.pipedevice.linux.Fd;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.link.MeteredLink;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.test.DriverLog;
import io.pipedevice.wait.FairTimeout;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process with so many links that the driver's socket has no room for them at once. */
@Tag("broker")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ManyLinksTest {
    static {
        DriverLog.quiet();
    }

    private static final int LINKS = 600;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    /** The driver needs the processor more than this test, which reads a file of all links each time. */
    private static final long BETWEEN_LOOKS_MS = 50;

    @TempDir
    private Path directory;

    private final List<Played> links = new ArrayList<>();

    /** One side of a link, on which one connection was opened. */
    private static final class Played implements MeteredLink {
        final SharedRegion region = SharedRegion.create("link", LinkPages.length(), false);
        private Runnable afterwards;

        Played() throws IOException {
            LinkPages.allocate(region, 0, LinkMemoryDescriptor.HEADER_LENGTH);
            connections(1);
        }

        void connections(long count) {
            region.memory().set(ValueLayout.JAVA_LONG, LinkMemoryDescriptor.CONNECTIONS_OFFSET, count);
        }

        @Override
        public Fd memory() {
            return region.fd();
        }

        @Override
        public long peerMemory() {
            return 0;
        }

        @Override
        public void whenEnded(Runnable then) {
            afterwards = then;
        }

        void end() {
            region.close();
            afterwards.run();
        }

        @Override
        public void giveUp(String why) {
            throw new AssertionError(why);
        }
    }

    @AfterEach
    void close() {
        links.forEach(each -> each.region.close());
    }

    private long connections() throws IOException {
        Path file = directory.resolve(AccountFile.NAME);
        List<Statement> all = Files.exists(file) ? AccountFile.read(file).statements() : List.of();
        return all.isEmpty() ? 0 : all.get(0).total(Tally.DIRECT_CONNECTIONS);
    }

    private void awaitConnections(long count) throws IOException, InterruptedException {
        FairTimeout timeout = new FairTimeout(System.nanoTime(), PATIENCE_NS);
        while (connections() != count) {
            assertFalse(timeout.isOver(), connections() + " instead of " + count);
            TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MS);
        }
    }

    private void awaitLinks(int count) throws IOException, InterruptedException {
        FairTimeout timeout = new FairTimeout(System.nanoTime(), PATIENCE_NS);
        while (AccountFile.read(directory.resolve(AccountFile.NAME)).links().size() != count) {
            assertFalse(timeout.isOver(), "not " + count + " links");
            TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MS);
        }
    }

    @Test
    @SuppressWarnings("try") // the drivers only have to run
    void allAreCountedByThisDriverAndByTheNextOne() throws Exception {
        Broker broker;
        try (PeerNetwork network = new PeerNetwork()) {
            try (PipeDeviceDriver driver = PipeDeviceDriver.launch(new DriverContext().directory(directory))) {
                broker = new Broker(DriverDirectory.at(directory)::connect, network);
                broker.join();
                BrokerSession session = broker.session();
                for (int i = 0; i < LINKS; i++) {
                    Played link = new Played();
                    links.add(link);
                    broker.links().show(link, session);
                }
                awaitConnections(LINKS);
            }
            links.forEach(each -> each.connections(2));
            try (PipeDeviceDriver next = PipeDeviceDriver.launch(new DriverContext().directory(directory))) {
                awaitConnections(2 * LINKS);
                BrokerSession session = broker.session();
                links.forEach(Played::end);
                awaitLinks(0);
                assertEquals(session, broker.session(), "the end of many links is no misbehaviour");
                assertEquals(2 * LINKS, connections());
            }
        }
    }
}
