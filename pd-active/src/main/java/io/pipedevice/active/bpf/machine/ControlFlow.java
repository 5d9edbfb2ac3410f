// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import io.pipedevice.active.bpf.Instruction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/** Divides a function into stretches without jumps. */
public final class ControlFlow {
    /**
     * The most instructions of a stretch. The interpreter executes fewer at the end of the fuel, and each stretch fits
     * into a method.
     */
    public static final int MAX_LENGTH = 64;

    private ControlFlow() {}

    /**
     * The stretches of a function that can be reached, in the order of the code.
     *
     * @param code the instructions of the program
     * @param start the index of the first instruction of the function
     * @param end the index behind its last one
     * @param helpers the helpers that it may call
     * @return at least one stretch
     */
    public static List<Block> blocks(List<Instruction> code, int start, int end, Helpers helpers) {
        BitSet starts = starts(code, start, end, helpers);
        BitSet reached = new BitSet();
        Deque<Integer> open = new ArrayDeque<>(List.of(start));
        reached.set(start);
        List<Block> blocks = new ArrayList<>();
        while (!open.isEmpty()) {
            int first = open.pop();
            int next = starts.nextSetBit(first + 1);
            int behind = next < 0 ? end : next;
            Block block = new Block(first, behind, successors(code.get(behind - 1), behind));
            blocks.add(block);
            for (int successor : block.successors()) {
                if (!reached.get(successor)) {
                    reached.set(successor);
                    open.push(successor);
                }
            }
        }
        blocks.sort((a, b) -> Integer.compare(a.start(), b.start()));
        return blocks;
    }

    private static BitSet starts(List<Instruction> code, int start, int end, Helpers helpers) {
        BitSet starts = new BitSet();
        for (int i = start; i < end; i++) {
            Instruction it = code.get(i);
            switch (it.operation()) {
                case EXIT, CALL_LOCAL -> starts.set(i + 1);
                default -> {
                    if (it.target() >= 0) {
                        starts.set(i + 1);
                        starts.set(it.target());
                    } else if (helpers.mayWait(it)) {
                        starts.set(i + 1);
                    }
                }
            }
        }
        for (int i = start, length = 0; i < end; i++, length++) {
            if (starts.get(i)) {
                length = 0;
            } else if (length == MAX_LENGTH) {
                starts.set(i);
                length = 0;
            }
        }
        return starts;
    }

    private static List<Integer> successors(Instruction last, int behind) {
        return switch (last.operation().kind()) {
            case JUMP -> List.of(last.target());
            case BRANCH -> last.target() == behind ? List.of(behind) : List.of(behind, last.target());
            case EXIT -> List.of();
            default -> List.of(behind);
        };
    }
}
