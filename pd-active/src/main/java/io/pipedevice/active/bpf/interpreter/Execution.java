// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.interpreter;

import io.pipedevice.active.bpf.Arithmetic;
import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.machine.Atomics;
import io.pipedevice.active.bpf.machine.Continuation;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.Helpers;
import io.pipedevice.active.bpf.machine.Memory;
import java.util.Arrays;

/** Executes instructions from where a run is. Belongs to one thread. */
final class Execution {
    private final Instruction[] code;
    private final Helper[] called;
    private final Helpers helpers;
    private final Memory memory;
    private final Continuation where;
    private final long[] registers;

    Execution(Instruction[] code, Helper[] called, Helpers helpers, Memory memory) {
        this.code = code;
        this.called = called;
        this.helpers = helpers;
        this.memory = memory;
        where = new Continuation(memory);
        registers = where.registers();
    }

    /** Where the run is. */
    Continuation where() {
        return where;
    }

    /** Begins the program, and executes it to its end. */
    long run(long fuel, long r1, long r2) throws FaultException {
        where.begin(r1, r2);
        return run(0, fuel, fuel);
    }

    /** Executes the program to its end, with the last part of the fuel. */
    long run(int start, long rest, long fuel) throws FaultException {
        int at = start;
        try {
            for (long left = rest; left > 0; left--) {
                Instruction instruction = code[at];
                if (instruction.operation() == Operation.EXIT && where.depth() == 0) {
                    return registers[0];
                }
                at = step(instruction, at);
            }
        } catch (FaultException | RuntimeException e) {
            throw FaultException.at(e, code[at].slot(), registers);
        }
        throw FaultException.outOfFuel(fuel, code[at].slot(), registers);
    }

    /** Executes a stretch, and stops after it. Returns false if it was the end of the program. */
    boolean stretch(int length) throws FaultException {
        int at = where.position();
        try {
            for (int i = 0; i < length; i++) {
                Instruction instruction = code[at];
                if (instruction.operation() == Operation.EXIT && where.depth() == 0) {
                    return false;
                }
                at = step(instruction, at);
            }
        } catch (FaultException | RuntimeException e) {
            throw FaultException.at(e, code[at].slot(), registers);
        }
        where.stop(at, where.depth());
        return true;
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
                return where.leave();
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
        where.call(at + 1);
        return it.target();
    }
}
