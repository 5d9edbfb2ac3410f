// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.bpf;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.elf.ObjectFile;
import io.pipedevice.active.bpf.verifier.Conditions;
import io.pipedevice.active.bpf.verifier.Parameter;
import io.pipedevice.active.bpf.verifier.UnsafeProgramException;
import io.pipedevice.active.bpf.verifier.VerifiedProgram;
import io.pipedevice.active.bpf.verifier.Verifier;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Verifies a program, and prints what is true in all its runs, or why it is refused. */
@Command(
        name = "verify",
        description = "Show without running it that a program of an object file is safe, or why it may not be.",
        footer = {
            "",
            "The program gets the address of memory in r1, which is never 0, and its length in r2.",
            "It may call the helpers of 'bpf run'. Exit code 0: it is safe; 1: it is refused."
        })
final class BpfVerifyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The object file, of clang -target bpf -O2 -c.")
    private Path file;

    @ArgGroup
    private Entry entry = new Entry();

    @Option(
            names = "--least",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = "How long the memory is at least (default: ${DEFAULT-VALUE}).")
    private long least;

    @Option(
            names = "--most",
            paramLabel = "BYTES",
            defaultValue = "1048576",
            description = "How long the memory is at most (default: ${DEFAULT-VALUE}).")
    private long most;

    @Option(names = "--read-only", description = "The program may not change the memory.")
    private boolean readOnly;

    @Override
    public Integer call() throws IOException, InvalidProgramException {
        Conditions conditions = conditions();
        Program program = entry.of(ObjectFile.read(file));
        try {
            print(Verifier.verify(program, conditions));
        } catch (UnsafeProgramException e) {
            spec.commandLine().getErr().println(program.name() + ": refused: " + e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
        return CommandLine.ExitCode.OK;
    }

    private Conditions conditions() {
        try {
            Parameter memory = new Parameter.Memory("memory", least, most, !readOnly);
            return new Conditions(ConformanceHelpers.ALL, List.of(memory, Parameter.LENGTH));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private void print(VerifiedProgram verified) {
        PrintWriter out = spec.commandLine().getOut();
        Program program = verified.program();
        out.println(program.name() + ": safe, " + verified.stackLength() + " bytes of stack, "
                + (verified.needsFuel() ? "needs fuel: a loop without a bound was found" : "all loops have a bound"));
        for (int index : verified.unreachable()) {
            out.println("never executed: " + program.instructions().get(index).slot() + ": "
                    + program.instructions().get(index));
        }
        out.flush();
    }
}
