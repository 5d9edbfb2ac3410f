// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.bpf;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.elf.ObjectFile;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.jdk.Jdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
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

/** Runs a program, and prints its result. */
@Command(
        name = "run",
        description = "Run a program, which need not be verified, and print r0 at its end as hexadecimal digits.",
        customSynopsis = {
            "pipedevice bpf run FILE [MEMORY] [--section NAME | --function NAME]",
            "       pipedevice bpf run --hex [MEMORY] [--elf]",
            "       pipedevice bpf run --batch",
            "Each also takes [--compiled] [--fuel N]."
        },
        footer = {
            "",
            "The program gets the address of the memory in r1 and its length in r2,",
            "both 0 without memory. It may call the helpers of the plugins of",
            "bpf_conformance, whose protocol --hex is: 0 gather_bytes, 1 memfrob,",
            "2 no_op, 3 sqrti, 4 strcmp_ext, 5 unwind."
        })
final class BpfRunCommand implements Callable<Integer> {
    /** The largest object file, two digits and a space for each byte. */
    private static final int MAX_TEXT = 3 << 24;

    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..2",
            paramLabel = "FILE MEMORY",
            description = "The object file, of clang -target bpf -O2 -c; and the bytes of the memory, hexadecimal.")
    private List<String> words = List.of();

    @ArgGroup
    private Entry entry = new Entry();

    @ArgGroup
    private Input input = new Input();

    /** The content of the standard input. */
    private static final class Input {
        @Option(
                names = "--hex",
                description = "Read the instructions of the program from standard input, as hexadecimal digits.")
        private boolean hex;

        @Option(
                names = "--batch",
                description = "Read lines of a name, memory and a program, both as hexadecimal digits, separated by"
                        + " tabs; print the name and r0, or 'error' and a text, for each.")
        private boolean batch;
    }

    @Option(names = "--elf", description = "With --hex: the digits are those of an object file.")
    private boolean elf;

    @Option(names = "--compiled", description = "Compile the program, instead of interpreting it.")
    private boolean compiled;

    @Option(
            names = "--fuel",
            paramLabel = "N",
            defaultValue = "100000000",
            description = "The largest number of instructions of a run (default: ${DEFAULT-VALUE}).")
    private long fuel;

    @Override
    public Integer call() throws IOException, InvalidProgramException, FaultException {
        int files = input.hex || input.batch ? 0 : 1;
        int most = input.batch ? 0 : files + 1;
        if (words.size() < files || words.size() > most) {
            throw misuse("a file and memory, memory with --hex, or --batch alone is needed");
        }
        if (elf && !input.hex) {
            throw misuse("--elf needs --hex");
        }
        if (entry.isChosen() && files == 0 && !elf) {
            throw misuse("--section and --function choose a function of an object file");
        }
        if (compiled && !Jdk.HAS_CLASS_FILES) {
            throw misuse("--compiled needs Java 24 or later");
        }
        PrintWriter out = spec.commandLine().getOut();
        Run run = new Run(fuel, compiled);
        if (input.batch) {
            run.batch(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)), out);
        } else {
            byte[] memory = Run.bytes("the memory", words.size() > files ? words.get(files) : "");
            Program program = input.hex ? fromInput() : entry.of(ObjectFile.read(Path.of(words.getFirst())));
            out.println(run.result(program, memory));
        }
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    private Program fromInput() throws IOException, InvalidProgramException {
        String text = new String(System.in.readNBytes(MAX_TEXT), StandardCharsets.US_ASCII);
        byte[] bytes = Run.bytes("the program", text);
        return elf ? entry.of(ObjectFile.of(bytes)) : Program.decode("standard input", bytes);
    }

    private ParameterException misuse(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
