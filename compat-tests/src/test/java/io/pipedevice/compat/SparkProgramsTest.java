// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static io.pipedevice.compat.JavaCommand.Library.SPARK;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The protocol by which Spark's executors fetch blocks from each other, only in the full form. */
@Timeout(1800)
@EnabledIfSystemProperty(named = "compat.full", matches = "true")
final class SparkProgramsTest {
    @TempDir
    private static Path directory;

    private static TestFile file;

    @RegisterExtension
    private final Stage stage = new Stage();

    @BeforeAll
    static void makeFile() throws IOException {
        file = TestFile.make(directory);
    }

    @ParameterizedTest
    @EnumSource
    void sparkServesBlocks(Pairing pairing) throws IOException, InterruptedException {
        new Conversation(stage, pairing).run(server(), SparkProgramsTest::client);
    }

    @Test
    void sparkKeepsItsNativeTransportIfTheUserWantsThat() throws IOException, InterruptedException {
        String off = "-Dpipedevice.netty=off";
        Program server = stage.start(true, server().with(off));
        Program client = stage.start(true, client(server.ready()).with(off));
        client.done();
        new Counters(client).nothing();
        new Counters(server).nothing();
        client.end();
        server.end();
    }

    @Test
    void measuresItself() throws IOException, InterruptedException {
        new Contest(
                        stage,
                        new CompatibilityTable.Row(
                                "Spark, its blocks",
                                SPARK.version("spark-network-common_2.13"),
                                "the protocol by which executors exchange blocks: chunks of memory and of files, streams, uploads, requests, 20 connections",
                                "MB/s",
                                "brings epoll, which the agent says is unavailable"))
                .run(pairing ->
                        new Conversation(stage, pairing).measure(server(), ready -> client(ready, "measure=true")));
    }

    private static JavaCommand server() {
        return JavaCommand.program("SparkServer", SPARK, "file=" + file.path()).with(JavaCommand.NATIVE_ACCESS);
    }

    private static JavaCommand client(Map<String, String> ready, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "port=" + ready.get("port"), file.sha256(), file.filesize(), Sizes.size(Sizes.some()), Sizes.limit()));
        arguments.addAll(List.of(more));
        return JavaCommand.program("SparkClient", SPARK, arguments.toArray(String[]::new))
                .with(JavaCommand.NATIVE_ACCESS);
    }
}
