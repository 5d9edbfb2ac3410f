// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.machine.Block;
import io.pipedevice.active.bpf.machine.FaultException;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Writes the bytecode by which one method of a program ends with a fault: an instruction has failed, or there is no
 * fuel.
 */
final class FaultWriter {
    private static final ClassDesc FAULT =
            FaultException.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc TO_FAULT;

    static {
        ClassDesc[] parameters = new ClassDesc[3 + Instruction.REGISTERS];
        Arrays.fill(parameters, ConstantDescs.CD_long);
        parameters[0] = ConstantDescs.CD_Exception;
        parameters[1] = ConstantDescs.CD_int;
        TO_FAULT = MethodTypeDesc.of(FAULT, parameters);
    }

    private final CodeBuilder code;
    private final ConstantLoader constants;

    /** The index of the first instruction of the method. */
    private final int first;

    /** Null if the program cannot stop. */
    private final StopWriter stops;

    /** Where it goes on for stretches that the fuel does not suffice for. */
    private final Map<Block, Label> exhausted = new LinkedHashMap<>();

    FaultWriter(CodeBuilder code, ConstantLoader constants, int first, StopWriter stops) {
        this.code = code;
        this.constants = constants;
        this.first = first;
        this.stops = stops;
    }

    /** Says which instruction follows, for a fault of it. */
    void at(int index) {
        code.loadConstant(index - first).istore(Registers.AT);
    }

    /** Takes the fuel of a stretch that follows. */
    void takeFuel(Block block) {
        Label stub = code.newLabel();
        exhausted.put(block, stub);
        code.lload(Registers.FUEL);
        constants.loadLong(code, block.length());
        code.lsub().dup2().lstore(Registers.FUEL).lconst_0().lcmp().iflt(stub);
    }

    /** Writes the end of the method, for instructions between two labels. */
    void write(Label start, Label end) {
        Label handler = code.newLabel();
        Label fault = code.newLabel();
        Label noFuel = code.newLabel();
        exhausted.forEach((block, label) -> {
            code.labelBinding(label);
            at(block.start());
            code.lload(Registers.FUEL);
            constants.loadLong(code, block.length());
            code.ladd().lstore(Registers.FUEL).goto_(noFuel);
        });
        code.labelBinding(noFuel);
        if (stops != null) {
            code.goto_(stops.paused());
        } else {
            code.aconst_null().goto_(fault);
        }
        code.labelBinding(handler);
        code.labelBinding(fault).astore(Registers.CAUSE);
        code.aload(Registers.STATE).aload(Registers.CAUSE).iload(Registers.AT);
        constants.loadInt(code, first);
        code.iadd().lload(Registers.FUEL);
        for (int i = 0; i < Instruction.REGISTERS; i++) {
            Registers.load(code, i);
        }
        code.invokevirtual(Registers.RUN_STATE, "fault", TO_FAULT).athrow();
        code.exceptionCatch(start, end, handler, ConstantDescs.CD_Exception);
    }
}
