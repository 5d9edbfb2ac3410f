// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.bench.net.Line;
import io.pipedevice.bench.net.NetOptions;
import io.pipedevice.bench.net.Row;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class PaperCommandTest {
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return new CommandLine(new PaperCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    private static NetOptions options(String... args) {
        PaperCommand command = new PaperCommand();
        new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(args);
        return command.options();
    }

    @Test
    void valuesOutOfRangeAreUsageErrorsThatNameTheOption() {
        String[][] wrong = {
            {"--rows", "ping-pong-1k"},
            {"--rows", "busy"},
            {"--runs", "0"},
            {"--seconds", "0.01"},
            {"--warm-up", "-1"},
            {"--transports", "netty_tcp"}
        };
        for (String[] option : wrong) {
            err.getBuffer().setLength(0);
            assertEquals(CommandLine.ExitCode.USAGE, run(option[0], option[1]));
            assertTrue(err.toString().contains(option[0]), err::toString);
        }
    }

    @Test
    void shortMeasurementsHaveOtherSettingsThanLongOnes() {
        assertEquals(5, options("--add").runs());
        assertEquals(
                options().settings(),
                options("--runs=1", "--rows=rate", "--transports=tcp").settings());
        assertNotEquals(options().settings(), options("--quick").settings());
        assertNotEquals(options().settings(), options("--warm-up=3").settings());
        assertTrue(new CommandLine(new PaperCommand()).getUsageMessage().contains("paper.csv"));
    }

    @Test
    void rowsAreNamedOneByOneOrByTheirBeginning() {
        assertEquals(List.of(Row.RATE), options("--rows=rate").rows());
        assertEquals(
                List.of(Row.RATE_LIMIT_1, Row.RATE_LIMIT_10, Row.RATE_LIMIT_40),
                options("--quick", "--rows=rate-limit").rows());
        assertEquals(6, options("--rows=scale").rows().size());
        assertEquals(List.of(Row.ALLREDUCE_2), options("--rows=allreduce-2").rows());
        assertEquals(5, options("--rows=allreduce").rows().size());
    }

    @Test
    void programsOfLibRunBetweenPeersAndThroughADriversDevice() {
        for (Row row : List.of(Row.ALLREDUCE_2_LIB, Row.ALLREDUCE_4_LIB, Row.SERVICE_CHAIN_LIB)) {
            assertEquals(
                    List.of(
                            PaperTransport.PEERS,
                            PaperTransport.DEVICE,
                            PaperTransport.DEVICE_THREAD,
                            PaperTransport.DEVICE_MODEL),
                    options("--rows=" + row.title()).transports().stream()
                            .filter(transport -> transport.runs(row))
                            .toList());
        }
    }

    @Test
    void quickOneHasSomeRowsAndTransports() {
        assertEquals(List.copyOf(PaperCommand.ROWS), options().rows());
        assertEquals(List.copyOf(PaperCommand.QUICK_ROWS), options("--quick").rows());
        assertTrue(PaperCommand.ROWS.containsAll(PaperCommand.QUICK_ROWS));
        assertEquals(
                List.of(PaperTransport.TCP, PaperTransport.DIRECT, PaperTransport.DEVICE),
                options("--quick").transports());
        assertEquals(
                List.of(PaperTransport.PEERS),
                options("--quick", "--transports=peers").transports());
    }

    @Test
    void everyRowOfTheCommandHasALineInTheReport() {
        List<Line> lines = PaperFigures.all().stream()
                .flatMap(figure -> figure.lines().stream())
                .toList();
        for (Row row : PaperCommand.ROWS) {
            assertTrue(lines.stream().anyMatch(line -> line.row() == row), row::title);
        }
    }

    @Test
    void everyRowOfTheReportIsMeasured() {
        for (PaperFigure figure : PaperFigures.all()) {
            figure.lines().forEach(line -> assertTrue(PaperCommand.ROWS.contains(line.row()), line::what));
            figure.gains().forEach(gain -> assertTrue(PaperCommand.ROWS.contains(gain.row()), gain::what));
        }
    }

    @Test
    void everyRowIsNamedInTheHelp() {
        String help = new CommandLine(new PaperCommand()).getUsageMessage();
        for (Row row : PaperCommand.ROWS) {
            assertTrue(help.contains(" " + row.title() + ",") || help.contains(" " + row.title() + "."), row::title);
        }
    }
}
