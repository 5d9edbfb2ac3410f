// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.interpreter;

import io.pipedevice.active.bpf.Arithmetic;
import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.machine.Atomics;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.Continuation;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.bpf.machine.StackFrames;
import java.util.Arrays;

/** Executes instructions from where a run is. Belongs to one thread. */
final class Execution {
    /** r6 to r10 and the return address. */
    private static final int SAVED = 6;

    private static final int FIRST_SAVED = 6;

    private final Instruction[] code;
    private final Helper[] called;
    private final Helpers helpers;
    private final CheckedMemory memory;
    private final long[] registers = new long[Instruction.REGISTERS];

    /**
     * The registers that local calls keep, one call after the other; null before the first, which many programs lack.
     */
    private long[] saved;

    private int depth;

    Execution(Instruction[] code, Helper[] called, Helpers helpers, CheckedMemory memory) {
        this.code = code;
        this.called = called;
        this.helpers = helpers;
        this.memory = memory;
    }

    /** r0 to r10. */
    long[] registers() {
        return registers;
    }

    /** Begins the program, and executes it to its end. */
    long run(long fuel, long r1, long r2) throws FaultException {
        registers[1] = r1;
        registers[2] = r2;
        registers[Instruction.FRAME_POINTER] = memory.stack().push();
        return run(0, fuel, fuel);
    }

    /** Executes the program to its end, with the last part of the fuel. */
    long run(int start, long rest, long fuel) throws FaultException {
        int at = start;
        try {
            for (long left = rest; left > 0; left--) {
                Instruction instruction = code[at];
                if (instruction.operation() == Operation.EXIT && depth == 0) {
                    return registers[0];
                }
                at = step(instruction, at);
            }
        } catch (FaultException | RuntimeException e) {
            throw FaultException.at(e, code[at].slot(), registers);
        }
        throw FaultException.outOfFuel(fuel, code[at].slot(), registers);
    }

    /** Executes some instructions. Returns the index of the next one; -1 if the program has ended. */
    int stretch(int start, int length) throws FaultException {
        int at = start;
        try {
            for (int i = 0; i < length; i++) {
                Instruction instruction = code[at];
                if (instruction.operation() == Operation.EXIT && depth == 0) {
                    return -1;
                }
                at = step(instruction, at);
            }
        } catch (FaultException | RuntimeException e) {
            throw FaultException.at(e, code[at].slot(), registers);
        }
        return at;
    }

    /** Takes over where a run is. */
    void load(Continuation where) {
        boolean begins = where.begins();
        for (int i = 0; i < Instruction.FRAME_POINTER; i++) {
            registers[i] = begins && i != 1 && i != 2 ? 0 : where.register(i);
        }
        depth = where.depth();
        registers[Instruction.FRAME_POINTER] = memory.stack().end(depth);
        for (int i = 0; i < depth; i++) {
            keep(i, where.returnTo(i), memory.stack().end(i));
            for (int j = Continuation.FIRST_SAVED; j <= Continuation.LAST_SAVED; j++) {
                saved[i * SAVED + j - FIRST_SAVED] = where.saved(i, j);
            }
        }
    }

    /** Leaves where the run is. */
    void save(Continuation where, int position, boolean waits) {
        for (int i = waits ? FIRST_SAVED : 0; i < Instruction.FRAME_POINTER; i++) {
            where.register(i, registers[i]);
        }
        for (int i = 0; i < depth; i++) {
            int at = i * SAVED;
            where.call(i, (int) saved[at + SAVED - 1], saved[at], saved[at + 1], saved[at + 2], saved[at + 3]);
        }
        where.stop(position, waits);
    }

    /** Executes one instruction, and returns the index of the next one. */
    private int step(Instruction it, int at) throws FaultException {
        long[] r = registers;
        long operand = it.usesSource() ? r[it.src()] : it.immediate();
        switch (it.operation().kind()) {
            case ARITHMETIC -> r[it.dst()] = Arithmetic.compute(it.operation(), it.width(), r[it.dst()], operand);
            case WIDE_LOAD -> r[it.dst()] = constant(it);
            case LOAD -> r[it.dst()] = load(it, operand + it.offset());
            case STORE -> memory.store(r[it.dst()] + it.offset(), it.length(), operand);
            case ATOMIC -> atomic(it);
            case JUMP -> {
                return it.target();
            }
            case BRANCH -> {
                return Arithmetic.test(it.operation(), it.width(), r[it.dst()], operand) ? it.target() : at + 1;
            }
            case CALL -> {
                return call(it, at);
            }
            case EXIT -> {
                return leave();
            }
        }
        return at + 1;
    }

    private long constant(Instruction it) {
        return it.operation() == Operation.LOAD_DATA
                ? memory.dataAddress((int) it.immediate()) + (it.immediate() >>> Integer.SIZE)
                : it.immediate();
    }

    private long load(Instruction it, long address) throws FaultException {
        long value = memory.load(address, it.length());
        if (it.operation() == Operation.LOAD) {
            return value;
        }
        int shift = Long.SIZE - it.width();
        return value << shift >> shift;
    }

    private void atomic(Instruction it) throws FaultException {
        long address = registers[it.dst()] + it.offset();
        long old = Atomics.update(memory, it.operation(), address, it.length(), registers[it.src()], registers[0]);
        if (it.written() >= 0) {
            registers[it.written()] = old;
        }
    }

    private int call(Instruction it, int at) throws FaultException {
        long[] r = registers;
        if (it.operation() == Operation.CALL_HELPER) {
            r[0] = called[at].function().call(memory, r[1], r[2], r[3], r[4], r[5]);
            if (called[at].mayWait()) {
                Arrays.fill(r, 1, 1 + Helper.MAX_ARGUMENTS, 0);
            }
            return at + 1;
        }
        if (it.operation() == Operation.CALL_REGISTER) {
            r[0] = helpers.call(r[it.dst()], memory, r[1], r[2], r[3], r[4], r[5]);
            return at + 1;
        }
        long frame = memory.stack().push();
        keep(depth++, at + 1, r[Instruction.FRAME_POINTER]);
        r[Instruction.FRAME_POINTER] = frame;
        return it.target();
    }

    private void keep(int level, int returnTo, long frame) {
        if (saved == null) {
            saved = new long[SAVED * StackFrames.MAX_FRAMES];
        }
        int top = level * SAVED;
        System.arraycopy(registers, FIRST_SAVED, saved, top, SAVED - 2);
        saved[top + SAVED - 2] = frame;
        saved[top + SAVED - 1] = returnTo;
    }

    private int leave() {
        memory.stack().pop();
        int top = --depth * SAVED;
        System.arraycopy(saved, top, registers, FIRST_SAVED, SAVED - 1);
        return (int) saved[top + SAVED - 1];
    }
}
