// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.machine.Block;
import io.pipedevice.active.bpf.machine.ControlFlow;
import io.pipedevice.active.bpf.machine.Helpers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a function becomes methods: one, or parts that are entered at some of their stretches. Such an entry has a
 * number: that of the part in the high half, and its own in the part in the low half.
 *
 * <p>In a program that can stop, each stretch is an entry, and each local call is one, which is made again. A function
 * of one method has a second method for that, so that the first one has no loops with two entries, which C2 compiles
 * less well.
 */
final class FunctionPlan {
    /** The number of "no entry": the function returns. */
    static final int RETURN = -1;

    private final int start;
    private final List<List<Block>> parts = new ArrayList<>();
    private final FrameOffsets offsets;

    /** By the start of the stretch. */
    private final Map<Integer, Integer> entries = new HashMap<>();

    /** By the index of the local call. */
    private final Map<Integer, Integer> reentries = new HashMap<>();

    FunctionPlan(List<Instruction> code, int start, int end, CodeLength length, Helpers helpers) {
        this.start = start;
        List<Block> blocks = ControlFlow.blocks(code, start, end, helpers);
        offsets = new FrameOffsets(code, blocks);
        divide(code, blocks, length);
        if (length.canStop()) {
            numberAll(code);
        } else if (!isWhole()) {
            number();
        }
    }

    private void divide(List<Instruction> code, List<Block> blocks, CodeLength length) {
        int total = 0;
        for (Block each : blocks) {
            int own = length.of(code, each);
            if (parts.isEmpty() || total + own > length.most()) {
                parts.add(new ArrayList<>());
                total = 0;
            }
            parts.getLast().add(each);
            total += own;
        }
    }

    private void numberAll(List<Instruction> code) {
        for (int i = 0; i < parts.size(); i++) {
            int next = i << Short.SIZE;
            for (Block each : parts.get(i)) {
                entries.put(each.start(), next++);
            }
            for (Block each : parts.get(i)) {
                if (each.last(code).operation() == Operation.CALL_LOCAL) {
                    reentries.put(each.end() - 1, next++);
                }
            }
        }
    }

    private void number() {
        Set<Integer> targets = new HashSet<>(Set.of(start));
        for (List<Block> part : parts) {
            Set<Integer> own = new HashSet<>();
            part.forEach(each -> own.add(each.start()));
            for (Block each : part) {
                each.successors().stream().filter(to -> !own.contains(to)).forEach(targets::add);
            }
        }
        for (int i = 0; i < parts.size(); i++) {
            int next = i << Short.SIZE;
            for (Block each : parts.get(i)) {
                if (targets.contains(each.start())) {
                    entries.put(each.start(), next++);
                }
            }
        }
    }

    /** The index of the first instruction. */
    int start() {
        return start;
    }

    /** Whether the function is one method. */
    boolean isWhole() {
        return parts.size() == 1;
    }

    /** The stretches of each part. */
    List<List<Block>> parts() {
        return parts;
    }

    /** Which accesses are in the frame. */
    FrameOffsets offsets() {
        return offsets;
    }

    /** The number of the entry at a stretch that another part leads to. */
    int entry(int block) {
        return entries.get(block);
    }

    /** The stretches of a part that are entries, in the order of their numbers. */
    List<Block> entries(int part) {
        return parts.get(part).stream()
                .filter(each -> entries.containsKey(each.start()))
                .toList();
    }

    /**
     * The local calls of a part that are made again, in the order of their numbers, which are those after the
     * stretches.
     */
    List<Integer> reentries(int part) {
        return parts.get(part).stream()
                .map(each -> each.end() - 1)
                .filter(reentries::containsKey)
                .toList();
    }

    /** Puts the numbers of entries into arrays by the index of the instruction that is next. */
    void copyEntries(int[] byStart, int[] byReturn) {
        entries.forEach((index, entry) -> byStart[index] = entry);
        reentries.forEach((call, entry) -> byReturn[call + 1] = entry);
    }
}
