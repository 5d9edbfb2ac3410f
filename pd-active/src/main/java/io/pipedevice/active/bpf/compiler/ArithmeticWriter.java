// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/** Writes the bytecode of arithmetic in registers. */
final class ArithmeticWriter {
    private static final ClassDesc DIVISION = Division.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc LONGS =
            MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_long, ConstantDescs.CD_long);
    private static final MethodTypeDesc INTS =
            MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int, ConstantDescs.CD_int);
    private static final MethodTypeDesc OF_LONG = MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_long);

    private final CodeBuilder code;
    private final ConstantLoader constants;

    ArithmeticWriter(CodeBuilder code, ConstantLoader constants) {
        this.code = code;
        this.constants = constants;
    }

    void write(Instruction it) {
        switch (it.operation()) {
            case LE, BE, BSWAP -> swapBytes(it);
            default -> {
                if (it.width() == Long.SIZE) {
                    write64(it);
                } else {
                    write32(it);
                }
            }
        }
    }

    private void swapBytes(Instruction it) {
        Registers.load(code, it.dst());
        if (it.operation() != Operation.LE) {
            code.invokestatic(ConstantDescs.CD_Long, "reverseBytes", OF_LONG);
            if (it.width() < Long.SIZE) {
                code.bipush(Long.SIZE - it.width()).lushr();
            }
        } else if (it.width() < Long.SIZE) {
            code.loadConstant((1L << it.width()) - 1).land();
        }
        Registers.store(code, it.dst());
    }

    private void write64(Instruction it) {
        switch (it.operation()) {
            case MOV -> operand64(it);
            case MOVSX8 -> {
                operand32(it);
                code.i2b().i2l();
            }
            case MOVSX16 -> {
                operand32(it);
                code.i2s().i2l();
            }
            case MOVSX32 -> {
                operand32(it);
                code.i2l();
            }
            case NEG -> {
                Registers.load(code, it.dst());
                code.lneg();
            }
            case LSH, RSH, ARSH -> {
                Registers.load(code, it.dst());
                operand32(it);
                shift64(it.operation());
            }
            default -> {
                Registers.load(code, it.dst());
                operand64(it);
                binary64(it.operation());
            }
        }
        Registers.store(code, it.dst());
    }

    private void shift64(Operation operation) {
        switch (operation) {
            case LSH -> code.lshl();
            case RSH -> code.lushr();
            default -> code.lshr();
        }
    }

    private void binary64(Operation operation) {
        switch (operation) {
            case ADD -> code.ladd();
            case SUB -> code.lsub();
            case MUL -> code.lmul();
            case OR -> code.lor();
            case AND -> code.land();
            case XOR -> code.lxor();
            default -> code.invokestatic(DIVISION, division(operation), LONGS);
        }
    }

    private void write32(Instruction it) {
        switch (it.operation()) {
            case MOV -> operand32(it);
            case MOVSX8 -> {
                operand32(it);
                code.i2b();
            }
            case MOVSX16 -> {
                operand32(it);
                code.i2s();
            }
            case NEG -> {
                Registers.loadInt(code, it.dst());
                code.ineg();
            }
            default -> {
                Registers.loadInt(code, it.dst());
                operand32(it);
                binary32(it.operation());
            }
        }
        Registers.storeInt(code, it.dst());
    }

    private void binary32(Operation operation) {
        switch (operation) {
            case ADD -> code.iadd();
            case SUB -> code.isub();
            case MUL -> code.imul();
            case OR -> code.ior();
            case AND -> code.iand();
            case XOR -> code.ixor();
            case LSH -> code.ishl();
            case RSH -> code.iushr();
            case ARSH -> code.ishr();
            default -> code.invokestatic(DIVISION, division(operation), INTS);
        }
    }

    private static String division(Operation operation) {
        return switch (operation) {
            case DIV -> "unsignedQuotient";
            case SDIV -> "quotient";
            case MOD -> "unsignedRemainder";
            case SMOD -> "remainder";
            default -> throw new IllegalArgumentException(operation.toString());
        };
    }

    /** Loads the second operand of arithmetic, of a branch or of a store. */
    void operand64(Instruction it) {
        if (it.usesSource()) {
            Registers.load(code, it.src());
        } else {
            constants.loadLong(code, it.immediate());
        }
    }

    /** Loads the low half of the second operand. */
    void operand32(Instruction it) {
        if (it.usesSource()) {
            Registers.loadInt(code, it.src());
        } else {
            constants.loadInt(code, (int) it.immediate());
        }
    }
}
