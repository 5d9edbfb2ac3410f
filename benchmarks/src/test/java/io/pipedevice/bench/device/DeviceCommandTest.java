// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Timeout(60)
final class DeviceCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return new CommandLine(new DeviceCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    @Test
    void measuresEachDeviceWithEachNumberOfLanesAndNamesTheOneThatFails() {
        assertEquals(
                CommandLine.ExitCode.SOFTWARE,
                run("--device=emulator,nosuch:0,model", "--lanes=1,2", "--sizes=64,64k", "--seconds=0.01"));
        String report = out.toString();
        for (String part : new String[] {
            "emulator: 'dma-emulator', lanes: 1",
            "emulator: 'dma-emulator', lanes: 2",
            "nosuch:0 is not measured: pipedevice.driver.device = nosuch:0",
            "model: 'fpga",
            "64 B on another lane",
            "65536 B",
            "0 commands failed; an emulator executed 0 in place of the device; 0 resets"
        }) {
            assertTrue(report.contains(part), () -> part + " is missing in " + report);
        }
    }

    @ParameterizedTest
    @CsvSource({"--lanes=0", "--lanes=257", "--sizes=2m", "--sizes=0", "--seconds=0", "--seconds=NaN"})
    void valuesOutOfRangeAreUsageErrors(String option) {
        assertEquals(CommandLine.ExitCode.USAGE, run(option));
        assertTrue(err.toString().contains(option.substring(0, option.indexOf('='))), err::toString);
    }
}
