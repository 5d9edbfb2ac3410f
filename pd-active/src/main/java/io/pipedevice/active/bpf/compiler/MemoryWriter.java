// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.machine.Atomics;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.FirstRegion;
import io.pipedevice.active.bpf.machine.StackFrames;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/**
 * Writes the bytecode of accesses to memory: to a word of the frame where the place is known, else through
 * {@link CheckedMemory}, which checks the address.
 */
final class MemoryWriter {
    static final ClassDesc MEMORY = CheckedMemory.class.describeConstable().orElseThrow();

    /** The type of the stack of a run. */
    static final ClassDesc STACK = StackFrames.class.describeConstable().orElseThrow();

    private static final ClassDesc FIRST_REGION =
            FirstRegion.class.describeConstable().orElseThrow();
    private static final ClassDesc FRAME_WORDS =
            FrameWords.class.describeConstable().orElseThrow();
    private static final ClassDesc ATOMICS = Atomics.class.describeConstable().orElseThrow();
    private static final ClassDesc OPERATION =
            Operation.class.describeConstable().orElseThrow();
    private static final ClassDesc LONGS = ConstantDescs.CD_long.arrayType();

    private static final MethodTypeDesc LOAD =
            MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_long, ConstantDescs.CD_int);
    private static final MethodTypeDesc STORE = MethodTypeDesc.of(
            ConstantDescs.CD_void, ConstantDescs.CD_long, ConstantDescs.CD_int, ConstantDescs.CD_long);
    private static final MethodTypeDesc FIRST_LOAD =
            MethodTypeDesc.of(ConstantDescs.CD_long, MEMORY, ConstantDescs.CD_int, ConstantDescs.CD_int);
    private static final MethodTypeDesc FIRST_STORE = MethodTypeDesc.of(
            ConstantDescs.CD_void, MEMORY, ConstantDescs.CD_int, ConstantDescs.CD_int, ConstantDescs.CD_long);
    private static final MethodTypeDesc PERHAPS_FIRST_LOAD = LOAD.insertParameterTypes(0, MEMORY);
    private static final MethodTypeDesc PERHAPS_FIRST_STORE = STORE.insertParameterTypes(0, MEMORY);
    private static final MethodTypeDesc FRAME_LOAD =
            MethodTypeDesc.of(ConstantDescs.CD_long, LONGS, ConstantDescs.CD_int, ConstantDescs.CD_int);
    private static final MethodTypeDesc FRAME_STORE = MethodTypeDesc.of(
            ConstantDescs.CD_void, LONGS, ConstantDescs.CD_int, ConstantDescs.CD_int, ConstantDescs.CD_long);
    private static final MethodTypeDesc UPDATE = MethodTypeDesc.of(
            ConstantDescs.CD_long,
            MEMORY,
            OPERATION,
            ConstantDescs.CD_long,
            ConstantDescs.CD_int,
            ConstantDescs.CD_long,
            ConstantDescs.CD_long);
    private static final MethodTypeDesc OF_INT = MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_int);
    private static final MethodTypeDesc TO_STACK = MethodTypeDesc.of(STACK);
    private static final MethodTypeDesc CURRENT_FRAME = MethodTypeDesc.of(LONGS);
    private static final MethodTypeDesc FRAME_BEFORE = MethodTypeDesc.of(LONGS, ConstantDescs.CD_long);

    private final CodeBuilder code;
    private final ConstantLoader constants;
    private final Places places;
    private final ArithmeticWriter operands;

    MemoryWriter(CodeBuilder code, ProgramPlan program, ArithmeticWriter operands) {
        this.code = code;
        this.constants = program.constants();
        this.places = program.places();
        this.operands = operands;
    }

    /** Loads the stack of the run, a {@link StackFrames}. */
    static void loadStack(CodeBuilder code) {
        code.aload(Registers.MEMORY).invokevirtual(MEMORY, "stack", TO_STACK);
    }

    /** Makes the words of the frame of r10 a local variable, which may not be the current one. */
    void loadFrame(boolean mayBeOther) {
        loadStack(code);
        if (mayBeOther) {
            Registers.load(code, Instruction.FRAME_POINTER);
            code.invokevirtual(STACK, "frameBefore", FRAME_BEFORE);
        } else {
            code.invokevirtual(STACK, "current", CURRENT_FRAME);
        }
        code.astore(Registers.FRAME);
    }

    /** Writes a load; the offset in the frame can be {@link FrameOffsets#UNKNOWN}. */
    void load(Instruction it, int index, int inFrame) {
        int inFirst = places.offset(index);
        if (inFrame != FrameOffsets.UNKNOWN) {
            code.aload(Registers.FRAME).loadConstant(inFrame).loadConstant(it.length());
            code.invokestatic(FRAME_WORDS, "load", FRAME_LOAD);
        } else if (inFirst != FrameOffsets.UNKNOWN) {
            code.aload(Registers.MEMORY);
            constants.loadInt(code, inFirst);
            code.loadConstant(it.length()).invokestatic(FIRST_REGION, "load", FIRST_LOAD);
        } else {
            code.aload(Registers.MEMORY);
            address(it, it.src());
            code.loadConstant(it.length());
            if (places.isFirst(index)) {
                code.invokestatic(FIRST_REGION, "loadPerhaps", PERHAPS_FIRST_LOAD);
            } else {
                code.invokevirtual(MEMORY, "load", LOAD);
            }
        }
        if (it.operation() == Operation.LOAD_SIGNED) {
            code.l2i();
            switch (it.width()) {
                case Byte.SIZE -> code.i2b();
                case Short.SIZE -> code.i2s();
                default -> {}
            }
            code.i2l();
        }
        Registers.store(code, it.dst());
    }

    /** Writes a store; the offset in the frame can be {@link FrameOffsets#UNKNOWN}. */
    void store(Instruction it, int index, int inFrame) {
        int inFirst = places.offset(index);
        if (inFrame != FrameOffsets.UNKNOWN) {
            code.aload(Registers.FRAME).loadConstant(inFrame).loadConstant(it.length());
            operands.operand64(it);
            code.invokestatic(FRAME_WORDS, "store", FRAME_STORE);
        } else if (inFirst != FrameOffsets.UNKNOWN) {
            code.aload(Registers.MEMORY);
            constants.loadInt(code, inFirst);
            code.loadConstant(it.length());
            operands.operand64(it);
            code.invokestatic(FIRST_REGION, "store", FIRST_STORE);
        } else {
            code.aload(Registers.MEMORY);
            address(it, it.dst());
            code.loadConstant(it.length());
            operands.operand64(it);
            if (places.isFirst(index)) {
                code.invokestatic(FIRST_REGION, "storePerhaps", PERHAPS_FIRST_STORE);
            } else {
                code.invokevirtual(MEMORY, "store", STORE);
            }
        }
    }

    void atomic(Instruction it) {
        code.aload(Registers.MEMORY).getstatic(OPERATION, it.operation().name(), OPERATION);
        address(it, it.dst());
        code.loadConstant(it.length());
        Registers.load(code, it.src());
        Registers.load(code, 0);
        code.invokestatic(ATOMICS, "update", UPDATE);
        if (it.written() < 0) {
            code.pop2();
        } else {
            Registers.store(code, it.written());
        }
    }

    /**
     * Writes a wide load: a constant, or the address of constants of the program, which depends on the memory of the
     * run.
     */
    void constant(Instruction it) {
        if (it.operation() == Operation.LOAD_DATA) {
            code.aload(Registers.MEMORY);
            constants.loadInt(code, (int) it.immediate());
            code.invokevirtual(MEMORY, "dataAddress", OF_INT);
            constants.loadLong(code, it.immediate() >>> Integer.SIZE);
            code.ladd();
        } else {
            constants.loadLong(code, it.immediate());
        }
        Registers.store(code, it.dst());
    }

    private void address(Instruction it, int base) {
        Registers.load(code, base);
        if (it.offset() != 0) {
            constants.loadLong(code, it.offset());
            code.ladd();
        }
    }
}
