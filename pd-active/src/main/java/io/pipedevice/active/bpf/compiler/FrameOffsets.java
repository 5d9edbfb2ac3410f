// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.machine.Block;
import io.pipedevice.active.bpf.machine.StackFrames;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the accesses that reach a known place in the frame of their own function, by following copies of r10 and sums
 * with constants.
 */
final class FrameOffsets {
    /** The result of {@link #of} for an access that is not known to be in the frame. */
    static final int UNKNOWN = Integer.MIN_VALUE;

    /** Sums beyond it are not followed, so that none overflows. */
    private static final int LIMIT = 1 << 20;

    private final List<Instruction> code;

    /** The registers at the start of a stretch: offsets in the frame. */
    private final Map<Integer, int[]> before = new HashMap<>();

    private final Map<Integer, Integer> known = new HashMap<>();

    FrameOffsets(List<Instruction> code, List<Block> blocks) {
        this.code = code;
        Map<Integer, Block> byStart = new HashMap<>();
        blocks.forEach(each -> byStart.put(each.start(), each));
        int[] registers = new int[Instruction.REGISTERS];
        Arrays.fill(registers, UNKNOWN);
        registers[Instruction.FRAME_POINTER] = StackFrames.FRAME_LENGTH;
        Deque<Block> changed = new ArrayDeque<>(List.of(blocks.getFirst()));
        before.put(blocks.getFirst().start(), registers);
        // each register of a stretch changes twice at most
        while (!changed.isEmpty()) {
            Block block = changed.pop();
            int[] after = follow(block, false);
            for (int successor : block.successors()) {
                if (merge(successor, after)) {
                    changed.push(byStart.get(successor));
                }
            }
        }
        blocks.forEach(each -> follow(each, true));
    }

    /** The offset in the frame of the first byte that an instruction accesses; all its bytes are in the frame. */
    int of(int index) {
        return known.getOrDefault(index, UNKNOWN);
    }

    /** Whether any access of a stretch is known to be in the frame. */
    boolean anyIn(Block block) {
        for (int i = block.start(); i < block.end(); i++) {
            if (of(i) != UNKNOWN) {
                return true;
            }
        }
        return false;
    }

    private boolean merge(int start, int[] incoming) {
        int[] present = before.get(start);
        if (present == null) {
            before.put(start, incoming.clone());
            return true;
        }
        boolean changed = false;
        for (int i = 0; i < present.length; i++) {
            if (present[i] != UNKNOWN && present[i] != incoming[i]) {
                present[i] = UNKNOWN;
                changed = true;
            }
        }
        return changed;
    }

    private int[] follow(Block block, boolean record) {
        int[] registers = before.get(block.start()).clone();
        for (int i = block.start(); i < block.end(); i++) {
            Instruction it = code.get(i);
            if (record) {
                record(i, it, registers);
            }
            switch (it.operation()) {
                case CALL_HELPER, CALL_REGISTER, CALL_LOCAL -> Arrays.fill(registers, 0, 6, UNKNOWN);
                default -> {
                    if (it.written() >= 0) {
                        registers[it.written()] = result(it, registers);
                    }
                }
            }
        }
        return registers;
    }

    private void record(int index, Instruction it, int[] registers) {
        int base = switch (it.operation()) {
            case LOAD, LOAD_SIGNED -> registers[it.src()];
            case STORE -> registers[it.dst()];
            default -> UNKNOWN;
        };
        int offset = base + it.offset();
        if (base != UNKNOWN && offset >= 0 && offset <= StackFrames.FRAME_LENGTH - it.length()) {
            known.put(index, offset);
        }
    }

    private static int result(Instruction it, int[] registers) {
        if (it.width() != Long.SIZE) {
            return UNKNOWN;
        }
        if (it.operation() == Operation.MOV && it.usesSource()) {
            return registers[it.src()];
        }
        int old = registers[it.dst()];
        if (it.usesSource() || old == UNKNOWN) {
            return UNKNOWN;
        }
        return switch (it.operation()) {
            case ADD -> limited(old + it.immediate());
            case SUB -> limited(old - it.immediate());
            default -> UNKNOWN;
        };
    }

    private static int limited(long offset) {
        return Math.abs(offset) <= LIMIT ? (int) offset : UNKNOWN;
    }
}
