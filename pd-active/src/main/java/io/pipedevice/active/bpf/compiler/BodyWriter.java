// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.machine.Block;
import io.pipedevice.active.bpf.machine.Helper;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes one method: a function, a part of one, or a function that resumes after it has stopped. */
final class BodyWriter {
    private static final int ENTRY_MASK = 0xffff;

    /** The type of {@link RunState#enter}. */
    static final MethodTypeDesc ENTER = MethodTypeDesc.of(ConstantDescs.CD_int);

    private final CodeBuilder code;
    private final ProgramPlan program;
    private final FunctionPlan function;
    private final int part;

    /** Whether it begins anywhere. */
    private final boolean hasEntries;

    private final List<Block> blocks;
    private final ArithmeticWriter arithmetic;
    private final BranchWriter branches;
    private final MemoryWriter memory;
    private final CallWriter calls;

    /** Null if the program cannot stop. */
    private final StopWriter stops;

    private final FaultWriter faults;

    /** Where the stretches of this method are, by the index of their first instruction. */
    private final Map<Integer, Label> labels = new HashMap<>();

    /** The ways to stretches of other parts. */
    private final Map<Integer, Label> outside = new LinkedHashMap<>();

    /** Behind local calls that can be made again, by the index of the call. */
    private final Map<Integer, Label> returns = new LinkedHashMap<>();

    private final Label leave;

    BodyWriter(CodeBuilder code, ProgramPlan program, FunctionPlan function, int part, boolean isResumed) {
        this.code = code;
        this.program = program;
        this.function = function;
        this.part = part;
        this.hasEntries = isResumed || !function.isWhole();
        this.blocks = function.parts().get(part);
        this.arithmetic = new ArithmeticWriter(code, program.constants());
        this.branches = new BranchWriter(code, arithmetic);
        this.memory = new MemoryWriter(code, program, arithmetic);
        this.calls = new CallWriter(code, program);
        int first = blocks.getFirst().start();
        this.stops = program.canStop() ? new StopWriter(code, program.constants(), first) : null;
        this.faults = new FaultWriter(code, program.constants(), first, stops);
        this.leave = code.newLabel();
        blocks.forEach(each -> labels.put(each.start(), code.newLabel()));
    }

    void write() {
        Label start = code.newLabel();
        Label end = code.newLabel();
        Map<Integer, Label> again = begin();
        code.labelBinding(start);
        for (int i = 0; i < blocks.size(); i++) {
            write(blocks.get(i), i + 1 < blocks.size() ? blocks.get(i + 1).start() : -1);
        }
        code.labelBinding(end);
        again.forEach(this::callAgain);
        outside.forEach((target, label) -> {
            code.labelBinding(label);
            leaveTo(function.entry(target));
        });
        code.labelBinding(leave);
        leave();
        if (stops != null) {
            writeStops();
        }
        faults.write(start, end);
    }

    /** Writes what comes before the first instruction. Returns where calls are made again. */
    private Map<Integer, Label> begin() {
        if (!function.isWhole()) {
            code.iload(1).loadConstant(ENTRY_MASK).iand().istore(Registers.NEXT);
            Registers.restore(code, 0, Instruction.FRAME_POINTER);
        } else if (hasEntries) {
            code.aload(Registers.STATE).invokevirtual(Registers.RUN_STATE, "enter", ENTER);
            code.istore(Registers.NEXT);
            Registers.enter(code);
        }
        code.aload(Registers.STATE).getfield(Registers.RUN_STATE, "memory", MemoryWriter.MEMORY);
        code.astore(Registers.MEMORY);
        Registers.restoreFuel(code);
        code.iconst_0().istore(Registers.AT);
        if (usesFrame()) {
            memory.loadFrame(program.canStop() && hasEntries);
        }
        return hasEntries ? enter() : Map.of();
    }

