// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Works with a database of H2 by JDBC: takes the server's {@code port} and the {@code size} of a large object; with
 * {@code measure} it only measures.
 */
final class H2Client {
    private static final int CANCELLED = 10;

    /** H2's state for a statement that was cancelled. */
    private static final String STATEMENT_CANCELLED = "57014";

    private H2Client() {}

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        String url = "jdbc:h2:tcp://127.0.0.1:" + arguments.number("port") + "/mem:test;DB_CLOSE_DELAY=-1";
        try (JdbcWork work = new JdbcWork(url, arguments.number("size"), "VARBINARY", checks)) {
            if (arguments.has("measure")) {
                checks.run("measure", work::measure);
            } else {
                work.check();
                checks.run("statements that are cancelled", () -> cancel(work));
            }
        }
        checks.end();
    }

    /**
     * H2's driver cancels a statement by a second connection, which has no effect until the server has begun with it.
     */
    private static void cancel(JdbcWork work) throws Exception {
        for (int i = 0; i < CANCELLED; i++) {
            try (Connection by = work.open();
                    Statement endless = by.createStatement()) {
                AtomicBoolean ended = new AtomicBoolean();
                FutureTask<Void> canceller = new FutureTask<>(() -> {
                    while (!ended.get()) {
                        Thread.sleep(20);
                        endless.cancel();
                    }
                    return null;
                });
                Thread.ofPlatform().daemon().start(canceller);
                JdbcWork.fails(
                        STATEMENT_CANCELLED,
                        () -> endless.executeQuery(
                                "SELECT COUNT(*) FROM SYSTEM_RANGE(1, 1000000000000) WHERE MOD(X, 7) = 8"));
                ended.set(true);
                canceller.get();
                work.readLast(by);
            }
        }
    }
}
