// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.SPARK_CLUSTER;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A driver of Spark, which is the client of a pairing, and the executors that it starts, which are the servers. Only in
 * the full form.
 */
@Timeout(3600)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class SparkClusterProgramsTest {
    private static final int EXECUTORS = 2;
    private static final long END_LIMIT_S = 60;

    @TempDir
    private Path directory;

    @RegisterExtension
    private final Stage stage = new Stage();

    @ParameterizedTest
    @EnumSource(names = {"BOTH", "SERVER_ONLY"})
    void executorsShuffle(Pairing pairing) throws IOException, InterruptedException {
        Program driver = start(pairing);
        Map<String, String> done = driver.done();
        for (ProcessHandle executor : executors(driver)) {
            if (pairing.client()) {
                new Counters(executor).allAccelerated(1, 1);
            } else {
                new Counters(executor).acceleratedOr(Counters.NO_RENDEZVOUS, Counters.NOT_PIPEDEVICE_PEER);
            }
        }
        if (pairing.client()) {
            new Counters(driver).allAccelerated(Long.parseLong(done.get("sent")), Long.parseLong(done.get("received")));
        }
        end(driver);
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Spark",
                                SPARK_CLUSTER.version("spark-core_2.13"),
                                "a driver and two executors in JVMs of their own (`local-cluster`); shuffles with digests, broadcasts, large results",
                                "MB/s",
                                "brings epoll, which the agent says is unavailable; executors of one host read each other's files without `spark.shuffle.readHostLocalDisk=false`"))
                .run(pairing -> {
                    Program driver = start(pairing, "measure=true");
                    driver.done();
                    List<Counters> all = new ArrayList<>(
                            executors(driver).stream().map(Counters::new).toList());
                    all.add(new Counters(driver));
                    Contest.Result result = Contest.Result.of(pairing, driver, all);
                    end(driver);
                    return result;
                });
    }

    private Program start(Pairing pairing, String... more) throws IOException {
        Path home = Files.createTempDirectory(directory, "home");
        Path local = Files.createDirectory(home.resolve("local"));
        // Spark also loads its libraries from there.
        Files.createDirectory(home.resolve("jars"));
        String temporary = "-Djava.io.tmpdir=" + local;
        List<String> executors = new ArrayList<>(List.of("-XX:-UsePerfData", temporary));
        if (pairing.server()) {
            executors.addAll(stage.agent());
        }
        List<String> arguments = new ArrayList<>(
                List.of("options=" + String.join(" ", executors), Sizes.size(Sizes.some()), Sizes.limit()));
        arguments.addAll(List.of(more));
        List<String> options = new ArrayList<>(List.of(
                // It starts in no JVM with less.
                "-Xmx512m", temporary, JavaCommand.NATIVE_ACCESS, "--sun-misc-unsafe-memory-access=allow"));
        // The options that its launcher gives to every JVM.
        Stream.of("lang", "lang.invoke", "io", "net", "nio", "util", "util.concurrent")
                .map(name -> "--add-opens=java.base/java." + name + "=ALL-UNNAMED")
                .forEach(options::add);
        options.add("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
        Program driver = stage.start(
                pairing.client(),
                JavaCommand.program("SparkShuffle", SPARK_CLUSTER, arguments.toArray(String[]::new))
                        .with(options.toArray(String[]::new))
                        .in(Map.of(
                                "SPARK_HOME",
                                home.toString(),
                                "SPARK_SCALA_VERSION",
                                "2.13",
                                "SPARK_LOCAL_IP",
                                "127.0.0.1",
                                "SPARK_LOCAL_DIRS",
                                local.toString())));
        // Its workers keep the output of their executors.
        WrittenFiles errors = new WrittenFiles("stderr", home.resolve("work"));
        driver.alsoWrites(errors);
        // Find the executors now, so that they are killed even if it crashes.
        await().atMost(Program.CHECK_LIMIT_S, SECONDS)
                .until(() -> !driver.isAlive()
                        || (driver.descendants().size() >= EXECUTORS
                                && errors.lines().size() >= EXECUTORS));
        return driver;
    }

    private static List<ProcessHandle> executors(Program driver) {
        List<ProcessHandle> executors = driver.descendants();
        assertEquals(EXECUTORS, executors.size(), driver::toString);
        return executors;
    }

    /** Ends the executors too, which write below the directory until then. */
    private static void end(Program driver) throws IOException, InterruptedException {
        List<ProcessHandle> executors = executors(driver);
        driver.end();
        await().atMost(END_LIMIT_S, SECONDS).until(() -> executors.stream().noneMatch(ProcessHandle::isAlive));
    }
}
