// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/** Writes the bytecode of conditional jumps. */
final class BranchWriter {
    private static final MethodTypeDesc LONGS =
            MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_long, ConstantDescs.CD_long);
    private static final MethodTypeDesc INTS =
            MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int, ConstantDescs.CD_int);

    private final CodeBuilder code;
    private final ArithmeticWriter operands;

    BranchWriter(CodeBuilder code, ArithmeticWriter operands) {
        this.code = code;
        this.operands = operands;
    }

    void write(Instruction it, Label taken) {
        boolean wide = it.width() == Long.SIZE;
        if (wide) {
            Registers.load(code, it.dst());
            operands.operand64(it);
        } else {
            Registers.loadInt(code, it.dst());
            operands.operand32(it);
        }
        if (it.operation() == Operation.JSET) {
            bits(wide, taken);
        } else if (isUnsigned(it.operation())) {
            ClassDesc owner = wide ? ConstantDescs.CD_Long : ConstantDescs.CD_Integer;
            code.invokestatic(owner, "compareUnsigned", wide ? LONGS : INTS);
            compareWithZero(it.operation(), taken);
        } else if (wide) {
            code.lcmp();
            compareWithZero(it.operation(), taken);
        } else {
            compareInts(it.operation(), taken);
        }
    }

    private void bits(boolean wide, Label taken) {
        if (wide) {
            code.land().lconst_0().lcmp().ifne(taken);
        } else {
            code.iand().ifne(taken);
        }
    }

    private static boolean isUnsigned(Operation operation) {
        return switch (operation) {
            case JGT, JGE, JLT, JLE -> true;
            default -> false;
        };
    }

    private void compareWithZero(Operation operation, Label taken) {
        switch (operation) {
            case JEQ -> code.ifeq(taken);
            case JNE -> code.ifne(taken);
            case JGT, JSGT -> code.ifgt(taken);
            case JGE, JSGE -> code.ifge(taken);
            case JLT, JSLT -> code.iflt(taken);
            case JLE, JSLE -> code.ifle(taken);
            default -> throw new IllegalArgumentException(operation.toString());
        }
    }

    private void compareInts(Operation operation, Label taken) {
        switch (operation) {
            case JEQ -> code.if_icmpeq(taken);
            case JNE -> code.if_icmpne(taken);
            case JSGT -> code.if_icmpgt(taken);
            case JSGE -> code.if_icmpge(taken);
            case JSLT -> code.if_icmplt(taken);
            case JSLE -> code.if_icmple(taken);
            default -> throw new IllegalArgumentException(operation.toString());
        }
    }
}
