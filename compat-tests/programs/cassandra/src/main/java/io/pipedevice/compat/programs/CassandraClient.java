// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Works with a Cassandra at a {@code port} through its Java driver, and moves about the {@code size} that it is given;
 * with {@code measure} it only measures.
 */
final class CassandraClient implements AutoCloseable {
    private static final int ROWS = 1000;
    private static final int BATCH = 20;
    private static final int PAGE = 100;
    private static final int LARGEST = 1 << 20;
    private static final int REQUESTS = 1000;
    private static final int SESSIONS = 20;
    private static final int MEASURED_LENGTH = 1000;

    private final InetSocketAddress server;
    private final Duration limit;
    private final long size;
    private final Checks checks;
    private final CqlSession session;
    private final PreparedStatement write;
    private final PreparedStatement read;

    private CassandraClient(Arguments arguments, Checks checks) {
        server = new InetSocketAddress(arguments.host(), arguments.number("port"));
        limit = Duration.ofSeconds(arguments.size("limit"));
        size = arguments.size("size");
        this.checks = checks;
        session = open();
        session.execute("CREATE KEYSPACE IF NOT EXISTS programs WITH replication"
                + " = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        session.execute(
                "CREATE TABLE IF NOT EXISTS programs.rows" + " (part int, id int, value blob, PRIMARY KEY (part, id))");
        write = session.prepare("INSERT INTO programs.rows (part, id, value) VALUES (?, ?, ?)");
        read = session.prepare("SELECT value FROM programs.rows WHERE part = ? AND id = ?");
    }

    private CqlSession open() {
        return CqlSession.builder()
                .addContactPoint(server)
                .withLocalDatacenter("datacenter1")
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, limit)
                        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, limit)
                        .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, limit)
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, limit)
                        .withInt(DefaultDriverOption.SESSION_LEAK_THRESHOLD, 2 * SESSIONS)
                        .build())
                .build();
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        try (CassandraClient client = new CassandraClient(arguments, checks)) {
            if (arguments.has("measure")) {
                checks.run("measure", client::measure);
            } else {
                checks.run("rows of all sizes", client::sizes);
                checks.run("large rows", client::large);
                checks.run("requests that are not waited for", client::requests);
                checks.run("batches, and a result of many pages", client::pages);
                checks.run("many sessions", client::sessions);
            }
        }
        checks.end();
    }

    private void sizes() {
        for (int i = 0; i < ROWS; i++) {
            keep(session, 0, i, i * i / 10);
        }
    }

    private void large() {
        for (int i = 0; i < size / LARGEST; i++) {
            keep(session, 1, 0, LARGEST - i);
        }
    }

    private void keep(CqlSession by, int part, int id, int length) {
        byte[] value = Noise.bytes(id, length);
        by.execute(write.bind(part, id, ByteBuffer.wrap(value)));
        checks.cameBack(value, value(by.execute(read.bind(part, id)).one()));
    }

    private static byte[] value(Row row) {
        ByteBuffer value = row.getByteBuffer("value");
        byte[] bytes = new byte[value.remaining()];
        value.get(bytes);
        return bytes;
    }

    /** Each answer belongs to its request, in whatever order they arrive. */
    private void requests() {
        List<CompletionStage<AsyncResultSet>> answers = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            answers.add(session.executeAsync(write.bind(2, i, ByteBuffer.wrap(Noise.bytes(i, MEASURED_LENGTH)))));
        }
        answers.forEach(answer -> answer.toCompletableFuture().join());
        answers.clear();
        for (int i = 0; i < REQUESTS; i++) {
            answers.add(session.executeAsync(read.bind(2, i)));
        }
        for (int i = 0; i < REQUESTS; i++) {
            checks.cameBack(
                    Noise.bytes(i, MEASURED_LENGTH),
                    value(answers.get(i).toCompletableFuture().join().one()));
        }
    }

    private void pages() {
        for (int i = 0; i < ROWS; i += BATCH) {
            BatchStatementBuilder batch = BatchStatement.builder(BatchType.UNLOGGED);
            for (int id = i; id < i + BATCH; id++) {
                batch.addStatement(write.bind(3, id, ByteBuffer.wrap(Noise.bytes(id, id))));
            }
            session.execute(batch.build());
        }
        ResultSet found = session.execute(session.prepare("SELECT id, value FROM programs.rows WHERE part = 3")
                .boundStatementBuilder()
                .setPageSize(PAGE)
                .build());
        int next = 0;
        for (Row row : found) {
            Checks.same(next, row.getInt("id"));
            checks.cameBack(Noise.bytes(next, next), value(row));
            next++;
        }
        Checks.same(ROWS, next);
    }

    private void sessions() {
        List<CqlSession> all = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            all.add(open());
        }
        for (int i = 0; i < SESSIONS; i++) {
            keep(all.get(i), 4, i, MEASURED_LENGTH);
        }
        all.forEach(CqlSession::close);
    }

    private void measure() throws Exception {
        session.execute(write.bind(5, 0, ByteBuffer.wrap(Noise.bytes(0, MEASURED_LENGTH))));
        Checks.Check once = () -> session.execute(read.bind(5, 0)).one();
        Figures.warmUpLarge(once);
        Figures figures = new Figures();
        figures.printOperations(figures.repeatOften(once));
        figures.printDelay();
    }

    @Override
    public void close() {
        session.close();
    }
}
