// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines in the format of logs. */
final class LogLinesTest {
    private static final List<String> JDK_OURS = List.of(
            "Nov 22, 2026 4:01:02 PM io.pipedevice.nio.start.StartUp kernel",
            "WARNING: PipeDevice is off, connections stay on kernel TCP: no memory");
    private static final List<String> JDK_REBUILT = List.of(
            "Nov 22, 2026 4:01:02 PM io.netty.channel.nio.NioIoHandler select",
            "WARNING: Selector.select() returned prematurely 512 times in a row; rebuilding Selector a.");
    private static final List<String> LOG4J_OURS =
            List.of("2026-11-22 16:01:02,003 WARN io.pipedevice: PipeDevice is off: no memory");
    private static final List<String> LOG4J_REBUILT = List.of(
            "2026-11-22 16:01:02,003 WARN io.netty.channel.nio.NioIoHandler: Selector.select() returned prematurely 512"
                    + " times in a row; rebuilding Selector a.");

    /** Warnings of a program's own libraries, which do not concern this project and do not count. */
    private static final List<String> OTHERS = List.of(
            "2026-11-22 16:01:02,003 WARN org.apache.spark.util.Utils: Your hostname resolves to a loopback address",
            "2026-11-22 16:01:02,003 INFO io.netty.channel.nio.NioIoHandler: Migrated 2 channel(s) to the rebuilt one",
            "Spark Executor Command: \"-javaagent:/pipedevice-agent.jar\" \"io.pipedevice.compat.programs.SparkShuffle\"",
            "MEASURED rate=1.0");

    @Test
    void warningsAboutPipeDeviceAreFoundInEitherForm() {
        for (List<String> lines : List.of(JDK_OURS, JDK_REBUILT, LOG4J_OURS, LOG4J_REBUILT)) {
            assertEquals(List.of(String.join(": ", lines)), LogLines.aboutPipeDevice(lines));
            assertEquals(List.of(lines.getLast()), LogLines.warnings(lines));
            assertEquals(List.of(), LogLines.errors(lines));
        }
    }

    @Test
    void errorsAreFoundInEitherForm() {
        for (List<String> lines : List.of(JDK_OURS, LOG4J_OURS)) {
            List<String> worse = lines.stream()
                    .map(line -> line.replace("WARNING:", "SEVERE:").replace("WARN ", "ERROR "))
                    .toList();
            assertEquals(List.of(worse.getLast()), LogLines.errors(worse));
            assertEquals(List.of(String.join(": ", worse)), LogLines.aboutPipeDevice(worse));
        }
    }

    @Test
    void whatOthersWarnOfInLog4jIsTheirs() {
        assertEquals(List.of(), LogLines.aboutPipeDevice(OTHERS));
        assertEquals(List.of(), LogLines.warnings(OTHERS));
        assertEquals(List.of(), LogLines.errors(OTHERS));
    }
}
