// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.Program;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How the instructions of one function follow each other. Instructions have the order of a depth-first search: each but
 * those of loops comes after all that lead to it. A step that does not go forward in this order is a step back, and
 * each loop has one. Not changed after its constructor.
 */
final class FlowGraph {
    /** So that what is known about loops stays small; the loops after these are not counted. */
    private static final int MAX_LOOPS = 256;

    private static final int UNSEEN = -1;

    private final List<Instruction> code;
    private final int start;

    /** Of the verification, for the work of the constructor. */
    private final Budget budget;

    /** By instruction, from {@link #start}: its place in the order; -1 if nothing leads to it. */
    private final int[] order;

    /** The instructions by their order. */
    private final int[] ordered;

    /** Instructions that a jump or several predecessors lead to, as indices relative to {@link #start}. */
    private final BitSet labels = new BitSet();

    /** Where steps back lead to, and the instructions between, which a loop consists of. */
    private final Map<Integer, BitSet> loops = new HashMap<>();

    private final BitSet heads = new BitSet();
    private final Map<Integer, Thresholds> thresholds = new HashMap<>();
    private final Thresholds common = new Thresholds();

    FlowGraph(Program program, int start, int end, Budget budget) throws UnsafeProgramException {
        this.budget = budget;
        code = program.instructions();
        this.start = start;
        order = new int[end - start];
        Arrays.fill(order, UNSEEN);
        ordered = sort();
        findLoops();
        findThresholds();
    }

    int start() {
        return start;
    }

    /** The instructions that can follow one: none, or the next one, or a target, or both, the next one first. */
    private List<Integer> next(int index) {
        Instruction it = code.get(index);
        return switch (it.operation().kind()) {
            case EXIT -> List.of();
            case JUMP -> List.of(it.target());
            case BRANCH -> List.of(index + 1, it.target());
            default -> List.of(index + 1);
        };
    }

    /** Numbers the instructions against the order in which a depth-first search leaves them. */
    private int[] sort() throws UnsafeProgramException {
        List<Integer> left = new ArrayList<>();
        Deque<int[]> path = new ArrayDeque<>();
        BitSet seen = new BitSet();
        path.push(new int[] {start, 0});
        seen.set(0);
        while (!path.isEmpty()) {
            budget.work();
            int[] top = path.peek();
            List<Integer> next = next(top[0]);
            if (top[1] == next.size()) {
                left.add(top[0]);
                path.pop();
            } else {
                int follower = next.get(top[1]++);
                if (!seen.get(follower - start)) {
                    seen.set(follower - start);
                    path.push(new int[] {follower, 0});
                }
            }
        }
        int[] result = new int[left.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = left.get(result.length - 1 - i);
            order[result[i] - start] = i;
        }
        return result;
    }

    private void findLoops() throws UnsafeProgramException {
        Map<Integer, List<Integer>> before = new HashMap<>();
        for (int index : ordered) {
            budget.work();
            for (int follower : next(index)) {
                before.computeIfAbsent(follower, key -> new ArrayList<>(1)).add(index);
                if (follower != index + 1) {
                    labels.set(follower - start);
                }
                if (isBack(index, follower)) {
                    heads.set(follower - start);
                }
            }
        }
        before.forEach((index, all) -> {
            if (all.size() > 1) {
                labels.set(index - start);
            }
        });
        int[] counted = heads().limit(MAX_LOOPS).toArray();
        for (int head : counted) {
            loops.put(head, loop(head, before));
        }
    }

    /** The instructions from which a step back to the head is reached without passing it. */
    private BitSet loop(int head, Map<Integer, List<Integer>> before) throws UnsafeProgramException {
        BitSet body = new BitSet();
        body.set(head - start);
        Deque<Integer> open = new ArrayDeque<>();
        before.get(head).stream().filter(each -> isBack(each, head)).forEach(open::push);
        while (!open.isEmpty()) {
            budget.work();
            int index = open.pop();
            if (!body.get(index - start)) {
                body.set(index - start);
                before.getOrDefault(index, List.of()).forEach(open::push);
            }
        }
        return body;
    }

    private void findThresholds() throws UnsafeProgramException {
        for (int index : ordered) {
            budget.work();
            Instruction it = code.get(index);
            boolean isConstant =
                    it.operation() == Operation.LOAD_CONSTANT || (it.operation() == Operation.MOV && !it.usesSource());
            if (isConstant) {
                common.add(it.immediate());
            }
        }
        for (Map.Entry<Integer, BitSet> loop : loops.entrySet()) {
            BitSet body = loop.getValue();
            Thresholds own = new Thresholds();
            own.add(0);
            for (int i = body.nextSetBit(0); i >= 0; i = body.nextSetBit(i + 1)) {
                budget.work();
                Instruction it = code.get(start + i);
                if (it.operation().kind() == Operation.Kind.BRANCH && !it.usesSource()) {
                    own.add(it.immediate());
                }
            }
            own.addAll(common);
            thresholds.put(loop.getKey(), own);
        }
    }

    /** The place of an instruction in the order. */
    int order(int index) {
        return order[index - start];
    }

    int ordered(int order) {
        return ordered[order];
    }

    boolean isBack(int index, int follower) {
        return order(follower) <= order(index);
    }

    boolean isLabel(int index) {
        return labels.get(index - start);
    }

    /** Whether a step back leads to an instruction. */
    boolean isHead(int index) {
        return heads.get(index - start);
    }

    IntStream heads() {
        return heads.stream().map(each -> start + each);
    }

    /** Whether the loop with this head is counted. */
    boolean isCounted(int head) {
        return loops.containsKey(head);
    }

    boolean isIn(int head, int index) {
        return loops.get(head).get(index - start);
    }

    /** Where the bounds of a loop stop. */
    Thresholds thresholds(int head) {
        return thresholds.getOrDefault(head, common);
    }
}
