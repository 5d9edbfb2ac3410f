// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;

/** Writes the class of a program. */
final class ClassWriter {
    /**
     * A bit more than the low half of the number of an entry: with so many parts in one switch, a switch of switches is
     * needed.
     */
    private static final int GROUP_BITS = 6;

    private static final int GROUP = 1 << GROUP_BITS;

    private static final MethodTypeDesc PART =
            MethodTypeDesc.of(ConstantDescs.CD_int, Registers.RUN_STATE, ConstantDescs.CD_int);
    private static final MethodTypeDesc RUN = MethodTypeDesc.of(
            ConstantDescs.CD_long,
            Registers.RUN_STATE,
            ConstantDescs.CD_long,
            ConstantDescs.CD_long,
            ConstantDescs.CD_long);

    private final ProgramPlan program;
    private ClassBuilder builder;

    private ClassWriter(ProgramPlan program) {
        this.program = program;
    }

    /** The bytes of the class, which needs the helpers of the plan as class data. */
    static byte[] write(ProgramPlan program) {
        ClassWriter writer = new ClassWriter(program);
        return ClassFile.of().build(CallWriter.SELF, writer::write);
    }

    /** Defines the class, and creates its only object. */
    static CompiledCode define(ProgramPlan program) {
        try {
            MethodHandles.Lookup lookup =
                    MethodHandles.lookup().defineHiddenClassWithClassData(write(program), program.classData(), true);
            return (CompiledCode) lookup.lookupClass().getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private void write(ClassBuilder target) {
        builder = target;
        builder.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC);
        builder.withInterfaceSymbols(CompiledCode.class.describeConstable().orElseThrow());
        builder.withMethodBody(
                ConstantDescs.INIT_NAME,
                ConstantDescs.MTD_void,
                0,
                code -> code.aload(0)
                        .invokespecial(ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                        .return_());
        builder.withMethodBody("run", RUN, ClassFile.ACC_PUBLIC, ClassWriter::run);
        if (program.canStop()) {
            builder.withMethodBody(
                    "resume",
                    CallWriter.RESUMED,
                    ClassFile.ACC_PUBLIC,
                    code -> code.aload(1)
                            .invokestatic(CallWriter.SELF, CallWriter.resumed(0), CallWriter.RESUMED)
                            .lreturn());
        }
        program.functions().forEach(this::function);
    }

    /** The program begins with all registers 0, except r1, r2 and r10. */
    private static void run(CodeBuilder code) {
        code.aload(1).lconst_0().lload(2).lload(4);
        code.lconst_0().lconst_0().lconst_0().lconst_0().lconst_0().lconst_0().lconst_0();
        code.lload(6).invokestatic(CallWriter.SELF, CallWriter.function(0), CallWriter.FUNCTION);
        code.lreturn();
    }

    private void method(String name, MethodTypeDesc type, java.util.function.Consumer<CodeBuilder> body) {
        builder.withMethodBody(name, type, ClassFile.ACC_STATIC, body);
    }

    private void function(FunctionPlan function) {
        String name = CallWriter.function(function.start());
        if (function.isWhole()) {
            method(name, CallWriter.FUNCTION, code -> new BodyWriter(code, program, function, 0, false).write());
            if (program.canStop()) {
                method(
                        CallWriter.resumed(function.start()),
                        CallWriter.RESUMED,
                        code -> new BodyWriter(code, program, function, 0, true).write());
            }
            return;
        }
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < function.parts().size(); i++) {
            int part = i;
            parts.add(name + "part" + i);
            method(parts.getLast(), PART, code -> new BodyWriter(code, program, function, part, false).write());
        }
        boolean hasGroups = parts.size() > GROUP;
        List<String> children = hasGroups ? groups(name, parts) : parts;
        int shift = hasGroups ? Short.SIZE + GROUP_BITS : Short.SIZE;
        method(name, CallWriter.FUNCTION, code -> {
            Registers.save(code, 0, 10);
            code.iconst_0().istore(Registers.NEXT);
            parts(code, shift, children);
        });
        if (program.canStop()) {
            method(CallWriter.resumed(function.start()), CallWriter.RESUMED, code -> {
                code.aload(Registers.STATE).invokevirtual(Registers.RUN_STATE, "enterParts", BodyWriter.ENTER);
                code.istore(Registers.NEXT);
                parts(code, shift, children);
            });
        }
    }

    private static void parts(CodeBuilder code, int shift, List<String> children) {
        dispatch(code, shift, 0, children);
        code.aload(Registers.STATE).getfield(Registers.RUN_STATE, "r0", ConstantDescs.CD_long);
        code.lreturn();
    }

    private List<String> groups(String name, List<String> parts) {
        List<String> groups = new ArrayList<>();
        for (int i = 0; i < parts.size(); i += GROUP) {
            int first = i;
            List<String> children = parts.subList(i, Math.min(i + GROUP, parts.size()));
            groups.add(name + "group" + groups.size());
            method(groups.getLast(), PART, code -> {
                code.iload(1).istore(Registers.NEXT);
                dispatch(code, Short.SIZE, first, children);
                code.iload(Registers.NEXT).ireturn();
            });
        }
        return groups;
    }

    /** Calls the part that is next, until it is none of these. */
    private static void dispatch(CodeBuilder code, int shift, int first, List<String> children) {
        Label again = code.newBoundLabel();
        Label end = code.newLabel();
        List<SwitchCase> cases = new ArrayList<>();
        for (int i = 0; i < children.size(); i++) {
            cases.add(SwitchCase.of(first + i, code.newLabel()));
        }
        code.iload(Registers.NEXT).bipush(shift).ishr();
        code.tableswitch(first, first + children.size() - 1, end, cases);
        for (int i = 0; i < children.size(); i++) {
            code.labelBinding(cases.get(i).target());
            code.aload(Registers.STATE).iload(Registers.NEXT).invokestatic(CallWriter.SELF, children.get(i), PART);
            code.istore(Registers.NEXT).goto_(again);
        }
        code.labelBinding(end);
    }
}
