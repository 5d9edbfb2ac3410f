// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Ends a program that did something undefined, such as an access outside of its memory. It has no stack trace, because
 * a program can cause many.
 */
public final class FaultException extends Exception {
    private static final long serialVersionUID = 1;

    private static final int UNKNOWN = -1;

    private final String problem;
    private final int slot;
    private final long[] registers;

    /**
     * Creates a fault of a place that is not known yet, as memory and helpers do.
     *
     * @param problem the reason, without the instruction
     */
    public FaultException(String problem) {
        this(problem, UNKNOWN, new long[0]);
    }

    /**
     * Creates a fault.
     *
     * @param problem the reason, without the instruction
     * @param slot the {@linkplain io.pipedevice.active.bpf.Instruction#slot() position} of the instruction
     * @param registers the values of r0 to r10 before the instruction
     */
    public FaultException(String problem, int slot, long[] registers) {
        super(null, null, false, false);
        this.problem = problem;
        this.slot = slot;
        this.registers = registers.clone();
    }

    /**
     * The fault of an instruction that failed.
     *
     * @param cause a fault of a place that is not known, as memory and helpers throw it; or the failure of a helper, or
     *     of memory whose owner has closed it
     * @param slot the {@linkplain io.pipedevice.active.bpf.Instruction#slot() position} of the instruction
     * @param registers the values of r0 to r10 before the instruction
     * @return a fault that names them
     */
    public static FaultException at(Exception cause, int slot, long[] registers) {
        String problem = cause instanceof FaultException fault ? fault.problem : cause.toString();
        return new FaultException(problem, slot, registers);
    }

    /**
     * The fault of a program that has used up its fuel.
     *
     * @param fuel the number of instructions that were executed
     * @param slot the {@linkplain io.pipedevice.active.bpf.Instruction#slot() position} of the next instruction
     * @param registers the values of r0 to r10 before it
     * @return a fault that names them
     */
    public static FaultException outOfFuel(long fuel, int slot, long[] registers) {
        return new FaultException("the program has not ended after " + fuel + " instructions", slot, registers);
    }

    /**
     * The position of the instruction.
     *
     * @return its {@linkplain io.pipedevice.active.bpf.Instruction#slot() slot}, or -1 if it is not known
     */
    public int slot() {
        return slot;
    }

    /**
     * The registers before the instruction.
     *
     * @return r0 to r10; nothing if the instruction is not known
     */
    public long[] registers() {
        return registers.clone();
    }

    /** One line: the instruction, what is wrong, and the registers. */
    @Override
    public String getMessage() {
        if (slot == UNKNOWN) {
            return problem;
        }
        return "instruction " + slot + ": " + problem + " ("
                + IntStream.range(0, registers.length)
                        .mapToObj(i -> "r" + i + "=0x" + Long.toHexString(registers[i]))
                        .collect(Collectors.joining(" "))
                + ")";
    }
}
