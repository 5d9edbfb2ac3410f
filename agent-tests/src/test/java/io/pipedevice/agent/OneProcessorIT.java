// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.program.EchoProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine with one processor, which is simulated by another file in place of the kernel's list of processors. */
class OneProcessorIT {
    private static final String AGENT = "-javaagent:" + Jvm.AGENT_JAR;
    private static final String ECHO = EchoProgram.class.getName();
    private static final String CLASSES = System.getProperty("java.class.path");

    @TempDir
    private Path dir;

    private String[] oneProcessor;

    @BeforeEach
    void showOneProcessor() throws Exception {
        Path online = Files.writeString(dir.resolve("online"), "0\n");
        String mount = "mount --bind " + online + " /sys/devices/system/cpu/online && exec \"$@\"";
        oneProcessor = new String[] {"unshare", "-m", "sh", "-c", mount, "sh"};
        Process possible = new ProcessBuilder("unshare", "-m", "sh", "-c", mount, "sh", "true").start();
        assumeTrue(possible.waitFor() == 0, "may not mount");
    }

    @Test
    void oneProcessorStaysOnKernelTcpWithOneLine() throws Exception {
        Jvm.Result result =
                Jvm.java(AGENT, "-cp", CLASSES, ECHO).by(oneProcessor).run();
        assertEquals(0, result.exit(), result::toString);
        List<String> lines = result.err().stream()
                .filter(line -> line.contains(
                        "PipeDevice is off, connections stay on kernel TCP: this machine has one processor"))
                .toList();
        assertEquals(1, lines.size(), result::toString);
        assertTrue(lines.get(0).endsWith("-Dpipedevice.enabled=true turns PipeDevice on"), result::toString);
    }

    @Test
    void enabledTrueIsNotReportedAsOffOnOneProcessor() throws Exception {
        Jvm.Result result = Jvm.java(AGENT, "-Dpipedevice.enabled=true", "-cp", CLASSES, ECHO)
                .by(oneProcessor)
                .run();
        assertEquals(new Jvm.Result(0, result.out(), List.of()), result);
    }
}
