// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkProgramsTest {
    @TempDir
    private Path root;

    private Path modules;
    private Path module;

    @BeforeEach
    void find() {
        modules = root.resolve("compat-tests/programs");
        module = modules.resolve("spark-cluster");
    }

    private void writeSources() throws IOException {
        for (Path project : new Path[] {modules, modules.resolve("common"), module}) {
            Files.createDirectories(project.resolve("src"));
            Files.writeString(project.resolve("pom.xml"), "");
        }
        Files.createDirectories(module.resolve("target"));
    }

    private Path build() throws IOException {
        Path jar = Files.writeString(root.resolve("spark.jar"), "");
        Path classPath = Files.writeString(module.resolve("target/class-path"), jar.toString());
        Files.setLastModifiedTime(classPath, FileTime.from(Instant.now().plusSeconds(1)));
        return jar;
    }

    private String reason() {
        return assertThrows(UnavailableException.class, () -> new SparkPrograms(root).builtClassPath())
                .getMessage();
    }

    @Test
    void moduleThatIsNotThereIsTheReason() {
        assertEquals("not available: compat-tests/programs/spark-cluster is not there", reason());
    }

    @Test
    void firstErrorOfTheBuildIsTheReason() throws IOException {
        writeSources();
        Files.writeString(
                module.resolve("target/build.log"), "[INFO] x\n[ERROR] no route to central\n[ERROR] -> Help\n");
        assertTrue(reason().endsWith("could not be built: no route to central"), this::reason);
    }

    @Test
    void programsStandBeforeTheirLibraries() throws Exception {
        writeSources();
        Path jar = build();
        assertEquals(
                String.join(
                        File.pathSeparator,
                        modules.resolve("common/target/classes").toString(),
                        module.resolve("target/classes").toString(),
                        jar.toString()),
                new SparkPrograms(root).builtClassPath());
    }

    @Test
    void libraryThatIsGoneAndNewerSourcesNeedABuild() throws Exception {
        writeSources();
        Path jar = build();
        Path source = Files.writeString(module.resolve("src/New.java"), "");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(10)));
        assertTrue(reason().startsWith("not available"), this::reason);
        Files.delete(source);
        Files.setLastModifiedTime(module.resolve("src"), FileTime.from(Instant.now()));
        new SparkPrograms(root).builtClassPath();
        Files.delete(jar);
        assertTrue(reason().startsWith("not available"), this::reason);
    }
}
