// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JvmOptionsTest {
    @TempDir
    private Path dir;

    private JvmOptions read(String environment, String... commandLine) throws IOException {
        Files.writeString(dir.resolve("environ"), environment);
        Files.writeString(dir.resolve("cmdline"), String.join("\0", commandLine) + "\0");
        return new JvmOptions(dir, Path.of("/"), dir);
    }

    @Test
    void lastValueOfAPropertyCounts() throws IOException {
        JvmOptions options = read("", "java", "-Da=1", "-Da=2", "Main", "-Da=3");
        assertEquals("2", options.property("a"));
        assertNull(options.property("b"));
        assertEquals("Main", options.program());
    }

    @Test
    void programIsFoundBehindOptionsWithValues() throws IOException {
        assertEquals(
                "a.b.Main",
                read("", "java", "-cp", "x.jar", "--add-modules", "m", "a.b.Main", "y")
                        .program());
        assertEquals(
                "app.jar",
                read("", "java", "-Xmx1g", "-jar", "/opt/app.jar", "-jar", "z.jar")
                        .program());
        assertEquals("m/Main", read("", "java", "-p", "mods", "-m", "m/Main").program());
        assertEquals("", read("", "java").program());
    }

    @Test
    void environmentAddsOptions() throws IOException {
        JvmOptions options =
                read("A=b\0JAVA_TOOL_OPTIONS=-Dx='a b' -javaagent:\"/opt/pipedevice 1.jar\"=y\0", "java", "Main");
        assertEquals("a b", options.property("x"));
        assertTrue(options.hasAgent());
        assertFalse(read("A=-javaagent:/opt/pipedevice-agent.jar", "java").hasAgent());
        assertTrue(read("JDK_JAVA_OPTIONS=-javaagent:/opt/pipedevice-agent.jar=y", "java")
                .hasAgent());
    }

    @Test
    void argumentFileOfTheProgramIsRead() throws IOException {
        Files.writeString(dir.resolve("args"), "# -Dx=1\n-Dx=2 -cp 'a b.jar'\n");
        JvmOptions options = read("", "java", "@args", "Main");
        assertEquals("2", options.property("x"));
        assertEquals("Main", options.program());
        assertEquals("Main", read("", "java", "@missing", "Main").program());
    }

    @Test
    void otherAgentsAreNotOurs() throws IOException {
        assertFalse(read("", "java", "-javaagent:/opt/profiler.jar", "Main").hasAgent());
    }

    @Test
    void wordsAreGroupedByQuotes() {
        assertEquals(List.of("-Da=x y", "-b"), JvmOptions.split(" '-Da=x y'  -b "));
    }
}
