// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Network namespaces that end with the processes of a test. */
public final class Namespaces {
    private Namespaces() {}

    /** Runs shell commands in the network namespace of a child, and returns their output. */
    public static String in(ChildJvm child, String commands) throws IOException {
        return in(child.pid(), commands);
    }

    /** Runs shell commands in the network namespace of a process, and returns their output. */
    public static String in(long pid, String commands) throws IOException {
        List<String> command = new ArrayList<>(wrapper(pid));
        command.addAll(List.of("sh", "-e", "-c", commands));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(!output.contains("Unknown device type"), output);
        assertEquals(0, process.onExit().join().exitValue(), output);
        return output;
    }

    /** The words before a command that put it into the network namespace of a process, which must be running then. */
    public static List<String> wrapper(long pid) {
        return List.of("nsenter", "-t", Long.toString(pid), "-n");
    }
}
