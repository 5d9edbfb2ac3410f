// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.Helpers;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Arrays;

/** Writes the bytecode of calls. */
final class CallWriter {
    /** The class that is written. */
    static final ClassDesc SELF = ClassDesc.of(CallWriter.class.getPackageName(), "CompiledFunctions");

    /** The type of the method of a function: the state, and r0 to r10; it returns r0. */
    static final MethodTypeDesc FUNCTION;

    /** The type of the method that resumes a function that has stopped. */
    static final MethodTypeDesc RESUMED = MethodTypeDesc.of(ConstantDescs.CD_long, Registers.RUN_STATE);

    private static final ClassDesc HELPER =
            Helper.Function.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc CALL = MethodTypeDesc.of(
            ConstantDescs.CD_long,
            MemoryWriter.MEMORY,
            ConstantDescs.CD_long,
            ConstantDescs.CD_long,
            ConstantDescs.CD_long,
            ConstantDescs.CD_long,
            ConstantDescs.CD_long);
    private static final ClassDesc HELPERS = Helpers.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc CALL_BY_NUMBER = CALL.insertParameterTypes(0, ConstantDescs.CD_long);
    private static final MethodTypeDesc PUSH = MethodTypeDesc.of(ConstantDescs.CD_long);

    static {
        ClassDesc[] parameters = new ClassDesc[1 + Instruction.REGISTERS];
        Arrays.fill(parameters, ConstantDescs.CD_long);
        parameters[0] = Registers.RUN_STATE;
        FUNCTION = MethodTypeDesc.of(ConstantDescs.CD_long, parameters);
    }

    private final CodeBuilder code;
    private final ProgramPlan plan;

    CallWriter(CodeBuilder code, ProgramPlan plan) {
        this.code = code;
        this.plan = plan;
    }

    /** The name of the method of the function that begins at an instruction. */
    static String function(int start) {
        return "function" + start;
    }

    /** The name of the method that resumes a function that has stopped. */
    static String resumed(int start) {
        return function(start) + "resumed";
    }

    void helper(Instruction it) {
        loadClassData(HELPER, plan.helper(it));
        loadArguments();
        code.invokeinterface(HELPER, "call", CALL);
        Registers.store(code, 0);
        if (plan.mayWait(it)) {
            for (int i = 1; i <= Helper.MAX_ARGUMENTS; i++) {
                code.lconst_0();
                Registers.store(code, i);
            }
        }
    }

    /** Calls the helper whose number is in a register. */
    void helperOfRegister(Instruction it) {
        loadClassData(HELPERS, 0);
        Registers.load(code, it.dst());
        loadArguments();
        code.invokevirtual(HELPERS, "call", CALL_BY_NUMBER);
        Registers.store(code, 0);
    }

    private void loadClassData(ClassDesc type, int index) {
        code.loadConstant(DynamicConstantDesc.ofNamed(ConstantDescs.BSM_CLASS_DATA_AT, "_", type, index));
    }

    private void loadArguments() {
        code.aload(Registers.MEMORY);
        for (int i = 1; i <= Helper.MAX_ARGUMENTS; i++) {
            Registers.load(code, i);
        }
    }

    /** Calls a function, which gets all registers. */
    void local(Instruction it) {
        Registers.saveFuel(code);
        code.aload(Registers.STATE);
        for (int i = 0; i < Instruction.FRAME_POINTER; i++) {
            Registers.load(code, i);
        }
        MemoryWriter.loadStack(code);
        code.invokevirtual(MemoryWriter.STACK, "push", PUSH).invokestatic(SELF, function(it.target()), FUNCTION);
        Registers.store(code, 0);
    }

    /** Calls again a function that has stopped. */
    void localAgain(Instruction it) {
        code.aload(Registers.STATE).invokestatic(SELF, resumed(it.target()), RESUMED);
        Registers.store(code, 0);
    }

    /** Takes over what a function has left that has ended. */
    void afterLocal() {
        MemoryWriter.loadStack(code);
        code.invokevirtual(MemoryWriter.STACK, "pop", ConstantDescs.MTD_void);
        Registers.restore(code, 1, Helper.MAX_ARGUMENTS);
        Registers.restoreFuel(code);
    }
}
