// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.tool.PipeDeviceCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class InjectCommandTest {
    private static final String POD = """
            # Größe 😀
            apiVersion: v1
            kind: Pod
            metadata: {name: p}
            spec:
              containers:
                - name: a
            """;

    @TempDir
    private Path directory;

    private final StringWriter err = new StringWriter();

    private int execute(String... arguments) {
        return PipeDeviceCommand.commandLine(List.of())
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--delivery disk | --delivery: disk; allowed: init-container, image-volume",
                "--pull-policy never | --pull-policy: never; allowed: Always, IfNotPresent, Never",
                "--image a,b | --image: a,b; allowed: the name of an image",
                "--mount opt | --mount: opt; allowed: an absolute path",
                "--mount /a/../b | --mount: /a/../b; allowed: an absolute path",
                "--image-jar /a=b.jar | --image-jar: /a=b.jar; allowed: an absolute path",
                "--delivery image-volume --image-jar /a/b.jar | a path that ends in /pipedevice-agent.jar",
                "--driver /a:b | --driver: /a:b; allowed: an absolute path",
                "--driver /opt/pipedevice | --mount: /opt/pipedevice; allowed: another directory than that of --driver",
                "--driver-volume run | --driver-volume needs --driver DIR",
                "--driver /run/x --driver-volume Run | --driver-volume: Run; allowed: at most 63 small letters",
                "--container A | --container: A; allowed: at most 63 small letters",
                "--remove --driver /run/x | --remove goes with --file alone, not with --driver"
            })
    void aValueThatIsNotAllowedIsRefusedByName(String words, String message) {
        List<String> arguments = new ArrayList<>(List.of("kube", "inject", "-f", "none.yaml"));
        arguments.addAll(List.of(words.split(" ", -1)));
        assertEquals(2, execute(arguments.toArray(String[]::new)), err::toString);
        assertTrue(err.toString().startsWith("pipedevice: "), err::toString);
        assertTrue(err.toString().contains(message), err::toString);
    }

    @Test
    void aFileThatCannotBeUsedIsOneLineWithItsName() throws IOException {
        Path text = Files.write(directory.resolve("latin.yaml"), "a: \u00e4".getBytes(StandardCharsets.ISO_8859_1));
        assertEquals(1, execute("kube", "inject", "-f", text.toString()));
        assertEquals("pipedevice: " + text + ": is not in UTF-8" + System.lineSeparator(), err.toString());
        err.getBuffer().setLength(0);
        Path none = directory.resolve("none.yaml");
        assertEquals(1, execute("kube", "inject", "-f", none.toString()));
        assertTrue(err.toString().contains(none.toString()), err::toString);
    }

    @Test
    void aLongFileIsRefused() throws IOException {
        Path text = directory.resolve("long.yaml");
        Files.write(text, new byte[InjectCommand.MOST_BYTES + 1]);
        assertEquals(1, execute("kube", "inject", "-f", text.toString()));
        assertTrue(err.toString().contains("is longer than 33554432 bytes"), err::toString);
    }

    /** As in a pipe, in a locale without these characters. */
    @Test
    void standardInputGoesToStandardOutputInUtf8() throws Exception {
        Path plain = Files.writeString(directory.resolve("plain.yaml"), POD);
        Path injected = directory.resolve("injected.yaml");
        Path removed = directory.resolve("removed.yaml");
        pipe(plain, injected, "--driver", "/run/pipedevice");
        assertEquals(Injections.inject(POD, Injections.withDriver()), Files.readString(injected));
        pipe(injected, removed, "--remove");
        assertArrayEquals(Files.readAllBytes(plain), Files.readAllBytes(removed));
    }

    private static void pipe(Path from, Path to, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                PipeDeviceCommand.class.getName(),
                "kube",
                "inject"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(from.toFile())
                .redirectOutput(to.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        try {
            assertEquals(0, process.waitFor());
        } finally {
            process.destroyForcibly();
        }
    }
}
