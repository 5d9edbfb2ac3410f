// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Network namespaces that end with the processes of a test. */
public final class Namespaces {
    private Namespaces() {}

    /** Runs shell commands in the network namespace of a child, and returns their output. */
    public static String in(ChildJvm child, String commands) throws IOException {
        Process process = new ProcessBuilder(
                        "nsenter", "-t", Long.toString(child.pid()), "-n", "sh", "-e", "-c", commands)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(!output.contains("Unknown device type"), output);
        assertEquals(0, process.onExit().join().exitValue(), output);
        return output;
    }
}
