// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A selection that begins after a write has returned reports that write, also if the selector stops to watch other
 * channels at the same time, in whatever way: see {@link SelectAfterWriteContractTest}.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class SelectAfterRemovalContractTest extends Contract {
    private static final int STEPS = 150;

    /** Many times longer than a selector checks a connection without traffic in memory. */
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The ways in which a selector stops to watch a channel. */
    enum Removal {
        CANCEL {
            @Override
            void remove(SelectionKey key) {
                key.cancel();
            }
        },
        CLOSE {
            @Override
            void remove(SelectionKey key) throws IOException {
                key.channel().close();
            }
        },
        NO_INTEREST {
            @Override
            void remove(SelectionKey key) {
                key.interestOps(0);
            }
        },
        /** The selector watches the channel again at once. */
        NO_INTEREST_FOR_A_MOMENT {
            @Override
            void remove(SelectionKey key) {
                int interest = key.interestOps();
                key.interestOps(0);
                key.interestOps(interest);
            }

            @Override
            boolean stays() {
                return true;
            }
        };

        abstract void remove(SelectionKey key) throws IOException;

        /** Whether the key remains ready. */
        boolean stays() {
            return false;
        }
    }

    private ExpectedReports reports;

    @ParameterizedTest
    @EnumSource(Removal.class)
    void aWriteIsReportedWhenABusyConnectionIsRemoved(Removal removal) throws IOException {
        Connection quiet = connect();
        reports = new ExpectedReports(pairing, openSelector(quiet.client()));
        reports.register(quiet.client(), OP_READ, 0);
        for (int busy = 1; busy <= 3; busy++) {
            for (SelectForm form : SelectForm.values()) {
                List<Connection> all = connectBusy(busy);
                writeAndRead(quiet, form);
                removeAndWrite(removal, quiet, all, form);
                for (Connection each : all) {
                    each.client().close();
                    each.server().close();
                }
            }
        }
    }

    /** Connections with unread bytes, whose numbers begin with 1. */
    private List<Connection> connectBusy(int count) throws IOException {
        List<Connection> all = new ArrayList<>();
        try (ServerSocketChannel listener = listen()) {
            while (all.size() < count) {
                Connection busy = connect(listener);
                all.add(busy);
                reports.register(busy.client(), OP_READ, all.size());
                Bytes.send(busy.server(), "x");
                reports.expectArrival(busy.client(), OP_READ, all.size());
            }
        }
        return all;
    }

    private void writeAndRead(Connection quiet, SelectForm form) throws IOException {
        reports.selectFor(form, SHORT_NS);
        Bytes.send(quiet.server(), "x");
        reports.expectArrival(quiet.client(), OP_READ, 0);
        reports.check(form);
        assertEquals(1, quiet.client().read(ByteBuffer.allocate(2)));
        reports.expect(0, 0);
        reports.selectFor(form, QUIET_NS);
    }

    /** Removes the busy connections one after the other, with a write and a selection after each. */
    private void removeAndWrite(Removal removal, Connection quiet, List<Connection> all, SelectForm form)
            throws IOException {
        for (int i = 0; i < all.size(); i++) {
            removal.remove(all.get(i).client().keyFor(reports.selector()));
            reports.expect(i + 1, removal.stays() ? OP_READ : 0);
            Bytes.send(quiet.server(), "x");
            reports.expectArrival(quiet.client(), OP_READ, 0);
            int removed = i;
            reports.check(form, () -> "removed " + removed + " of " + all.size() + ", " + form);
            assertEquals(1, quiet.client().read(ByteBuffer.allocate(2)));
            reports.expect(0, 0);
            reports.selectFor(form, SHORT_NS);
        }
        for (int i = 0; i < all.size(); i++) {
            reports.expect(i + 1, 0);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Removal.class,
            names = {"CANCEL", "CLOSE", "NO_INTEREST"})
    void manyRemovalsDelayNoReport(Removal removal) throws IOException {
        Connection quiet = connect();
        reports = new ExpectedReports(pairing, openSelector(quiet.client()));
        reports.register(quiet.client(), OP_READ, 0);
        List<Connection> busy = connectBusy(100);
        writeAndRead(quiet, SelectForm.SELECT);
        for (int i = 0; i < busy.size(); i++) {
            removal.remove(busy.get(i).client().keyFor(reports.selector()));
            reports.expect(i + 1, 0);
            if (i == 0) {
                Bytes.send(quiet.server(), "x");
                reports.expectArrival(quiet.client(), OP_READ, 0);
            }
            int removed = i + 1;
            reports.check(SelectForm.SELECT, () -> removed + " removed");
        }
    }

    @ParameterizedTest
    @EnumSource(SelectForm.class)
    void aClosedListenerDelaysNoReport(SelectForm form) throws IOException {
        assumeConnectsBeforeAccept();
        Connection quiet = connect().turned();
        reports = new ExpectedReports(pairing, openSelector(quiet.client()));
        reports.register(quiet.client(), OP_READ, 0);
        for (int i = 0; i < 10; i++) {
            ServerSocketChannel listener = listen();
            reports.register(listener, OP_ACCEPT, 1);
            SocketChannel waiting = openClient();
            waiting.connect(listener.getLocalAddress());
            reports.expectArrival(listener, OP_ACCEPT, 1);
            writeAndRead(quiet, form);
            listener.close();
            reports.expect(1, 0);
            Bytes.send(quiet.server(), "x");
            reports.expectArrival(quiet.client(), OP_READ, 0);
            reports.check(form);
            assertEquals(1, quiet.client().read(ByteBuffer.allocate(2)));
            reports.expect(0, 0);
            waiting.close();
        }
    }

    /** Keys of every kind come, change and go between selections. */
    @ParameterizedTest
    @CsvSource({"2, 1", "3, 2", "8, 1", "8, 4", "40, 3"})
    void exactlyWhatIsReadyIsReportedWhileKeysComeAndGo(int channels, int changes) throws IOException {
        Random random = Bytes.seeded("exactlyWhatIsReadyIsReportedWhileKeysComeAndGo " + channels + " " + changes);
        try (ServerSocketChannel listener = listen()) {
            List<Changing> all = new ArrayList<>();
            for (int i = 0; i < channels; i++) {
                all.add(new Changing(i, connect(listener)));
            }
            reports = new ExpectedReports(
                    pairing, openSelector(all.getFirst().connection.client()));
            for (Changing each : all) {
                each.register(random);
            }
            for (int step = 0; step < STEPS; step++) {
                for (int i = random.nextInt(changes + 1); i > 0; i--) {
                    all.get(random.nextInt(channels)).change(random, listener);
                }
                SelectForm form = ExpectedReports.form(random);
                int atStep = step;
                reports.check(form, () -> "step " + atStep + ", " + form);
                all.forEach(Changing::selected);
                reports.selectFor(
                        ExpectedReports.form(random), random.nextInt(20) == 0 ? QUIET_NS : random.nextLong(SHORT_NS));
            }
        }
    }

    /** A connection whose key, or whose client, changes at random. */
    private final class Changing {
        private final int number;
        private Connection connection;
        private int unread;

        /** Null while there is none. */
        private SelectionKey key;

        /** Whether the key, or that of the client before this one, leaves with the next selection. */
        private boolean leaves;

        Changing(int number, Connection connection) {
            this.number = number;
            this.connection = connection;
        }

        void register(Random random) throws IOException {
            reports.register(connection.client(), interest(random), number);
            key = connection.client().keyFor(reports.selector());
            update();
        }

        private static int interest(Random random) {
            return random.nextInt(4) == 0 ? OP_READ | OP_WRITE : OP_READ;
        }

        void change(Random random, ServerSocketChannel listener) throws IOException {
            switch (random.nextInt(10)) {
                case 0 -> cancel();
                case 1 -> replace(listener);
                case 2, 3 -> interest(0);
                case 4 -> interest(interest(random));
                case 5 -> read();
                default -> write();
            }
            if (key == null && !leaves) {
                register(random);
            }
        }

        private void cancel() {
            if (key != null) {
                key.cancel();
                gone();
            }
        }

        private void gone() {
            key = null;
            leaves = true;
            update();
        }

        private void replace(ServerSocketChannel listener) throws IOException {
            connection.client().close();
            connection.server().close();
            gone();
            connection = connect(listener);
            unread = 0;
        }

        private void interest(int ops) {
            if (key != null) {
                key.interestOps(ops);
                update();
            }
        }

        private void read() throws IOException {
            connection.client().configureBlocking(false);
            while (unread > 0) {
                unread -= Math.max(0, connection.client().read(ByteBuffer.allocate(unread)));
            }
            update();
        }

        private void write() throws IOException {
            if (unread == 0 && key != null) {
                Bytes.send(connection.server(), "x");
                unread = 1;
                reports.arrive(connection.client(), OP_READ);
                update();
            }
        }

        void selected() {
            leaves = false;
        }

        private void update() {
            int ready = (unread > 0 ? OP_READ : 0) | OP_WRITE;
            reports.expect(number, key == null ? 0 : key.interestOps() & ready);
        }
    }
}
