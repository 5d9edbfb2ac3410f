// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.Clang;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.elf.ObjectFile;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.bpf.machine.ProgramRegion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of a function in README.md. */
@Timeout(120)
class ReadmeTest {
    private static final Path SOURCE =
            Path.of("src/test/java", ReadmeTest.class.getName().replace('.', '/') + ".java");

    private static String block(String language) throws IOException {
        String page = Files.readString(Path.of("README.md"));
        Matcher matcher = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(page.substring(page.indexOf("## Functions in eBPF")));
        assertTrue(matcher.find(), language);
        return matcher.group(1);
    }

    @Test
    void theExampleGivesItsAnswer(@TempDir Path directory) throws Exception {
        Path file = Clang.compile(Files.writeString(directory.resolve("sum.c"), block("c")));
        // as in README.md
        Program program = ObjectFile.read(file).programIn("active");
        CheckedMemory memory =
                new CheckedMemory(program, List.of(ProgramRegion.ofBytes("bytes", new byte[] {1, 2, 3, 4})));
        long sum = new Interpreter(program, Helpers.NONE).run(memory, 1_000_000, memory.address(0), 4);
        assertEquals(0xa, sum);
    }

    @Test
    void theExampleIsTheCodeOfThisTest() throws IOException {
        assertTrue(Files.readString(SOURCE).contains(block("java").indent(8)));
    }
}
