// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.cuda.TestCuda;
import io.pipedevice.program.EchoProgram;
import io.pipedevice.tool.PipeDeviceCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver process whose device is a GPU, with the library of {@link TestCuda}; and names of GPUs that it refuses. */
@Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GpuDriverIT extends DoctorPrograms {
    /** The arguments of a Java that runs a driver. */
    private String[] driver(String library, String... options) {
        List<String> arguments = new ArrayList<>(List.of(
                SMALL,
                "-Dpipedevice.driver.cuda.library=" + library,
                "-jar",
                Jvm.JAR.toString(),
                "driver",
                "--dir",
                dir.toString()));
        arguments.addAll(List.of(options));
        return arguments.toArray(String[]::new);
    }

    private List<String> stat() {
        StringWriter out = new StringWriter();
        assertEquals(
                0,
                PipeDeviceCommand.commandLine(List.of())
                        .setOut(new PrintWriter(out))
                        .execute("stat", "--all", "--dir", dir.toString()));
        return out.toString().lines().toList();
    }

    private static long of(List<String> counters, String label) {
        List<String> found =
                counters.stream().filter(line -> line.endsWith("  " + label)).toList();
        assertEquals(1, found.size(), () -> label + " in " + counters);
        return Long.parseLong(found.getFirst().strip().split(" ", -1)[0].replace(",", ""));
    }

    @ParameterizedTest
    @CsvSource({"cuda:0, 'cuda Test GPU 0'", "cuda:0/engines, 'cuda Test GPU 0, copy engines'"})
    void theGpuCopiesForAProgram(String option, String name) throws Exception {
        List<String> command = new ArrayList<>(List.of(JAVA));
        command.addAll(List.of(driver(TestCuda.library().toString(), "--device", option, "--path", "device")));
        Process driver = start(command.toArray(String[]::new));
        assertEquals("driver with " + name + " ready on " + dir, next(driver));
        Jvm.Result program = Jvm.java(
                        AGENT, SMALL, "-Dpipedevice.driver=" + dir, "-cp", CLASSES, EchoProgram.class.getName())
                .run();
        assertTrue(program.out().contains("echo hello"), program::toString);
        List<String> counters = stat();
        assertTrue(of(counters, "commands executed of device " + name) >= 2, counters::toString);
        assertEquals(10, of(counters, "bytes copied of device " + name), counters::toString);
        driver.destroy();
        assertEquals(0, driver.waitFor());
    }

    private String misunderstood(String device) {
        StringWriter err = new StringWriter();
        assertEquals(
                2,
                PipeDeviceCommand.commandLine(List.of())
                        .setErr(new PrintWriter(err))
                        .execute("driver", "--dir", dir.toString(), "--device", device),
                err::toString);
        List<String> lines = err.toString().lines().toList();
        assertEquals("Try 'pipedevice driver --help'.", lines.get(1));
        assertEquals(2, lines.size(), err::toString);
        return lines.getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cuda", "cuda:", "cuda:x", "cuda:0/foo", "cuda:/engines"})
    void anInvalidDeviceNameIsRefusedWithTheAllowedForms(String name) {
        assertEquals(
                "pipedevice: pipedevice.driver.device = " + name
                        + "; allowed: cuda:NUMBER, cuda:NUMBER/engines, emulator, vfio:ADDRESS",
                misunderstood(name));
    }

    @Test
    void aSecondGpuIsRefused() {
        String line = misunderstood("cuda:0,cuda:1");
        assertTrue(line.contains("one GPU at most"), line);
    }

    /** The error of a driver process that cannot start, and leaves nothing. */
    private String failed(String library, String device) throws Exception {
        Jvm.Result result = Jvm.java(driver(library, "--device", device)).run();
        assertEquals(1, result.exit(), result::toString);
        assertEquals(List.of(), result.out());
        assertEquals(1, result.err().size(), result::toString);
        try (Stream<Path> left = Files.list(dir)) {
            assertEquals(List.of(), left.toList());
        }
        return result.err().getFirst();
    }

    @Test
    void aNumberThatNoGpuHasIsAnError() throws Exception {
        assertEquals(
                "pipedevice: there is no GPU 9: this process sees 1",
                failed(TestCuda.library().toString(), "cuda:9"));
    }

    @Test
    void aMissingLibraryIsNamed() throws Exception {
        String nowhere = dir.resolve("libcuda.so.1").toString();
        String line = failed(nowhere, "cuda:0");
        assertTrue(line.startsWith("pipedevice: CUDA's driver library " + nowhere + " is not there: "), line);
    }
}
