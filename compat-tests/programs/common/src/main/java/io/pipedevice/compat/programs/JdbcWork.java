// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** Work with a database by JDBC, by as much of SQL as databases have in common. One thread. */
final class JdbcWork implements AutoCloseable {
    private static final int ROWS = 2000;
    private static final int CONNECTIONS = 100;
    private static final int QUERIES = 10;
    private static final int MEASURED_LENGTH = 200;

    /** Of SQL, for a second row with the key of another one. */
    private static final String DUPLICATE_KEY = "23505";

    private final String url;
    private final int size;
    private final Checks checks;
    private final Connection connection;

    /**
     * Connects, and creates the tables.
     *
     * @param url of the database
     * @param size of a large object
     * @param bytes the database's type of some thousands of bytes
     */
    JdbcWork(String url, int size, String bytes, Checks checks) throws SQLException {
        this.url = url;
        this.size = size;
        this.checks = checks;
        connection = open();
        execute("CREATE TABLE entries(id INT NOT NULL PRIMARY KEY, content " + bytes + ")");
    }

    /** Opens one more connection. */
    Connection open() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /** Checks all that databases have in common. */
    void check() throws InterruptedException {
        checks.run("large objects", this::objects);
        checkRows();
    }

    /** Checks what needs no types of large objects. */
    void checkRows() throws InterruptedException {
        checks.run("rows in batches", this::rows);
        checks.run("transactions", this::transactions);
        checks.run("many connections", this::many);
        checks.run("rows after all that", () -> readRows(connection));
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void rows() throws Exception {
        try (PreparedStatement insert = insertion(connection)) {
            for (int i = 0; i < ROWS; i++) {
                fill(insert, i, i);
                insert.addBatch();
            }
            Checks.same(ROWS, Arrays.stream(insert.executeBatch()).sum());
        }
        readRows(connection);
    }

    private static PreparedStatement insertion(Connection by) throws SQLException {
        return by.prepareStatement("INSERT INTO entries VALUES(?, ?)");
    }

    private void fill(PreparedStatement insert, int id, int length) throws Exception {
        insert.setInt(1, id);
        insert.setBytes(2, Noise.bytes(id, length));
        checks.sent(length);
    }

    /** Reads all rows of {@link #rows}, a part of them at a time. */
    private void readRows(Connection by) throws Exception {
        try (PreparedStatement query =
                by.prepareStatement("SELECT id, content FROM entries WHERE id < ? ORDER BY id")) {
            query.setFetchSize(7);
            query.setInt(1, ROWS);
            int next = 0;
            try (ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    Checks.same(next, found.getInt(1));
                    expect(found.getBytes(2), next, next);
                    next++;
                }
            }
            Checks.same(ROWS, next);
        }
    }

    private void expect(byte[] actual, int seed, int length) throws Exception {
        if (!Arrays.equals(Noise.bytes(seed, length), actual)) {
            throw new AssertionError("row " + seed + " came back changed");
        }
        checks.received(length);
    }

    /** What is rolled back is not there, and an error of the server leaves the connection usable. */
    private void transactions() throws Exception {
        connection.setAutoCommit(false);
        try (PreparedStatement insert = insertion(connection)) {
            fill(insert, ROWS, 1);
            insert.execute();
            connection.rollback();
            fill(insert, ROWS, 2);
            insert.execute();
            connection.commit();
            fails(DUPLICATE_KEY, insert::execute);
            // PostgreSQL accepts nothing else after an error.
            connection.rollback();
        }
        connection.setAutoCommit(true);
        readLast(connection);
    }

    /** Reads the row of {@link #transactions}. */
    void readLast(Connection by) throws Exception {
        readEntry(by, ROWS, 2);
    }

    private void readEntry(Connection by, int id, int length) throws Exception {
        try (PreparedStatement query = by.prepareStatement("SELECT content FROM entries WHERE id = ?")) {
            readEntry(query, id, length);
        }
    }

    private void readEntry(PreparedStatement query, int id, int length) throws Exception {
        query.setInt(1, id);
        try (ResultSet found = query.executeQuery()) {
            Checks.same(true, found.next());
            expect(found.getBytes(1), id, length);
            Checks.same(false, found.next());
        }
    }

    /** The database answers with an error, and with this state of SQL. */
    static void fails(String expected, Checks.Check call) throws Exception {
        try {
            call.run();
        } catch (SQLException e) {
            Checks.same(expected, e.getSQLState());
            return;
        }
        throw new AssertionError("expected error " + expected);
    }

    /** Objects that go in streams, both ways. */
    private void objects() throws Exception {
        execute("CREATE TABLE objects(id INT NOT NULL PRIMARY KEY, bytes BLOB(1G), characters CLOB(1G))");
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO objects VALUES(1, ?, ?)");
                InputStream bytes = new Noise(1, size);
                Reader characters = characters()) {
            insert.setBinaryStream(1, bytes, size);
            insert.setCharacterStream(2, characters, size);
            insert.execute();
        }
        checks.sent(size);
        try (Statement query = connection.createStatement();
                ResultSet found = query.executeQuery("SELECT bytes, characters FROM objects")) {
            Checks.same(true, found.next());
            try (Noise expected = new Noise(1, size);
                    InputStream bytes = found.getBinaryStream(1)) {
                expected.check(bytes);
            }
            try (Reader characters = found.getCharacterStream(2)) {
                Checks.same(Noise.digest(2, size), digest(characters));
            }
        }
        checks.received(size);
    }

    private Reader characters() {
        return new InputStreamReader(new Noise(2, size), StandardCharsets.ISO_8859_1);
    }

    private static String digest(Reader characters) throws IOException {
        MessageDigest digest = Noise.sha256();
        char[] block = new char[1 << 12];
        for (int count = characters.read(block); count >= 0; count = characters.read(block)) {
            digest.update(new String(block, 0, count).getBytes(StandardCharsets.ISO_8859_1));
        }
        return Noise.text(digest);
    }

    /** Many connections are open at once, each with a thread of its own. */
    private void many() throws Exception {
        List<Connection> connections = new ArrayList<>();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            connections.add(open());
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            int first = ROWS + 1 + i * QUERIES;
            Connection one = connections.get(i);
            FutureTask<Void> task = new FutureTask<>(() -> query(one, first), null);
            Thread.ofPlatform().daemon().start(task);
            all.add(task);
        }
        for (Future<?> one : all) {
            one.get();
        }
        for (Connection one : connections) {
            one.close();
        }
    }

    private void query(Connection by, int first) {
        try (PreparedStatement insert = insertion(by)) {
            for (int id = first; id < first + QUERIES; id++) {
                fill(insert, id, id);
                insert.execute();
                readEntry(by, id, id);
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Queries for one row, one after the other. */
    void measure() throws Exception {
        try (PreparedStatement insert = insertion(connection)) {
            fill(insert, 1, MEASURED_LENGTH);
            insert.execute();
        }
        try (PreparedStatement query = connection.prepareStatement("SELECT content FROM entries WHERE id = ?")) {
            Checks.Check read = () -> readEntry(query, 1, MEASURED_LENGTH);
            Figures.warmUp(read);
            Figures figures = new Figures();
            figures.printOperations(figures.repeatOften(read));
            figures.printDelay();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
