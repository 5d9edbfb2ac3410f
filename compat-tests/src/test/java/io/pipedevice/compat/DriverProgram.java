// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import io.pipedevice.driver.DriverStat;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.test.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A driver in a process of its own, with a directory of its own. */
final class DriverProgram implements AutoCloseable {
    private final Path directory;
    private final Program program;

    /** Starts a driver with these options, and waits until it is ready. */
    DriverProgram(String... options) throws IOException, InterruptedException {
        directory = Files.createTempDirectory("pipedevice-compat");
        List<String> words = new ArrayList<>(
                List.of("-jar", System.getProperty("pipedevice.all.jar"), "driver", "--dir", directory.toString()));
        words.addAll(List.of(options));
        JavaCommand command = new JavaCommand("driver", words);
        program = Stage.endWithTests(Program.start(command.name(), command.line(Stage.OPTIONS)));
        program.awaitLine("that it is ready", line -> line.contains(" ready on "));
    }

    Path directory() {
        return directory;
    }

    /** The connections of the kernel's whose two ends it has introduced to each other. */
    long introduced() throws IOException {
        try (DriverStat stat = DriverStat.open(directory)) {
            return stat.values().stream()
                    .filter(value -> value.type() == CounterType.INTRODUCED.id())
                    .mapToLong(DriverStat.Value::value)
                    .sum();
        }
    }

    String log() {
        return program.log();
    }

    @Override
    public void close() throws IOException {
        try {
            if (program.terminate() != 0 || !program.warnings().isEmpty()) {
                throw new IllegalStateException(program.log());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            Stage.close(program);
            TestFiles.delete(directory);
        }
    }
}
