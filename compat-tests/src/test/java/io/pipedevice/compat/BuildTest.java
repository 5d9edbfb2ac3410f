// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What ./pipedevice builds before the first start: the modules without their tests. */
@Timeout(300)
final class BuildTest {
    private static final List<String> MODULES = List.of("pd-native", "pd-device", "pd-nio-provider", "samples", "benchmarks");

    /** A test scope that asks for another module's tests would be in vain there: Maven has not built them. */
    @Test
    void dependenciesAreThereWithoutTests(@TempDir Path copy) throws IOException, InterruptedException {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                        .anyMatch(bin -> Files.isExecutable(Path.of(bin, "mvn"))),
                "mvn is not on the path");
        Path root = Path.of("").toAbsolutePath().getParent();
        Files.copy(root.resolve("pom.xml"), copy.resolve("pom.xml"));
        for (String module : MODULES) {
            Files.createDirectory(copy.resolve(module));
            Files.copy(root.resolve(module).resolve("pom.xml"), copy.resolve(module).resolve("pom.xml"));
        }
        // every other module is none of ./pipedevice's
        Path pom = copy.resolve("pom.xml");
        Files.writeString(pom, Files.readString(pom).replaceAll("<module>compat-tests[^<]*</module>", ""));
        Path log = copy.resolve("log");
        Process maven = new ProcessBuilder(
                        "mvn", "-B", "-o", "-pl", "benchmarks", "-am", "test", "-Dmaven.test.skip=true", "-Dmaven.main.skip=true")
                .directory(copy.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertTrue(maven.waitFor(200, TimeUnit.SECONDS), "Maven takes too long");
        } finally {
            maven.destroyForcibly().waitFor();
        }
        assertEquals(0, maven.exitValue(), () -> text(log));
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
