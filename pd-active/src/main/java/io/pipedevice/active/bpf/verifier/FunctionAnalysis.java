// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Instruction;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The analysis of one call of a function: follows all paths, joins what is known where they meet, and widens it where a loop
 * begins, until nothing changes any more. Used once.
 */
final class FunctionAnalysis {
    /** How often a loop is followed exactly. */
    private static final int EXACT_VISITS = 3;

    /** How often the bounds of a loop may move. Those that still move then are forgotten. */
    private static final int MAX_VISITS = 100;

    private static final Thresholds NO_THRESHOLDS = new Thresholds();

    private final ProgramAnalysis program;
    private final FlowGraph graph;
    private final Map<Integer, State> states = new HashMap<>();
    private final Map<Integer, Integer> visits = new HashMap<>();

    /** The instructions to follow, by their order. */
    private final BitSet waiting = new BitSet();

    /** Where a step back arrived. */
    private final BitSet repeated = new BitSet();

    /** What is known on the path that is followed. */
    private State path;

    private State result;

    FunctionAnalysis(ProgramAnalysis program, FlowGraph graph) {
        this.program = program;
        this.graph = graph;
    }

    /** What is known when the function returns; null if it does not. */
    State run(State entry) throws UnsafeProgramException {
        follow(graph.start(), entry.copy(), true);
        while (!waiting.isEmpty()) {
            int order = waiting.nextSetBit(0);
            waiting.clear(order);
            int index = graph.ordered(order);
            follow(index, states.get(index).copy(), false);
        }
        if (!repeated.stream().map(graph::ordered).allMatch(head -> isBounded(head, states.get(head)))) {
            program.unboundedLoopFound();
        }
        program.budget().dropStates(states.size());
        return result;
    }

    private static boolean isBounded(int head, State state) {
        int counter = state.findLoop(loopOf(head, state));
        if (counter < 0) {
            return false;
        }
        int up = State.FIRST_COUNTER + 2 * counter;
        return Math.min(state.most(up), -Math.max(state.least(up + 1), -Long.MAX_VALUE))
                <= VerifiedProgram.MAX_ITERATIONS;
    }

    /** A number for the loop in this call, which is different from those of the calls that wait. */
    private static int loopOf(int head, State state) {
        return state.depth() << 16 | head;
    }

    /** Follows a path until it meets another one, or ends. */
    private void follow(int from, State state, boolean isEntry) throws UnsafeProgramException {
        path = state;
        int before = -1;
        int index = from;
        boolean mayMeet = isEntry;
        while (index >= 0) {
            if (mayMeet && graph.isLabel(index)) {
                arrive(before, index, path);
                return;
            }
            program.budget().step(1);
            program.reached(index, path);
            before = index;
            index = step(index);
            mayMeet = true;
        }
    }

    /** Follows one instruction: the next one of this path, or -1. */
    private int step(int index) throws UnsafeProgramException {
        Instruction it = program.instruction(index);
        State state = path;
        try {
            switch (it.operation().kind()) {
                case JUMP -> {
                    return it.target();
                }
                case BRANCH -> {
                    State taken = state.copy();
                    if (BranchStep.assume(taken, it, true)) {
                        arrive(index, it.target(), taken);
                    }
                    return BranchStep.assume(state, it, false) ? index + 1 : -1;
                }
                case EXIT -> {
                    leave(state);
                    return -1;
                }
                case CALL -> {
                    path = program.call(index, it, state);
                    return path == null ? -1 : index + 1;
                }
                default -> {
                    program.step(index, it, state);
                    return index + 1;
                }
            }
        } catch (Refusal e) {
            throw new UnsafeProgramException(it, e.getMessage(), state.toString());
        }
    }

    private void leave(State state) throws Refusal, UnsafeProgramException {
        if (state.depth() == 0 && state.read(0) instanceof Pointer) {
            throw new Refusal("r0 is an address, and the result has to be a number");
        }
        for (int i = 0; i < State.COUNTERS / 2; i++) {
            if (state.hasLoop(i) && state.loop(i) >>> 16 == state.depth()) {
                state.endLoop(i);
            }
        }
        program.budget().step(1);
        State joined = result == null ? state : Join.join(result, state, null);
        result = joined == null ? result : joined;
    }

    /** A path meets others. */
    private void arrive(int from, int index, State state) throws UnsafeProgramException {
        program.budget().step(1);
        boolean isBack = from >= 0 && graph.isBack(from, index);
        count(index, state, isBack);
        if (isBack) {
            repeated.set(graph.order(index));
        }
        State known = states.get(index);
        if (known == null) {
            program.budget().keepState();
            states.put(index, state);
            waiting.set(graph.order(index));
            return;
        }
        Thresholds thresholds = null;
        int visit = visits.merge(index, 1, Integer::sum);
        if (graph.isHead(index) && visit > EXACT_VISITS) {
            thresholds = visit > MAX_VISITS ? NO_THRESHOLDS : graph.thresholds(index);
        }
        State joined = Join.join(known, state, thresholds);
        if (joined == null) {
            return;
        }
        if (thresholds != null && thresholds != NO_THRESHOLDS) {
            // what the relations say about bounds that were moved
            boolean isPossible = joined.tighten();
            assert isPossible : joined;
        }
        states.put(index, joined);
        waiting.set(graph.order(index));
    }

    /** Counts the iterations of the loops of this call. */
    private void count(int index, State state, boolean isBack) {
        for (int i = 0; i < State.COUNTERS / 2; i++) {
            boolean isOwn = state.hasLoop(i) && state.loop(i) >>> 16 == state.depth();
            if (isOwn && !graph.isIn(state.loop(i) & 0xffff, index)) {
                state.endLoop(i);
            }
        }
        if (!graph.isCounted(index)) {
            return;
        }
        int loop = loopOf(index, state);
        if (!isBack) {
            state.beginLoop(loop);
        } else if (state.findLoop(loop) >= 0) {
            state.countLoop(state.findLoop(loop));
        }
    }
}
