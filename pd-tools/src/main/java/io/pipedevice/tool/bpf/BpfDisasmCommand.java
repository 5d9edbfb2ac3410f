// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.bpf;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.elf.ObjectFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the instructions of a program. */
@Command(
        name = "disasm",
        description = "Print a program of an object file, with the functions that it calls.",
        footer = {
            "",
            "Without --section and --function, a program begins with the first function outside of",
            "the section .text, or with the first one at all."
        })
final class BpfDisasmCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The object file, of clang -target bpf -O2 -c.")
    private Path file;

    @ArgGroup
    private Entry entry = new Entry();

    @Override
    public Integer call() throws IOException, InvalidProgramException {
        Program program = entry.of(ObjectFile.read(file));
        PrintWriter out = spec.commandLine().getOut();
        out.println(program.name() + ": " + program.instructions().size() + " instructions, "
                + program.functions().size() + " functions");
        program.disassembly().forEach(out::println);
        out.flush();
        return CommandLine.ExitCode.OK;
    }
}
