// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.pipedevice.program.EchoProgram;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A property that PipeDevice does not have is reported in the log and by the doctor. */
@Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnknownPropertyIT extends DoctorPrograms {
    private static final String UNKNOWN = " is no property of PipeDevice and has no effect; ";

    @ParameterizedTest
    @CsvSource({
        "pipedevice.ringmax=64k, did you mean pipedevice.ring.max?",
        "pipedevice.Enabled, did you mean pipedevice.enabled?",
        "pipedevice.driver.max.memroy=1g, did you mean pipedevice.driver.max.memory?",
        "pipedevice.colour=green, docs/properties.md lists all properties"
    })
    void logHasOneLineForIt(String flag, String advice) throws Exception {
        Jvm.Result result = Jvm.java(AGENT, SMALL, "-D" + flag, "-cp", CLASSES, EchoProgram.class.getName())
                .run();
        assertEquals(0, result.exit(), result::toString);
        List<String> lines = result.err().stream()
                .filter(line -> line.contains("no property"))
                .toList();
        assertEquals(List.of("WARNING: " + flag.split("=", 2)[0] + UNKNOWN + advice), lines, result::toString);
    }

    @Test
    void propertiesThatExistAreNotReported() throws Exception {
        Jvm.Result result = Jvm.java(
                        AGENT,
                        SMALL,
                        "-Dpipedevice.ring.max=64k",
                        "-Dpipedevice.test.seed=1",
                        "-Dpipedeviceless=1",
                        "-cp",
                        CLASSES,
                        EchoProgram.class.getName())
                .run();
        assertEquals(new Jvm.Result(0, result.out(), List.of()), result);
    }

    @Test
    void doctorNamesIt() throws Exception {
        Process program = holdWith("-Dpipedevice.ringmax=64k", "serve");
        assertFalse(next(program).isEmpty());
        assertEquals(
                "note unknown-property pipedevice.ringmax" + UNKNOWN + "did you mean pipedevice.ring.max?",
                diagnose(program.pid()).line("unknown-property"));
    }
}
