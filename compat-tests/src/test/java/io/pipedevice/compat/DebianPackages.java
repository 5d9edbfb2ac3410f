// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Servers that are no JVM: those of the system, or else from Debian's packages, which are unpacked, not installed. */
final class DebianPackages {
    private static final Path DIRECTORY = Path.of("target", "debian").toAbsolutePath();

    private DebianPackages() {}

    /** The command of Redis. */
    static List<String> redis() throws IOException, InterruptedException {
        if (Program.isInstalled("redis-server")) {
            return List.of("redis-server");
        }
        Path server = unpacked("redis", "redis-server", "redis-tools", "libjemalloc2", "liblzf1", "liblua5.1-0")
                .resolve("usr/bin/redis-server");
        return List.of("env", "LD_LIBRARY_PATH=" + libraries("redis"), server.toString());
    }

    /** The directory with the programs of PostgreSQL. */
    static Path postgreSql() throws IOException, InterruptedException {
        Path versions = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(versions)) {
            versions = unpacked("postgresql", "postgresql-15", "postgresql-client-15", "libpq5")
                    .resolve("usr/lib/postgresql");
        }
        try (Stream<Path> all = Files.list(versions)) {
            return all.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .findAny()
                    .orElseThrow(() -> new IOException("no PostgreSQL in /usr/lib/postgresql"));
        }
    }

    private static String libraries(String name) throws IOException {
        try (Stream<Path> all = Files.list(DIRECTORY.resolve(name).resolve("usr/lib"))) {
            return all.filter(directory -> directory.toString().endsWith("-linux-gnu"))
                    .map(Path::toString)
                    .findAny()
                    .orElse("");
        }
    }

    private static Path unpacked(String name, String... packages) throws IOException, InterruptedException {
        Path directory = DIRECTORY.resolve(name);
        Path done = directory.resolve("done");
        if (!Files.exists(done)) {
            Files.createDirectories(directory);
            String script = "cd '" + directory + "' && apt-get download " + String.join(" ", packages)
                    + " && for each in *.deb; do dpkg -x \"$each\" . || exit 1; done && touch done";
            try (Program download = Program.start("apt-get", List.of("sh", "-c", script))) {
                assumeTrue(
                        download.leave() == 0,
                        () -> name + " is not installed, and Debian's packages cannot be had: " + download.log());
            }
        }
        return directory;
    }
}
