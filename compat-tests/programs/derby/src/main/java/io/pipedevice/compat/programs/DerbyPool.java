// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/**
 * Makes transactions of two rows each, without an end, by a pool of 100 connections: takes the server's {@code port}
 * and a {@code name}, whose rows are its own. In the end, all transactions in the database are whole, also those of
 * clients that were killed.
 */
final class DerbyPool {
    private static final int CONNECTIONS = 100;
    private static final int THREADS = 10;
    private static final int MAX_LENGTH = 2000;

    /** Derby's state for a table that exists. */
    private static final String EXISTS = "X0Y32";

    private final String url;
    private final int name;
    private final Checks checks;

    private DerbyPool(Arguments arguments, Checks checks) {
        url = DerbyServer.url(arguments.number("port"));
        name = arguments.number("name");
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        new DerbyPool(arguments, checks).run();
        checks.end();
    }

    private void run() throws Exception {
        createTable();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setAutoCommit(false);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            while (pool.getHikariPoolMXBean().getTotalConnections() < CONNECTIONS) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            Rounds.run(checks, THREADS, number -> transact(pool, (int) number));
            checks.run("every transaction is whole", () -> checkWhole(pool));
        }
    }

    private void createTable() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement create = connection.createStatement()) {
            create.execute("CREATE TABLE halves(name INT NOT NULL, number INT NOT NULL, half INT NOT NULL,"
                    + " content VARCHAR(2000) FOR BIT DATA, PRIMARY KEY(name, number, half))");
        } catch (SQLException e) {
            Checks.same(EXISTS, e.getSQLState());
        }
    }

    /** Writes two rows, reads one of them before the end of the transaction, and the other one after it. */
    private void transact(HikariDataSource pool, int number) throws Exception {
        try (Connection connection = pool.getConnection()) {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO halves VALUES(?, ?, ?, ?)")) {
                for (int half = 0; half < 2; half++) {
                    insert.setInt(1, name);
                    insert.setInt(2, number);
                    insert.setInt(3, half);
                    insert.setBytes(4, content(number, half));
                    Checks.same(1, insert.executeUpdate());
                }
            }
            read(connection, number, 0);
            connection.commit();
            read(connection, number, 1);
            connection.commit();
        }
    }

    private void read(Connection connection, int number, int half) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT content FROM halves WHERE name = ? AND number = ? AND half = ?")) {
            query.setInt(1, name);
            query.setInt(2, number);
            query.setInt(3, half);
            try (ResultSet found = query.executeQuery()) {
                Checks.same(true, found.next());
                Checks.same(Noise.digest(content(number, half)), Noise.digest(found.getBytes(1)));
            }
        }
        int length = content(number, half).length;
        checks.sent(length);
        checks.received(length);
    }

    private byte[] content(int number, int half) {
        return Noise.bytes(2L * number + half, number % MAX_LENGTH);
    }

    /** Reads all rows, for which it waits until killed clients hold no locks any more. */
    private void checkWhole(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement query = connection.createStatement()) {
            try (ResultSet halves =
                    query.executeQuery("SELECT name, number FROM halves GROUP BY name, number HAVING COUNT(*) <> 2")) {
                Checks.same(false, halves.next());
            }
            connection.commit();
        }
    }
}
