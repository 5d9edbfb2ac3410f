// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.bpf;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.compiler.CompiledProgram;
import io.pipedevice.active.bpf.interpreter.Interpreter;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.ProgramRegion;
import io.pipedevice.active.bpf.machine.RunnableProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.HexFormat;
import java.util.List;

/** Runs programs with a limit of instructions. */
final class Run {
    private static final int FIELDS = 3;

    private final long fuel;
    private final boolean compiles;

    Run(long fuel, boolean compiles) {
        this.fuel = fuel;
        this.compiles = compiles;
    }

    /** The bytes of hexadecimal digits, between which there may be white space. */
    static byte[] bytes(String what, String text) throws InvalidProgramException {
        try {
            return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
        } catch (IllegalArgumentException e) {
            throw new InvalidProgramException(what + " is not a number of bytes in hexadecimal digits");
        }
    }

    /** Runs a program with its address and length in r1 and r2, and returns r0 as hexadecimal digits. */
    String result(Program program, byte[] bytes) throws InvalidProgramException, FaultException {
        RunnableProgram runnable = compiles
                ? new CompiledProgram(program, ConformanceHelpers.ALL)
                : new Interpreter(program, ConformanceHelpers.ALL);
        CheckedMemory memory = new CheckedMemory(program, List.of(ProgramRegion.ofBytes("memory", bytes)));
        long address = bytes.length == 0 ? 0 : memory.address(0);
        return Long.toHexString(runnable.run(memory, fuel, address, bytes.length));
    }

    /** Runs the program of each line, and prints its result in a line. */
    void batch(BufferedReader lines, PrintWriter out) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split("\t", -1);
            out.println(fields[0] + "\t" + resultOf(fields));
        }
    }

    private String resultOf(String[] fields) {
        if (fields.length != FIELDS) {
            return "error there are " + fields.length + " fields, not a name, memory and a program";
        }
        try {
            return result(Program.decode(fields[0], bytes("the program", fields[2])), bytes("the memory", fields[1]));
        } catch (InvalidProgramException | FaultException e) {
            return "error " + e.getMessage();
        }
    }
}
