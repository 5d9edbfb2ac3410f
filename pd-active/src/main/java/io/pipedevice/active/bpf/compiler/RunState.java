// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.interpreter.Interpreter;
import io.pipedevice.active.bpf.machine.Continuation;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Memory;

/**
 * What the methods of a compiled program hand to each other. Registers are in local variables; they are here where one part
 * of a long function ends and the next one begins, at a fault, and r1 to r5 where a function ends. Belongs to the thread that
 * runs the program.
 */
final class RunState {
    /** The memory of the program. */
    final Memory memory;

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

    /** Whether the run has stopped: each function returns to its caller, and leaves its registers in the continuation. */
    boolean hasStopped;

    private final Program program;

    /** What goes on where the fuel does not suffice; null if the program can stop. */
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

    RunState(Program program, Interpreter interpreter, Memory memory, long granted) {
        this.program = program;
        this.interpreter = interpreter;
        this.memory = memory;
        this.granted = granted;
        this.fuel = Math.max(0, granted);
        continuation = null;
        entries = null;
        reentries = null;
    }

    /** The state of runs that can stop, one after the other. */
    RunState(Program program, Continuation continuation, Memory memory, int[] entries, int[] reentries) {
        this.program = program;
        this.memory = memory;
        this.continuation = continuation;
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
        fault = null;
        level = 0;
    }

    /** Whether a run that has stopped waits for a helper. */
    boolean waits() {
        return waits;
    }

    /** The next function, from the first one on, that goes on: gives it its registers, and returns its entry. */
    int enter() {
        int depth = level++;
        r10 = memory.frameEnd(depth);
        if (depth < continuation.depth()) {
            r6 = continuation.saved(depth, 6);
            r7 = continuation.saved(depth, 7);
            r8 = continuation.saved(depth, 8);
            r9 = continuation.saved(depth, 9);
            return reentries[continuation.returnTo(depth)];
        }
        long[] r = continuation.registers();
        r0 = r[0];
        r1 = r[1];
        r2 = r[2];
        r3 = r[3];
        r4 = r[4];
        r5 = r[5];
        r6 = r[6];
        r7 = r[7];
        r8 = r[8];
        r9 = r[9];
        return entries[continuation.position()];
    }

    /** Stops after a call of a helper that waits. */
    void waitAfter(int call, long s6, long s7, long s8, long s9) {
        memory.stopped();
        waits = true;
        pauseBefore(call + 1, 0, 0, 0, 0, 0, 0, s6, s7, s8, s9);
    }

    /** Stops before an instruction. */
    void pauseBefore(
            int index, long s0, long s1, long s2, long s3, long s4, long s5, long s6, long s7, long s8, long s9) {
        long[] r = continuation.registers();
        r[0] = s0;
        r[1] = s1;
        r[2] = s2;
        r[3] = s3;
        r[4] = s4;
        r[5] = s5;
        r[6] = s6;
        r[7] = s7;
        r[8] = s8;
        r[9] = s9;
        level = memory.depth();
        continuation.stop(index, level);
        hasStopped = true;
    }

    /** The function that waits for the one that has stopped stops, too: it makes its call again when it goes on. */
    void callAgain(int call, long s6, long s7, long s8, long s9) {
        continuation.waits(--level, call + 1, s6, s7, s8, s9);
    }

    /**
     * Ends the run, with the registers that are here.
     *
     * @param cause why the instruction failed; null if the fuel does not suffice for the stretch that begins with it
     * @param index the index of the instruction
     * @param left how many instructions may still be executed
     * @return the fault to throw
     */
    FaultException fault(Exception cause, int index, long left) {
        if (fault == null) {
            long[] registers = {r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10};
            int slot = program.instructions().get(index).slot();
            fault = cause == null
                    ? interpreter.fault(memory, granted, index, left, registers)
                    : FaultException.at(cause, slot, registers);
        }
        return fault;
    }
}
