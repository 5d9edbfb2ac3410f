// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class Listing1OptionsTest {
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return new CommandLine(new SampleModule().command())
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    @Test
    void optionWithAnInvalidValueIsNamed() {
        for (String wrong : new String[] {"--message=0", "--message=2m", "--bytes=-1", "--bytes=much", "--seed=x"}) {
            err.getBuffer().setLength(0);
            assertEquals(CommandLine.ExitCode.USAGE, run("listing1", "client", "--dir=/nowhere", wrong));
            assertTrue(err.toString().contains(wrong.substring(0, wrong.indexOf('='))), err::toString);
        }
    }

    @Test
    void nobodyListens() {
        assertEquals(CommandLine.ExitCode.SOFTWARE, run("listing1", "client", "--port=1"));
        assertTrue(err.toString().contains("Connection refused"), err::toString);
    }

    @Test
    void directoryWithoutDriverIsAFailure() {
        assertEquals(CommandLine.ExitCode.SOFTWARE, run("listing1", "client", "--dir=/nowhere"));
        assertTrue(err.toString().contains("no PD Driver runs at /nowhere"), err::toString);
    }
}
