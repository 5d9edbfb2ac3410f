// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class RegretCommandTest {
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return new CommandLine(new RegretCommand()).setErr(new PrintWriter(err)).execute(args);
    }

    private static RegretOptions options(String... args) throws Exception {
        RegretCommand command = new RegretCommand();
        new CommandLine(command).parseArgs(args);
        return command.options();
    }

    @Test
    void valuesOutOfRangeAreUsageErrorsThatNameTheOption() {
        String[][] wrong = {
            {"--rows", "stream-udp"},
            {"--rows", ""},
            {"--runs", "0"},
            {"--turns", "0"},
            {"--seconds", "0.01"},
            {"--seconds", "NaN"},
            {"--warm-up", "21"}
        };
        for (String[] option : wrong) {
            err.getBuffer().setLength(0);
            assertEquals(CommandLine.ExitCode.USAGE, run("--no-namespace", option[0], option[1]));
            assertTrue(err.toString().contains(option[0]), err::toString);
        }
    }

    @Test
    void rowsAreNamedOneByOneOrByTheirBeginning() {
        assertEquals(List.of(Row.CONNECT), Row.named("connect"));
        assertEquals(List.of(Row.TRANSFER_TO, Row.TRANSFER_FROM), Row.named("transfer"));
    }

    @Test
    void eachRowIsInTheHelp() {
        String footer = String.join(
                "\n",
                new CommandLine(new RegretCommand())
                        .getCommandSpec()
                        .usageMessage()
                        .footer());
        for (Row row : Row.values()) {
            String word = row.word();
            String end = word.substring(word.lastIndexOf('-') + 1);
            assertTrue(footer.contains(word) || footer.contains(" -" + end), word);
        }
    }

    @Test
    void quickFormHasAllRowsAndTheFullOneIsLonger() throws Exception {
        RegretOptions quick = options();
        RegretOptions full = options("--full");
        assertEquals(List.of(Row.values()), quick.rows());
        assertEquals(4000, quick.coldMillis());
        assertEquals(4000, full.coldMillis());
        assertTrue(quick.runs() < full.runs() && quick.connections() < full.connections());
    }
}
