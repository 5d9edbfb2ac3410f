// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A selection that begins after a write has returned reports that write, whatever else is ready and however long the
 * connection had no traffic. The same holds for a connection to be accepted and for an end of stream.
 *
 * <p>The kernel's TCP delivers on loopback before write(2) returns, but may leave that to its thread for soft
 * interrupts on a busy processor; so the tests wait until it has. A driver copies after the write has returned: there a
 * selection reports the write within a deadline, and never reports a channel that is not ready.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class SelectAfterWriteContractTest extends Contract {
    private static final int STEPS = 60;

    /** The number of channels that the JDK reports in one selection. */
    private static final int MOST_READY = 1000;

    /** One selection in this many in a row polls the kernel. */
    private static final int KERNEL_TURNS = 8;

    /** Many times longer than a selector checks a connection without traffic in memory. */
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    private ExpectedReports reports;

    @ParameterizedTest
    @EnumSource(SelectForm.class)
    void aWriteIsReportedBesideAConnectionThatIsAlwaysReady(SelectForm form) throws IOException {
        Connection hot = connect();
        Connection quiet = connect();
        reports = new ExpectedReports(pairing, openSelector(hot.client()));
        reports.register(hot.client(), OP_WRITE, 0);
        reports.register(quiet.client(), OP_READ, 1);
        reports.expect(0, OP_WRITE);
        reports.selectFor(form, QUIET_NS);
        for (int i = 0; i < 20; i++) {
            reports.selectFor(form, SHORT_NS);
            Bytes.send(quiet.server(), "x");
            reports.expectArrival(quiet.client(), OP_READ, 1);
            reports.check(form);
            assertEquals(1, quiet.client().read(ByteBuffer.allocate(2)));
            reports.expect(1, 0);
            reports.check(form);
        }
    }

    @ParameterizedTest
    @EnumSource(SelectForm.class)
    void anEndIsReportedBesideAConnectionThatIsAlwaysReady(SelectForm form) throws IOException {
        Connection hot = connect();
        reports = new ExpectedReports(pairing, openSelector(hot.client()));
        reports.register(hot.client(), OP_WRITE, 0);
        reports.expect(0, OP_WRITE);
        for (int i = 0; i < 20; i++) {
            Connection quiet = connect();
            reports.register(quiet.client(), OP_READ, 1);
            reports.selectFor(form, SHORT_NS);
            quiet.server().close();
            reports.expectArrival(quiet.client(), OP_READ, 1);
            reports.check(form);
            assertEquals(-1, quiet.client().read(ByteBuffer.allocate(2)));
            quiet.client().close();
            reports.expect(1, 0);
        }
    }

    @ParameterizedTest
    @EnumSource(SelectForm.class)
    void aConnectionToBeAcceptedIsReportedBesideOneThatIsAlwaysReady(SelectForm form) throws IOException {
        assumeConnectsBeforeAccept();
        Connection hot = connect();
        reports = new ExpectedReports(pairing, openSelector(hot.server()));
        reports.register(hot.server(), OP_WRITE, 0);
        ServerSocketChannel listener = listen();
        reports.register(listener, OP_ACCEPT, 1);
        reports.expect(0, OP_WRITE);
        for (int i = 0; i < 20; i++) {
            reports.selectFor(form, SHORT_NS);
            SocketChannel client = openClient();
            client.connect(listener.getLocalAddress());
            reports.expectArrival(listener, OP_ACCEPT, 1);
            reports.check(form);
            SocketChannel server = accept(listener);
            reports.expect(1, 0);
            // The first bytes of a connection that was just accepted.
            reports.register(server, OP_READ, 2);
            reports.check(form);
            Bytes.send(client, "x");
            reports.expectArrival(server, OP_READ, 2);
            reports.check(form);
            client.close();
            server.close();
            reports.expect(2, 0);
        }
    }

    @ParameterizedTest
    @EnumSource(SelectForm.class)
    void aConnectThatAnotherSelectorReportsIsReported(SelectForm form) throws IOException {
        assumeConnectsBeforeAccept();
        Connection hot = connect();
        reports = new ExpectedReports(pairing, openSelector(hot.client()));
        reports.register(hot.client(), OP_WRITE, 0);
        reports.expect(0, OP_WRITE);
        ServerSocketChannel listener = listen();
        for (int i = 0; i < 20; i++) {
            SocketChannel client = openClient();
            client.configureBlocking(false);
            if (!client.connect(listener.getLocalAddress())) {
                client.register(reports.selector(), OP_CONNECT, 1);
                Readiness.await(client, OP_CONNECT);
                reports.expect(1, OP_CONNECT);
                reports.check(form);
                assertTrue(client.finishConnect());
                reports.expect(1, 0);
                client.keyFor(reports.selector()).interestOps(0);
                reports.selectFor(form, SHORT_NS);
            }
            accept(listener).close();
            client.close();
        }
    }

    /**
     * The peer is the JDK's, so that the connection goes through the kernel in every pairing. A selector that also has
     * rings polls the kernel only now and then, as its class describes.
     */
    @ParameterizedTest
    @EnumSource(SelectForm.class)
    void aWriteThroughTheKernelIsReportedBesideAConnectionThatIsAlwaysReady(SelectForm form) throws IOException {
        Connection hot = connect();
        reports = new ExpectedReports(pairing, openSelector(hot.client()));
        reports.register(hot.client(), OP_WRITE, 0);
        SocketChannel client = openClient();
        try (ServerSocketChannel listener = pairing.kernelAtServer().openServerSocketChannel()) {
            client.connect(listener.bind(atServer(0)).getLocalAddress());
            SocketChannel server = closeLater(listener.accept());
            reports.register(client, OP_READ, 1);
            reports.expect(0, OP_WRITE);
            for (int i = 0; i < 20; i++) {
                reports.selectFor(form, SHORT_NS);
                Bytes.send(server, "x");
                Readiness.awaitReadable(client);
                reports.expect(1, OP_READ);
                reports.checkTogether(form, pairing.accelerated() ? KERNEL_TURNS : 1);
                assertEquals(1, client.read(ByteBuffer.allocate(2)));
                reports.expect(1, 0);
            }
        }
    }

    /** Some connections are always ready, others become so, and which ones changes. */
    @ParameterizedTest
    @CsvSource({"2, 1", "5, 2", "20, 1", "60, 20", "300, 3", "1000, 1"})
    void exactlyWhatIsReadyIsReported(int connections, int hot) throws IOException {
        Random random = Bytes.seeded("exactlyWhatIsReadyIsReported " + connections + " " + hot);
        List<Connection> all = connectAll(connections, random);
        reports = new ExpectedReports(pairing, openSelector(all.getFirst().client()));
        for (int i = 0; i < connections; i++) {
            reports.register(all.get(i).client(), OP_READ, i);
        }
        for (int i = 0; i < hot; i++) {
            interest(all, random.nextInt(connections), OP_READ | OP_WRITE);
        }
        reports.selectFor(ExpectedReports.form(random), QUIET_NS);
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(4) == 0) {
                interest(all, random.nextInt(connections), random.nextBoolean() ? OP_READ : OP_READ | OP_WRITE);
            }
            reports.selectFor(
                    ExpectedReports.form(random), random.nextInt(100) == 0 ? QUIET_NS : random.nextLong(SHORT_NS));
            int writes = random.nextInt(20) == 0 ? connections : 1 + random.nextInt(Math.min(connections, 8));
            int first = random.nextInt(connections);
            List<Integer> written = new ArrayList<>();
            for (int i = 0; i < writes && i < MOST_READY - hot; i++) {
                int which = (first + i) % connections;
                Bytes.send(all.get(which).server(), "x");
                written.add(which);
            }
            for (int which : written) {
                reports.expectArrival(all.get(which).client(), OP_READ, which);
            }
            int atStep = step;
            reports.check(ExpectedReports.form(random), () -> "step " + atStep);
            for (int which : written) {
                assertEquals(1, all.get(which).client().read(ByteBuffer.allocate(2)));
                reports.expect(which, reports.of(which) & OP_WRITE);
            }
        }
    }

    /** Connects, and puts either end first if one provider opens both. */
    private List<Connection> connectAll(int connections, Random random) throws IOException {
        List<Connection> all = new ArrayList<>();
        try (ServerSocketChannel listener = listen()) {
            boolean any = pairing.client().equals(pairing.server());
            while (all.size() < connections) {
                Connection connection = connect(listener);
                all.add(any && random.nextBoolean() ? connection.turned() : connection);
            }
        }
        return all;
    }

    private void interest(List<Connection> all, int which, int interest) {
        all.get(which).client().keyFor(reports.selector()).interestOps(interest);
        reports.expect(which, interest & OP_WRITE);
    }

    /** The writing thread belongs to another process; the clock that both share tells when it had written. */
    @Test
    void aWriteOfAnotherProcessIsReported() throws Exception {
        assumeTrue(!pairing.hasOwnDriver(), "each process would have a driver of its own");
        // TCP on a busy processor may deliver after the write has returned: see the class comment.
        long tolerance = pairing.accelerated() ? 0 : PATIENCE_NS;
        try (RemotePlayer server = RemotePlayer.of(pairing)) {
            server.enter(pairing, null);
            long port = server.act(act(Act.Kind.LISTEN, 0, 0)).count();
            List<SocketChannel> clients = new ArrayList<>();
            for (int line = 0; line < 2; line++) {
                SocketChannel client = openClient();
                server.begin(act(Act.Kind.ACCEPT, line, 0));
                client.connect(atServer((int) port));
                server.end();
                assertEquals(pairing.accelerated(), Transports.onRings(client), client::toString);
                clients.add(client);
            }
            reports = new ExpectedReports(pairing, openSelector(clients.get(0)));
            reports.register(clients.get(0), OP_WRITE, 0);
            reports.register(clients.get(1), OP_READ, 1);
            for (int i = 0; i < STEPS; i++) {
                BusySelection selection = new BusySelection(reports.selector());
                Task<Object> selecting = start(() -> {
                    selection.run();
                    return null;
                });
                Thread.sleep(2);
                long written = server.act(act(Act.Kind.NOTED_WRITE, 1, i)).count();
                reports.arrive(clients.get(1), OP_READ);
                selection.end();
                selecting.result();
                assertEquals(Map.of(0, OP_WRITE, 1, OP_READ), selection.last());
                long late = selection.lastDifferent() - written;
                int step = i;
                assertTrue(
                        late <= tolerance,
                        () -> "step " + step + ": a selection missed it that began " + late + " ns after the write");
                assertEquals(1, clients.get(1).read(ByteBuffer.allocate(2)));
            }
            server.leave();
        }
    }

    private static Act act(Act.Kind kind, int line, long position) {
        return new Act(kind, line, 0, 1, position, ThreadKind.PLATFORM);
    }
}
