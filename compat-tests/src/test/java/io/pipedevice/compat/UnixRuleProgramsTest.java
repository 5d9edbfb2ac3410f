// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.JEDIS;
import static io.pipedevice.compat.JavaCommand.Library.POSTGRESQL;
import static io.pipedevice.compat.JavaCommand.Library.REDIS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Redis and PostgreSQL, whose clients are sent to Unix-domain sockets by a rule. Only in the full form. */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class UnixRuleProgramsTest {
    private static final int SIZE = 16 << 20;
    private static final String BY_RULE = "unix rule";

    @TempDir
    private Path directory;

    @RegisterExtension
    private final Stage stage = new Stage();

    /** A server, its port, and the socket at which it listens, too. */
    private record Server(Program program, int port, Path socket) {
        JavaCommand client(String name, JavaCommand.Library library, String... more) {
            List<String> arguments = new ArrayList<>(List.of("port=" + port, Sizes.size(SIZE), Sizes.limit()));
            arguments.addAll(List.of(more));
            return JavaCommand.program(name, library, arguments.toArray(String[]::new))
                    .with("-Dpipedevice.unix=localhost:" + port + "=" + socket);
        }

        void end() throws InterruptedException {
            assertEquals(0, program.terminate(), program::toString);
        }
    }

    private Server redis() throws IOException, InterruptedException {
        int port = Ports.free(1).getFirst();
        Path socket = directory.resolve("redis.sock");
        List<String> command = new ArrayList<>(DebianPackages.redis());
        command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
        command.addAll(List.of("--unixsocket", socket.toString(), "--dir", directory.toString(), "--save", ""));
        Program redis = stage.start(command.toArray(String[]::new));
        redis.awaitLine("that it is ready", line -> line.contains("Ready to accept connections"));
        return new Server(redis, port, socket);
    }

    private Server postgreSql() throws IOException, InterruptedException {
        Path bin = DebianPackages.postgreSql();
        int port = Ports.free(1).getFirst();
        Path data = Files.createDirectory(directory.resolve("data"));
        List<String> user = List.of();
        if (System.getProperty("user.name").equals("root")) {
            // It refuses to run as root.
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            for (Path each : List.of(directory, data)) {
                Files.setOwner(
                        each,
                        each.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
            }
            user = List.of(
                    "setpriv",
                    "--reuid",
                    "nobody",
                    "--regid",
                    "nogroup",
                    "--clear-groups",
                    "--pdeathsig",
                    "KILL",
                    "--");
        }
        List<String> making = new ArrayList<>(user);
        making.addAll(List.of(bin.resolve("initdb").toString(), "-D", data.toString(), "-U", "postgres"));
        making.addAll(List.of("-A", "trust", "--no-sync"));
        Command.run(making.toArray(String[]::new));
        List<String> command = new ArrayList<>(user);
        command.addAll(List.of(bin.resolve("postgres").toString(), "-D", data.toString(), "-p", "" + port));
        for (String setting : List.of(
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=" + directory,
                "max_connections=200",
                "fsync=off",
                "lc_messages=C")) {
            command.addAll(List.of("-c", setting));
        }
        Program server = stage.start(command.toArray(String[]::new));
        server.awaitLine("that it is ready", line -> line.contains("ready to accept connections"));
        return new Server(server, port, directory.resolve(".s.PGSQL." + port));
    }

    private void serves(Server server, JavaCommand command) throws IOException, InterruptedException {
        Program client = stage.start(true, command);
        client.done();
        new Counters(client).allOnKernel(BY_RULE);
        client.end();
        server.end();
    }

    @Test
    void redisServesJedis() throws IOException, InterruptedException {
        Server redis = redis();
        serves(redis, redis.client("JedisClient", JEDIS));
    }

    @Test
    void redisServesLettuce() throws IOException, InterruptedException {
        Server redis = redis();
        serves(redis, redis.client("LettuceClient", REDIS));
    }

    @Test
    void postgreSqlServesJdbc() throws IOException, InterruptedException {
        Server server = postgreSql();
        serves(server, server.client("PostgreSqlClient", POSTGRESQL));
    }

    @Test
    void withoutTheSocketRedisServesJedisByTcp() throws IOException, InterruptedException {
        Server redis = redis();
        Files.delete(redis.socket());
        Program client = stage.start(true, redis.client("JedisClient", JEDIS));
        client.done();
        new Counters(client).allOnKernel("no unix socket");
        client.end();
        redis.end();
    }

    private Contest.Result measure(Pairing pairing, Server server, JavaCommand command)
            throws IOException, InterruptedException {
        Program client = stage.start(pairing.client(), command);
        client.done();
        // None of its connections is between two JVMs.
        Contest.Result result = Contest.Result.of(pairing, client, List.of());
        client.end();
        server.end();
        return result;
    }

    @Test
    void jedisMeasuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Jedis, Redis by a rule",
                                JEDIS.version("jedis"),
                                "Debian's Redis at a [Unix-domain socket](unix.md); values up to 1 MB, pipelined commands, a subscriber, a pool of 100 connections",
                                "reads/s",
                                "-"))
                .run(pairing -> {
                    Server redis = redis();
                    return measure(pairing, redis, redis.client("JedisClient", JEDIS, "measure=true"));
                });
    }

    @Test
    void postgreSqlMeasuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "PostgreSQL by a rule",
                                POSTGRESQL.version("postgresql"),
                                "Debian's server at a [Unix-domain socket](unix.md) and JDBC; batches, transactions, values of 16 MB, 100 connections, a cancelled statement",
                                "queries/s",
                                "-"))
                .run(pairing -> {
                    Server server = postgreSql();
                    Contest.Result result =
                            measure(pairing, server, server.client("PostgreSqlClient", POSTGRESQL, "measure=true"));
                    Command.run("rm", "-r", directory.resolve("data").toString());
                    return result;
                });
    }
}
