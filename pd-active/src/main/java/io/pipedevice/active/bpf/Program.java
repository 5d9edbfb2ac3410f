// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A decoded program: its instructions, with jumps resolved to indexes, and the constants that it refers to. Execution
 * begins at the first instruction and reaches only instructions of the list. Functions do not overlap: a function is
 * entered by calls, its jumps stay in it, and it cannot run past its end. Immutable.
 */
public final class Program {
    /** The largest number of slots, each of 8 bytes. */
    public static final int MAX_SLOTS = 1 << 16;

    private final String name;
    private final List<Instruction> instructions;
    private final List<Integer> functions;
    private final List<MemorySegment> data;
    private final ProgramLayout layout;

    private Program(String name, List<Instruction> instructions, List<MemorySegment> data)
            throws InvalidProgramException {
        this.name = name;
        this.instructions = instructions;
        this.functions = FunctionSplitter.starts(instructions);
        this.data = data;
        this.layout = new ProgramLayout(instructions, data);
    }

    /**
     * Decodes a program without constants.
     *
     * @param name its name in messages
     * @param code its instructions, little-endian
     * @return the program
     * @throws InvalidProgramException if RFC 9669 does not define what an instruction does, a jump leads to no
     *     instruction or into another function, or the end of a function can be run past
     */
    public static Program decode(String name, byte[] code) throws InvalidProgramException {
        return decode(name, code, List.of());
    }

    /**
     * Decodes a program.
     *
     * @param name its name in messages
     * @param code its instructions, little-endian
     * @param data constants; {@link Operation#LOAD_DATA} refers to them by their index
     * @return the program
     * @throws InvalidProgramException if RFC 9669 does not define what an instruction does, a jump leads to no
     *     instruction or into another function, the end of a function can be run past, or there is no such constant
     */
    public static Program decode(String name, byte[] code, List<byte[]> data) throws InvalidProgramException {
        List<MemorySegment> segments = data.stream()
                .map(bytes -> MemorySegment.ofArray(bytes.clone()).asReadOnly())
                .toList();
        return new Program(name, new Decoder(code, segments).decode(), segments);
    }

    /**
     * The name of the program in messages.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * All instructions, in the order of the code.
     *
     * @return at least one
     */
    public List<Instruction> instructions() {
        return instructions;
    }

    /**
     * The length of the code.
     *
     * @return in slots of 8 bytes, 1 to {@link #MAX_SLOTS}
     */
    public int slots() {
        // The last instruction leaves the program, so it is no wide one.
        return instructions.getLast().slot() + 1;
    }

    /**
     * The constants of the program.
     *
     * @return read-only memory
     */
    public List<MemorySegment> data() {
        return data;
    }

    /**
     * The program without its instructions.
     *
     * @return refers to nothing else of this object
     */
    public ProgramLayout layout() {
        return layout;
    }

    /**
     * Where functions begin: the program itself, and what local calls lead to. Each ends where the next one begins.
     *
     * @return indexes of instructions, ascending, 0 first
     */
    public List<Integer> functions() {
        return functions;
    }

    /**
     * The program as llvm-objdump prints it, without the bytes.
     *
     * @return one line for each instruction
     */
    public Stream<String> disassembly() {
        return instructions.stream().map(each -> String.format(Locale.ROOT, "%8d:\t%s", each.slot(), each));
    }
}
