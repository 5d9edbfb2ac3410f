// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.machine.Continuation;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;

/** The local variables of the methods of compiled code. */
final class Registers {
    static final long LOW_32 = 0xffff_ffffL;

    /** The {@link RunState}. */
    static final int STATE = 0;

    /** r0; each register takes two variables. */
    private static final int FIRST = 1;

    /** How many instructions may still be executed. */
    static final int FUEL = FIRST + 2 * Instruction.REGISTERS;

    /** The current instruction, from the first one of the method; known only where one can fail. */
    static final int AT = FUEL + 2;

    /** The memory of the program. */
    static final int MEMORY = AT + 1;

    /** The words of the stack frame, where a method uses them. */
    static final int FRAME = MEMORY + 1;

    /** Which part of a long function is next. */
    static final int NEXT = FRAME + 1;

    /** The exception that an instruction threw. */
    static final int CAUSE = NEXT + 1;

    static final ClassDesc RUN_STATE = RunState.class.describeConstable().orElseThrow();

    private static final ClassDesc LONGS = ConstantDescs.CD_long.arrayType();

    private Registers() {}

    static int variable(int register) {
        return FIRST + 2 * register;
    }

    static void load(CodeBuilder code, int register) {
        code.lload(variable(register));
    }

    /** Loads the low half. */
    static void loadInt(CodeBuilder code, int register) {
        code.lload(variable(register)).l2i();
    }

    static void store(CodeBuilder code, int register) {
        code.lstore(variable(register));
    }

    /** Stores a result of 32 bits, zero-extended. */
    static void storeInt(CodeBuilder code, int register) {
        code.i2l().loadConstant(LOW_32).land().lstore(variable(register));
    }

    /** Copies registers to the state. */
    static void save(CodeBuilder code, int first, int last) {
        for (int i = first; i <= last; i++) {
            code.aload(STATE).lload(variable(i)).putfield(RUN_STATE, "r" + i, ConstantDescs.CD_long);
        }
    }

    /** Copies registers from the state. */
    static void restore(CodeBuilder code, int first, int last) {
        for (int i = first; i <= last; i++) {
            code.aload(STATE)
                    .getfield(RUN_STATE, "r" + i, ConstantDescs.CD_long)
                    .lstore(variable(i));
        }
    }

    /** Takes over the registers of a function that resumes. */
    static void enter(CodeBuilder code) {
        code.aload(STATE).getfield(RUN_STATE, "words", LONGS).astore(CAUSE);
        for (int i = 0; i < Continuation.FIRST_SAVED; i++) {
            code.aload(CAUSE).bipush(Continuation.REGISTERS + i).laload().lstore(variable(i));
        }
        code.aload(STATE)
                .getfield(RUN_STATE, "firstSaved", ConstantDescs.CD_int)
                .istore(AT);
        for (int i = Continuation.FIRST_SAVED; i <= Continuation.LAST_SAVED; i++) {
            code.aload(CAUSE).iload(AT).laload().lstore(variable(i)).iinc(AT, 1);
        }
        restore(code, Instruction.FRAME_POINTER, Instruction.FRAME_POINTER);
    }

    static void saveFuel(CodeBuilder code) {
        code.aload(STATE).lload(FUEL).putfield(RUN_STATE, "fuel", ConstantDescs.CD_long);
    }

    static void restoreFuel(CodeBuilder code) {
        code.aload(STATE).getfield(RUN_STATE, "fuel", ConstantDescs.CD_long).lstore(FUEL);
    }
}
