// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.pipedevice.active.bpf.Clang;
import io.pipedevice.active.bpf.elf.ObjectFile;
import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.Helper.Argument;
import io.pipedevice.active.bpf.machine.Helper.Result;
import io.pipedevice.active.bpf.machine.Helpers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clang makes of functions.c is accepted, for older and newer processors of eBPF. */
class CompiledCodeTest {
    private static final Helper FIND = new Helper(
            4, "find", List.of(Argument.NUMBER), Result.memoryOrNull(16, true), (memory, a, b, c, d, e) -> 0);

    /** As many bytes as a loop may have iterations without fuel. */
    private static final Conditions CONDITIONS =
            Conditions.ofMemory(new Helpers(List.of(FIND)), 0, VerifiedProgram.MAX_ITERATIONS);

    @TempDir
    private Path dir;

    private Path compile(String processor) throws IOException, InterruptedException {
        Path source = dir.resolve("functions.c");
        try (InputStream in = CompiledCodeTest.class.getResourceAsStream("functions.c")) {
            Files.copy(in, source);
        }
        return Clang.compile(source, "-mcpu=" + processor);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v2", "v3"})
    void functionsThatCheckLengthsAreAccepted(String processor) throws Exception {
        ObjectFile file = ObjectFile.read(compile(processor));
        List<String> functions = file.functions().stream()
                .filter(each -> !each.equals("byte_at"))
                .toList();
        assertEquals(19, functions.size(), functions.toString());
        for (String function : functions) {
            try {
                VerifiedProgram verified = Verifier.verify(file.programOf(function), CONDITIONS);
                assertFalse(verified.needsFuel(), function);
            } catch (UnsafeProgramException e) {
                throw new AssertionError(function + ": " + e.getMessage(), e);
            }
        }
    }
}
