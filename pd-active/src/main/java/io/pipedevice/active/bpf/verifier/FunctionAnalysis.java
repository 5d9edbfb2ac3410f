// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Instruction;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The analysis of one call of a function: follows all paths, joins what is known where they meet, and widens it where a
 * loop begins, until nothing changes any more. Used once.
 */
final class FunctionAnalysis {
    /** How often a loop is followed exactly. */
    private static final int EXACT_VISITS = 3;

    /** How often the bounds of a loop may move. Bounds that still move then are dropped. */
    private static final int MAX_VISITS = 100;

    private static final Thresholds NO_THRESHOLDS = new Thresholds();

    /** The state at a node. */
    private static final class Known {
        private State state;
        private int words;
        private int visits;
    }

    private final ProgramAnalysis program;
    private final FlowGraph graph;
    /** How many iterations of a loop are told apart. */
    private final int unrolled;

    private final Map<Node, Known> places = new HashMap<>();

    /** The places to follow. */
    private final TreeSet<Node> waiting = new TreeSet<>();

    /** Where a step back arrived. */
    private final BitSet repeated = new BitSet();

    /** The state on the path that is followed. */
    private State path;

    private State result;

    FunctionAnalysis(ProgramAnalysis program, FlowGraph graph, int unrolled) {
        this.program = program;
        this.unrolled = unrolled;
        this.graph = graph;
    }

    /** The state when the function returns; null if it does not. */
    State run(State entry) throws UnsafeProgramException {
        follow(graph.start(), entry.copy(), true);
        while (!waiting.isEmpty()) {
            Node node = waiting.pollFirst();
            follow(graph.ordered(node.order()), places.get(node).state.copy(), false);
        }
        for (Map.Entry<Node, Known> each : places.entrySet()) {
            program.budget().work();
            int order = each.getKey().order();
            Known place = each.getValue();
            if (repeated.get(order) && !isBounded(graph.ordered(order), place.state.copy())) {
                program.unboundedLoopFound();
            }
            program.budget().drop(place.words);
        }
        return result;
    }

    private static boolean isBounded(int head, State state) {
        int counter = state.loops.find(loopOf(head, state));
        if (counter < 0) {
            return false;
        }
        int up = LoopCounters.variable(counter);
        return Math.min(Relations.most(state, up), -Math.max(Relations.least(state, up + 1), -Long.MAX_VALUE))
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
            program.budget().step(path.weight());
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
            return switch (it.operation().kind()) {
                case JUMP -> it.target();
                case BRANCH -> branch(index, it, state);
                case EXIT -> {
                    leave(state);
                    yield -1;
                }
                case CALL -> {
                    path = program.call(index, it, state);
                    yield path == null ? -1 : index + 1;
                }
                default -> {
                    program.step(index, it, state);
                    yield index + 1;
                }
            };
        } catch (ProgramRefusal e) {
            throw new UnsafeProgramException(it, e.getMessage(), state.toString());
        }
    }

    private int branch(int index, Instruction it, State state) throws ProgramRefusal, UnsafeProgramException {
        State taken = state.copy();
        if (BranchStep.assume(taken, it, true)) {
            arrive(index, it.target(), taken);
        }
        return BranchStep.assume(state, it, false) ? index + 1 : -1;
    }

    private void leave(State state) throws ProgramRefusal, UnsafeProgramException {
        if (state.depth() == 0 && state.read(0) instanceof Pointer) {
            throw new ProgramRefusal("r0 is an address, and the result has to be a number");
        }
        for (int i = 0; i < LoopCounters.COUNT; i++) {
            if (state.loops.isUsed(i) && state.loops.loop(i) >>> 16 == state.depth()) {
                state.loops.end(i);
            }
        }
        program.budget().step(state.weight());
        State joined = result == null ? state : Join.join(result, state, null);
        result = joined == null ? result : joined;
    }

    /** A path meets others. */
    private void arrive(int from, int index, State state) throws UnsafeProgramException {
        program.budget().step(state.weight());
        boolean isBack = from >= 0 && graph.isBack(from, index);
        count(index, state, isBack);
        if (isBack) {
            repeated.set(graph.order(index));
        }
        Node node = node(index, state);
        Known place = places.computeIfAbsent(node, key -> new Known());
        if (place.state == null) {
            keep(node, place, state);
            return;
        }
        Thresholds thresholds = null;
        place.visits++;
        if (graph.isHead(index) && place.visits > EXACT_VISITS) {
            thresholds = place.visits > MAX_VISITS ? NO_THRESHOLDS : graph.thresholds(index);
        }
        State joined = Join.join(place.state.copy(), state, thresholds);
        if (joined == null) {
            return;
        }
        if (thresholds != null && thresholds != NO_THRESHOLDS) {
            // what the relations say about bounds that were moved
            boolean isPossible = Relations.tighten(joined);
            assert isPossible : joined;
        }
        keep(node, place, joined);
    }

    private void keep(Node node, Known place, State state) throws UnsafeProgramException {
        int words = state.pack();
        program.budget().keep(words, place.words);
        place.state = state;
        place.words = words;
        waiting.add(node);
    }

    private Node node(int index, State state) {
        int[] own = IntStream.range(0, LoopCounters.COUNT)
                .filter(i -> unrolled > 0 && state.loops.isUsed(i) && state.loops.loop(i) >>> 16 == state.depth())
                .boxed()
                .sorted(Comparator.comparingInt(i -> graph.order(state.loops.loop(i) & 0xffff)))
                .mapToInt(i -> i)
                .toArray();
        int[] path = new int[2 * own.length + 1];
        for (int i = 0; i < own.length; i++) {
            path[2 * i] = graph.order(state.loops.loop(own[i]) & 0xffff);
            Num iteration = state.number(LoopCounters.variable(own[i]));
            path[2 * i + 1] = (int) (iteration.isConstant() ? Math.min(iteration.constant(), unrolled) : unrolled);
        }
        path[2 * own.length] = graph.order(index);
        return new Node(path);
    }

    /** Counts the iterations of the loops of this call. */
    private void count(int index, State state, boolean isBack) {
        for (int i = 0; i < LoopCounters.COUNT; i++) {
            boolean isOwn = state.loops.isUsed(i) && state.loops.loop(i) >>> 16 == state.depth();
            if (isOwn && !graph.isIn(state.loops.loop(i) & 0xffff, index)) {
                state.loops.end(i);
            }
        }
        if (!graph.isCounted(index)) {
            return;
        }
        int loop = loopOf(index, state);
        if (!isBack) {
            state.loops.begin(loop);
        } else if (state.loops.find(loop) >= 0) {
            state.loops.count(state.loops.find(loop));
        }
    }
}
