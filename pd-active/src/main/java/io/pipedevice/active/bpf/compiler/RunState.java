// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.ProgramLayout;
import io.pipedevice.active.bpf.interpreter.Interpreter;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.Continuation;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.StackFrames;

/**
 * The values that the methods of a compiled program hand to each other. Registers are in local variables; they are here
 * where one part of a long function ends and the next one begins, at a fault, and r1 to r5 where a function ends.
 * Belongs to the thread that runs the program.
 */
final class RunState {
    /** The memory of the program. */
    final CheckedMemory memory;

    /** The stack of the program. */
    final StackFrames stack;

    /** How many instructions may still be executed. */
    long fuel;

    long r0;
    long r1;
    long r2;
    long r3;
    long r4;
    long r5;
    long r6;
    long r7;
    long r8;
    long r9;
    long r10;

    /**
     * Whether the run has stopped: each function returns to its caller, and leaves its registers in the continuation.
     */
    boolean hasStopped;

    /** The words of the continuation; null if the program cannot stop. */
    final long[] words;

    /** The index of r6 of a function that resumes. */
    int firstSaved;

    private final ProgramLayout program;

    /** Continues where the fuel does not suffice; null if the program can stop. */
    private final Interpreter interpreter;

    private final long granted;

    /** Where the run is when it has stopped; null if it cannot. */
    private final Continuation continuation;

    /** Where methods are entered, by the index of the next instruction. */
    private final int[] entries;

    /** Where methods are entered that wait for others, by the index of the instruction after the call. */
    private final int[] reentries;

    private boolean waits;

    /** How many functions have been entered, or are still to save their registers. */
    private int level;

    /** How the run ends, once an instruction has failed: callers of its function only pass it on. */
    private FaultException fault;

    RunState(ProgramLayout program, Interpreter interpreter, CheckedMemory memory, long granted) {
        this.program = program;
        this.interpreter = interpreter;
        this.memory = memory;
        stack = memory.stack();
        this.granted = granted;
        this.fuel = Math.max(0, granted);
        continuation = null;
        words = null;
        entries = null;
        reentries = null;
    }

    /** The state of runs that can stop, one after the other. */
    RunState(ProgramLayout program, Continuation continuation, CheckedMemory memory, int[] entries, int[] reentries) {
        this.program = program;
        this.memory = memory;
        stack = memory.stack();
        this.continuation = continuation;
        words = continuation.words();
        this.entries = entries;
        this.reentries = reentries;
        interpreter = null;
        granted = 0;
    }

    /** Begins a turn. */
    void begin(long newFuel) {
        fuel = newFuel;
        hasStopped = false;
        waits = false;
        level = 0;
        if (fault != null) {
            fault = null;
        }
    }

    /** Whether a run that has stopped waits for a helper. */
    boolean waits() {
        return waits;
    }

    /**
     * The next function, from the first one on, goes on. Its r0 to r5 are in the {@link #words}, which mean nothing if
     * it waits for another one, its r6 to r9 are from {@link #firstSaved} on, and r10 is here.
     *
     * @return its entry
     */
    int enter() {
        int depth = level++;
        r10 = stack.end(depth);
        if (depth < continuation.depth()) {
            firstSaved = Continuation.firstSaved(depth);
            return reentries[continuation.returnTo(depth)];
        }
        firstSaved = Continuation.REGISTERS + Continuation.FIRST_SAVED;
        return entries[continuation.position()];
    }

    /** As {@link #enter}, for a function of parts: all registers are here. */
    int enterParts() {
        int entry = enter();
        r0 = words[Continuation.REGISTERS];
        r1 = words[Continuation.REGISTERS + 1];
        r2 = words[Continuation.REGISTERS + 2];
        r3 = words[Continuation.REGISTERS + 3];
        r4 = words[Continuation.REGISTERS + 4];
        r5 = words[Continuation.REGISTERS + 5];
        r6 = words[firstSaved];
        r7 = words[firstSaved + 1];
        r8 = words[firstSaved + 2];
        r9 = words[firstSaved + 3];
        return entry;
    }

    /** Stops after a call of a helper that waits. */
    void waitAfter(int call, long s6, long s7, long s8, long s9) {
        memory.stopped();
        waits = true;
        stop(call + 1, s6, s7, s8, s9);
    }

    /** Stops before an instruction. */
    void pauseBefore(
            int index, long s0, long s1, long s2, long s3, long s4, long s5, long s6, long s7, long s8, long s9) {
        continuation.register(0, s0);
        continuation.register(1, s1);
        continuation.register(2, s2);
        continuation.register(3, s3);
        continuation.register(4, s4);
        continuation.register(5, s5);
        stop(index, s6, s7, s8, s9);
    }

    private void stop(int index, long s6, long s7, long s8, long s9) {
        continuation.register(6, s6);
        continuation.register(7, s7);
        continuation.register(8, s8);
        continuation.register(9, s9);
        level = stack.depth();
        continuation.stop(index, waits);
        hasStopped = true;
    }

    /** The function that waits for the one that has stopped stops, too: it makes its call again when it resumes. */
    void callAgain(int call, long s6, long s7, long s8, long s9) {
        continuation.call(--level, call + 1, s6, s7, s8, s9);
    }

    /**
     * Ends the run.
     *
     * @param cause why the instruction failed; null if the fuel does not suffice for the stretch that begins with it
     * @param index the index of the instruction
     * @param left how many instructions may still be executed
     * @return the fault to throw
     */
    FaultException fault(
            Exception cause,
            int index,
            long left,
            long s0,
            long s1,
            long s2,
            long s3,
            long s4,
            long s5,
            long s6,
            long s7,
            long s8,
            long s9,
            long s10) {
        if (fault == null) {
            long[] registers = {s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10};
            int slot = program.slot(index);
            fault = cause == null
                    ? interpreter.fault(memory, granted, index, left, registers)
                    : FaultException.at(cause, slot, registers);
        }
        return fault;
    }
}
