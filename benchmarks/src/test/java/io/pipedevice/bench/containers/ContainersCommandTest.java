// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.bench.net.Line;
import io.pipedevice.bench.net.Row;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ContainersCommandTest {
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return new CommandLine(new ContainersCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    @Test
    void valuesOutOfRangeAreUsageErrorsThatNameTheOption() {
        String[][] wrong = {
            {"--rows", "stream-64-gathered"},
            {"--rows", "busy"},
            {"--runs", "0"},
            {"--seconds", "0.01"},
            {"--warm-up", "-1"},
            {"--transports", "udp"}
        };
        for (String[] option : wrong) {
            err.getBuffer().setLength(0);
            assertEquals(CommandLine.ExitCode.USAGE, run(option[0], option[1]));
            assertTrue(err.toString().contains(option[0]), err::toString);
        }
    }

    @Test
    void everyRowOfTheCommandHasALineInTheReport() {
        List<Line> lines = Stream.of(Lines.traffic(), Lines.applications(), Lines.connections(), Lines.notAccelerated())
                .flatMap(List::stream)
                .toList();
        for (Row row : ContainersCommand.ROWS) {
            assertTrue(lines.stream().anyMatch(line -> line.row() == row), row::title);
        }
    }

    @Test
    void everyRowIsNamedInTheHelp() {
        String help = new CommandLine(new ContainersCommand()).getUsageMessage();
        for (Row row : ContainersCommand.ROWS) {
            assertTrue(help.contains(" " + row.title() + ",") || help.contains(" " + row.title() + "."), row::title);
        }
    }
}
