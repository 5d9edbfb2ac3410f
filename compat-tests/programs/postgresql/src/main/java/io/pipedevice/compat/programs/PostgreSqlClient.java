// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Works with a PostgreSQL at a {@code port} by JDBC, as the user postgres without a password: takes the {@code size} of
 * a large value; with {@code measure} it only measures.
 */
final class PostgreSqlClient {
    private static final String STATEMENT_CANCELLED = "57014";

    private PostgreSqlClient() {}

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        String url = "jdbc:postgresql://127.0.0.1:" + arguments.number("port")
                + "/postgres?user=postgres&socketTimeout=" + arguments.size("limit");
        try (JdbcWork work = new JdbcWork(url, arguments.number("size"), "BYTEA", checks)) {
            if (arguments.has("measure")) {
                checks.run("measure", work::measure);
            } else {
                work.checkRows();
                checks.run("a large value", () -> large(work, arguments.number("size"), checks));
                checks.run("a statement that is cancelled", () -> cancel(work));
            }
        }
        checks.end();
    }

    private static void large(JdbcWork work, int size, Checks checks) throws Exception {
        byte[] value = Noise.bytes(3, size);
        try (Connection by = work.open();
                PreparedStatement query = by.prepareStatement("SELECT ?::BYTEA")) {
            query.setBytes(1, value);
            checks.sent(size);
            try (ResultSet found = query.executeQuery()) {
                Checks.same(true, found.next());
                Checks.same(true, Arrays.equals(value, found.getBytes(1)));
                checks.received(size);
            }
        }
    }

    /** The driver cancels a statement by a second connection. */
    @SuppressWarnings("FutureReturnValueIgnored") // a statement that is not cancelled shows it
    private static void cancel(JdbcWork work) throws Exception {
        try (Connection by = work.open();
                Statement endless = by.createStatement();
                ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor()) {
            later.schedule(
                    () -> {
                        endless.cancel();
                        return null;
                    },
                    1,
                    TimeUnit.SECONDS);
            JdbcWork.fails(STATEMENT_CANCELLED, () -> endless.executeQuery("SELECT pg_sleep(600)"));
            work.readLast(by);
        }
    }
}