    private Map<Integer, Label> enter() {
        List<SwitchCase> cases = new ArrayList<>();
        for (Block each : function.entries(part)) {
            cases.add(SwitchCase.of(cases.size(), labels.get(each.start())));
        }
        Map<Integer, Label> again = new LinkedHashMap<>();
        for (int call : function.reentries(part)) {
            again.put(call, code.newLabel());
            cases.add(SwitchCase.of(cases.size(), again.get(call)));
        }
        code.iload(Registers.NEXT)
                .tableswitch(0, cases.size() - 1, cases.getFirst().target(), cases);
        return again;
    }

    private void callAgain(int call, Label label) {
        code.labelBinding(label);
        faults.at(call);
        calls.localAgain(program.code().get(call));
        code.goto_(returns.get(call));
    }

    private boolean usesFrame() {
        return blocks.stream().anyMatch(function.offsets()::anyIn);
    }

    private void write(Block block, int next) {
        code.labelBinding(labels.get(block.start()));
        faults.takeFuel(block);
        for (int i = block.start(); i < block.end(); i++) {
            write(i, program.code().get(i));
        }
        boolean fallsThrough =
                !block.successors().isEmpty() && block.successors().getFirst() == block.end();
        if (fallsThrough && next != block.end()) {
            code.goto_(label(block.end()));
        }
    }

    private void write(int index, Instruction it) {
        if (canFail(index, it)) {
            faults.at(index);
        }
        switch (it.operation().kind()) {
            case ARITHMETIC -> arithmetic.write(it);
            case WIDE_LOAD -> memory.constant(it);
            case LOAD -> memory.load(it, index, function.offsets().of(index));
            case STORE -> memory.store(it, index, function.offsets().of(index));
            case ATOMIC -> memory.atomic(it);
            case JUMP -> code.goto_(label(it.target()));
            case BRANCH -> branches.write(it, label(it.target()));
            case CALL -> {
                switch (it.operation()) {
                    case CALL_LOCAL -> callLocal(index, it);
                    case CALL_REGISTER -> calls.helperOfRegister(it);
                    default -> callHelper(it);
                }
            }
            case EXIT -> {
                if (function.isWhole()) {
                    code.goto_(leave);
                } else {
                    leaveTo(FunctionPlan.RETURN);
                }
            }
        }
    }

    private void callLocal(int index, Instruction it) {
        calls.local(it);
        if (stops != null) {
            returns.put(index, code.newBoundLabel());
            stops.afterLocal();
        }
        calls.afterLocal();
    }

    private void callHelper(Instruction it) {
        calls.helper(it);
        if (stops != null && program.mayWait(it)) {
            stops.afterHelper();
        }
    }

    private void writeStops() {
        Label stopped = code.newLabel();
        stops.write(stopped);
        code.labelBinding(stopped);
        if (function.isWhole()) {
            code.lconst_0().lreturn();
        } else {
            leaveTo(FunctionPlan.RETURN);
        }
    }

    private boolean canFail(int index, Instruction it) {
        return switch (it.operation().kind()) {
            case ARITHMETIC, JUMP, BRANCH, EXIT -> false;
            case WIDE_LOAD -> it.operation() == Operation.LOAD_DATA;
            case LOAD, STORE ->
                function.offsets().of(index) == FrameOffsets.UNKNOWN
                        && program.places().offset(index) == FrameOffsets.UNKNOWN;
            case ATOMIC, CALL -> true;
        };
    }

    private Label label(int target) {
        Label label = labels.get(target);
        return label != null ? label : outside.computeIfAbsent(target, each -> code.newLabel());
    }

    private void leaveTo(int entry) {
        program.constants().loadInt(code, entry);
        code.istore(Registers.NEXT).goto_(leave);
    }

    private void leave() {
        if (!function.isWhole()) {
            // also r10: a function that this part has called may have left its own there
            Registers.save(code, 0, Instruction.FRAME_POINTER);
            Registers.saveFuel(code);
            code.iload(Registers.NEXT).ireturn();
            return;
        }
        boolean isCalled = program.isCalled(function);
        if (isCalled) {
            Registers.save(code, 1, Helper.MAX_ARGUMENTS);
        }
        if (isCalled || program.canStop()) {
            Registers.saveFuel(code);
        }
        Registers.load(code, 0);
        code.lreturn();
    }
}
