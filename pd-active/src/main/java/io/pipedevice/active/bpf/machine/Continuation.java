// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import io.pipedevice.active.bpf.Instruction;
import java.util.Arrays;

/**
 * Where a run is: the registers and the next instruction, and the same of the functions that wait for the one that runs. The
 * stack frames are in the {@link Memory}. Belongs to the thread of the run.
 */
public final class Continuation {
    /** The first register that calls leave alone. */
    public static final int FIRST_SAVED = 6;

    /** The number of registers that calls leave alone, except r10. */
    public static final int SAVED = 4;

    /** The last register that calls leave alone, except r10. */
    public static final int LAST_SAVED = FIRST_SAVED + SAVED - 1;

    private final Memory memory;
    private final long[] registers = new long[Instruction.REGISTERS];
    private int position;
    private int depth;
    private boolean begins;

    /** By the depth of a function that waits; null before the first call, which many programs do not have. */
    private long[] saved;

    private int[] returns;

    /**
     * Creates one that is nowhere.
     *
     * @param memory the memory of the run
     */
    public Continuation(Memory memory) {
        this.memory = memory;
    }

    /**
     * Moves to the beginning of a program, with all registers 0, except r10, and those of its arguments.
     *
     * @param r1 the first argument of the program
     * @param r2 the second argument of the program
     * @throws FaultException never
     */
    public void begin(long r1, long r2) throws FaultException {
        restore(0, 0);
        registers[1] = r1;
        registers[2] = r2;
        begins = true;
    }

    /**
     * Moves to an instruction, with all registers 0, except r10, and as many empty stack frames as are needed.
     *
     * @param newPosition the index of the next instruction
     * @param newDepth how many functions wait, whose registers are set by {@link #waits}
     * @throws FaultException if there are not so many frames
     */
    public void restore(int newPosition, int newDepth) throws FaultException {
        memory.reset();
        for (int i = 0; i <= newDepth; i++) {
            memory.pushFrame();
        }
        Arrays.fill(registers, 0);
        stop(newPosition, newDepth);
    }

    /**
     * Says where the run has stopped. The other registers and the functions that wait are set by others.
     *
     * @param newPosition the index of the next instruction
     * @param newDepth how many functions wait
     */
    public void stop(int newPosition, int newDepth) {
        position = newPosition;
        depth = newDepth;
        begins = false;
        registers[Instruction.FRAME_POINTER] = memory.frameEnd(newDepth);
    }

    /**
     * Says where a function waits for one that it has called.
     *
     * @param level the number of functions that wait for this one
     * @param returnTo the index of the instruction after the call
     * @param r6 its register
     * @param r7 its register
     * @param r8 its register
     * @param r9 its register
     */
    public void waits(int level, int returnTo, long r6, long r7, long r8, long r9) {
        if (saved == null) {
            saved = new long[SAVED * Memory.MAX_FRAMES];
            returns = new int[Memory.MAX_FRAMES];
        }
        returns[level] = returnTo;
        saved[level * SAVED] = r6;
        saved[level * SAVED + 1] = r7;
        saved[level * SAVED + 2] = r8;
        saved[level * SAVED + 3] = r9;
    }

    /**
     * Calls a function: the one that runs waits for it.
     *
     * @param returnTo the index of the instruction after the call
     * @throws FaultException if there is no stack frame left
     */
    public void call(int returnTo) throws FaultException {
        long frame = memory.pushFrame();
        waits(depth++, returnTo, registers[6], registers[7], registers[8], registers[9]);
        registers[Instruction.FRAME_POINTER] = frame;
    }

    /**
     * Returns to the function that waits.
     *
     * @return the index of the instruction after its call
     */
    public int leave() {
        memory.popFrame();
        depth--;
        System.arraycopy(saved, depth * SAVED, registers, FIRST_SAVED, SAVED);
        registers[Instruction.FRAME_POINTER] = memory.frameEnd(depth);
        return returns[depth];
    }

    /**
     * The registers of the function that runs.
     *
     * @return r0 to r10, to be read and changed
     */
    public long[] registers() {
        return registers;
    }

    /**
     * The next instruction.
     *
     * @return its index
     */
    public int position() {
        return position;
    }

    /**
     * The number of functions that wait for the one that runs.
     *
     * @return 0 in the first function
     */
    public int depth() {
        return depth;
    }

    /**
     * Whether the program has not begun.
     *
     * @return true until the run has stopped somewhere
     */
    public boolean begins() {
        return begins;
    }

    /**
     * Where a function goes on that waits.
     *
     * @param level the number of functions that wait for it
     * @return the index of the instruction after its call
     */
    public int returnTo(int level) {
        return returns[level];
    }

    /**
     * A register of a function that waits.
     *
     * @param level the number of functions that wait for it
     * @param register 6 to 9
     * @return its value
     */
    public long saved(int level, int register) {
        return saved[level * SAVED + register - FIRST_SAVED];
    }
}
