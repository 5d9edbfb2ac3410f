// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.machine.Helper;
import io.pipedevice.active.bpf.machine.StackFrames;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** The analysis of one program: each call of a function is analysed on its own. Used once. */
final class ProgramAnalysis {
    /** The least cost of a call. */
    private static final int CALL_STEPS = 50;

    private final Program program;
    private final Conditions conditions;

    /** Sees each state before an instruction. */
    private final BiConsumer<Integer, State> observer;

    /** How many iterations of a loop are told apart. */
    private final int unrolled;

    private final Budget budget;
    private final Facts facts;
    private final ArithmeticStep arithmetic;
    private final MemoryStep memory;
    private final HelperStep helpers;
    private final Map<Integer, FlowGraph> graphs = new HashMap<>();
    private final BitSet reached = new BitSet();

    /** The functions that a function calls. */
    private final Map<Integer, Set<Integer>> calls = new HashMap<>();

    private boolean needsFuel;

    ProgramAnalysis(
            Program program, Conditions conditions, BiConsumer<Integer, State> observer, int unrolled, Budget budget) {
        this.budget = budget;
        this.unrolled = unrolled;
        this.program = program;
        this.conditions = conditions;
        this.observer = observer;
        facts = new Facts(program.instructions().size());
        Bounds bounds = new Bounds(facts);
        arithmetic = new ArithmeticStep(program);
        memory = new MemoryStep(bounds);
        helpers = new HelperStep(program, bounds);
    }

    VerifiedProgram run() throws UnsafeProgramException, InvalidProgramException {
        conditions.helpers().requireAllOf(program);
        new FunctionAnalysis(this, graph(0), unrolled).run(EntryState.of(conditions));
        int size = program.instructions().size();
        BitSet unreachable = new BitSet(size);
        unreachable.set(0, size);
        unreachable.andNot(reached);
        return new VerifiedProgram(
                program,
                facts.accesses(),
                facts.stackLengths(),
                stackLength(0, new HashMap<>()),
                needsFuel,
                unreachable.stream().boxed().toList());
    }

    /** Ends, because functions that call themselves were refused. */
    private int stackLength(int function, Map<Integer, Integer> known) {
        Integer length = known.get(function);
        if (length == null) {
            int called = 0;
            for (int each : calls.getOrDefault(function, Set.of())) {
                called = Math.max(called, stackLength(each, known));
            }
            length = facts.stackLength(function) + called;
            known.put(function, length);
        }
        return length;
    }

    private FlowGraph graph(int start) throws UnsafeProgramException {
        FlowGraph graph = graphs.get(start);
        if (graph == null) {
            List<Integer> starts = program.functions();
            int next = Collections.binarySearch(starts, start) + 1;
            int end = next < starts.size()
                    ? starts.get(next)
                    : program.instructions().size();
            graph = new FlowGraph(program, start, end, budget);
            graphs.put(start, graph);
        }
        return graph;
    }

    Budget budget() {
        return budget;
    }

    Instruction instruction(int index) {
        return program.instructions().get(index);
    }

    void reached(int index, State state) {
        reached.set(index);
        observer.accept(index, state);
    }

    void unboundedLoopFound() {
        needsFuel = true;
    }

    /** Follows an instruction that leads to the next one. */
    void step(int index, Instruction it, State state) throws ProgramRefusal {
        switch (it.operation().kind()) {
            case ARITHMETIC -> arithmetic.arithmetic(state, it);
            case WIDE_LOAD -> arithmetic.wideLoad(state, it);
            case LOAD -> memory.load(state, index, it);
            case STORE -> memory.store(state, index, it);
            case ATOMIC -> memory.atomic(state, index, it);
            default -> throw new IllegalArgumentException(it.toString());
        }
    }

    /** Follows a call: what is known after it; null if it does not return. */
    State call(int index, Instruction it, State state) throws ProgramRefusal, UnsafeProgramException {
        if (it.operation() == Operation.CALL_LOCAL) {
            return callLocal(it.target(), state);
        }
        helpers.call(state, index, it.operation() == Operation.CALL_REGISTER ? helper(it.dst(), state) : helper(it));
        return state;
    }

    private Helper helper(int register, State state) throws ProgramRefusal {
        if (!(state.read(register) instanceof Num number) || !number.isConstant()) {
            throw new ProgramRefusal(String.format(Locale.ROOT, "which helper r%d calls is not known", register));
        }
        long id = number.constant();
        Helper helper = conditions.helpers().find(id);
        if (helper == null) {
            throw new ProgramRefusal(String.format(Locale.ROOT, "there is no helper with the number %d", id));
        }
        return helper;
    }

    private Helper helper(Instruction it) throws ProgramRefusal {
        try {
            return conditions.helpers().calledBy(it);
        } catch (InvalidProgramException e) {
            throw new ProgramRefusal(
                    String.format(Locale.ROOT, "there is no helper with the number %d", it.immediate()));
        }
    }

    private State callLocal(int target, State state) throws ProgramRefusal, UnsafeProgramException {
        for (int i = 0; i <= state.depth(); i++) {
            if (state.frame(i).function() == target) {
                throw new ProgramRefusal(String.format(
                        Locale.ROOT,
                        "the function at instruction %d would call itself",
                        instruction(target).slot()));
            }
        }
        if (state.depth() + 1 == StackFrames.MAX_FRAMES) {
            throw new ProgramRefusal(
                    String.format(Locale.ROOT, "calls are nested deeper than %d functions", StackFrames.MAX_FRAMES));
        }
        calls.computeIfAbsent(state.frame(state.depth()).function(), key -> new HashSet<>())
                .add(target);
        budget.step(CALL_STEPS);
        State entry = state.copy();
        CallEffects.enter(entry, target);
        State returned = new FunctionAnalysis(this, graph(target), unrolled).run(entry);
        if (returned != null) {
            CallEffects.leave(returned);
        }
        return returned;
    }
}
