// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.machine.Continuation;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Arrays;

/** Writes the bytecode by which one method of a program stops: it saves the registers that live on, and returns. */
final class StopWriter {
    private static final MethodTypeDesc IS_WAITING = MethodTypeDesc.of(ConstantDescs.CD_boolean);

    private final CodeBuilder code;
    private final ConstantLoader constants;

    /** The index of the first instruction of the method. */
    private final int first;

    private final Label waits;
    private final Label paused;
    private final Label callee;

    StopWriter(CodeBuilder code, ConstantLoader constants, int first) {
        this.code = code;
        this.constants = constants;
        this.first = first;
        waits = code.newLabel();
        paused = code.newLabel();
        callee = code.newLabel();
    }

    /** Stops if the helper that was called has to. */
    void afterHelper() {
        code.aload(Registers.MEMORY).invokevirtual(MemoryWriter.MEMORY, "isWaiting", IS_WAITING);
        code.ifne(waits);
    }

    /** Stops if the function that was called has. */
    void afterLocal() {
        code.aload(Registers.STATE).getfield(Registers.RUN_STATE, "hasStopped", ConstantDescs.CD_boolean);
        code.ifne(callee);
    }

    /** Where it stops before the current instruction. */
    Label paused() {
        return paused;
    }

    /** Writes the ways that lead to the end of the method. */
    void write(Label leave) {
        code.labelBinding(waits);
        Registers.saveFuel(code);
        stop("waitAfter", Continuation.FIRST_SAVED, leave);
        code.labelBinding(callee);
        // a part of a function leaves its own fuel when it ends
        Registers.restoreFuel(code);
        stop("callAgain", Continuation.FIRST_SAVED, leave);
        code.labelBinding(paused);
        Registers.saveFuel(code);
        stop("pauseBefore", 0, leave);
    }

    private void stop(String method, int firstRegister, Label leave) {
        code.aload(Registers.STATE).iload(Registers.AT);
        constants.loadInt(code, first);
        code.iadd();
        for (int i = firstRegister; i <= Continuation.LAST_SAVED; i++) {
            Registers.load(code, i);
        }
        ClassDesc[] parameters = new ClassDesc[2 + Continuation.LAST_SAVED - firstRegister];
        Arrays.fill(parameters, ConstantDescs.CD_long);
        parameters[0] = ConstantDescs.CD_int;
        code.invokevirtual(Registers.RUN_STATE, method, MethodTypeDesc.of(ConstantDescs.CD_void, parameters));
        code.goto_(leave);
    }
}
