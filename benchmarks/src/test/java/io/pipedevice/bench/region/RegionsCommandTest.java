// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

@Timeout(60)
final class RegionsCommandTest {
    @Test
    void valuesOutOfRangeAreUsageErrorsThatNameTheOption() {
        String[][] wrong = {
            {"--seconds", "0"}, {"--seconds", "NaN"}, {"--seconds", "61"}, {"--pairs", "0"}, {"--pairs", "1025"}
        };
        for (String[] option : wrong) {
            StringWriter err = new StringWriter();
            int exit = new CommandLine(new RegionsCommand())
                    .setErr(new PrintWriter(err))
                    .execute(option);
            assertEquals(CommandLine.ExitCode.USAGE, exit);
            assertTrue(err.toString().contains(option[0]), err::toString);
        }
    }
}
