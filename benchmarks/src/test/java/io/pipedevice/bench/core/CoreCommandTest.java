// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.bench.BenchModule;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(60)
class CoreCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return new CommandLine(new BenchModule().command())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    @Test
    void valuesOutOfRangeAreUsageErrorsThatNameTheOption() {
        String[][] wrong = {
            {"--sizes", "63"},
            {"--sizes", "8m"},
            {"--sizes", "0"},
            {"--sizes", "many"},
            {"--runs", "0"},
            {"--seconds", "0.01"},
            {"--seconds", "NaN"},
            {"--ring", "1k"},
            {"--transports", "udp"},
            {"--threading", "none"},
            {"--connections", "0"},
            {"--connections", "65"},
            {"--device", "emulator,,model"}
        };
        for (String[] option : wrong) {
            err.getBuffer().setLength(0);
            assertEquals(CommandLine.ExitCode.USAGE, run("core", "--no-namespace", option[0], option[1]));
            assertTrue(err.toString().contains(option[0]), err::toString);
        }
    }

    @Test
    void deviceThatDoesNotStartIsReportedAndTheOthersAreMeasured(@TempDir Path directory) throws Exception {
        int exit = run(
                "core",
                "--no-namespace",
                "--device=fax:0/copy",
                "--sizes=1k",
                "--runs=1",
                "--seconds=0.2",
                "--no-touch",
                "--output=" + directory);
        assertEquals(CommandLine.ExitCode.SOFTWARE, exit, err::toString);
        assertTrue(out.toString().contains("fax:0/copy: run 1, start: "), out::toString);
        assertTrue(Files.exists(directory.resolve("core-tcp-1024.hgrm")), out::toString);
    }

    @Test
    void reportIsPrintedAndWrittenBesideThePercentiles(@TempDir Path directory) throws Exception {
        int exit = run(
                "core",
                "--no-namespace",
                "--transports=tcp",
                "--sizes=1k",
                "--runs=1",
                "--seconds=0.2",
                "--no-touch",
                "--profile-alloc",
                "--output=" + directory);
        assertEquals(0, exit, err::toString);
        assertEquals(out.toString(), Files.readString(directory.resolve("core.txt")));
        assertTrue(out.toString().contains("congestion control"), out::toString);
        assertTrue(out.toString().contains("Bytes of heap allocated per message"), out::toString);
        assertTrue(Files.readString(directory.resolve("core-tcp-1024.hgrm")).contains("Percentile"));
    }
}
