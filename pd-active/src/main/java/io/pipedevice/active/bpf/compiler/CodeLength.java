// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.machine.Block;
import java.util.List;

/**
 * How much bytecode instructions need at most, so that methods stay below the length that the JVM's compilers accept.
 */
final class CodeLength {
    /** Longer methods are only interpreted (the flag HugeMethodLimit of HotSpot). */
    static final int LIMIT = 8000;

    /** The bytes of each method before and behind its stretches. */
    private static final int METHOD = 400;

    /** The most that stretches of one method can have. */
    static final int MOST = LIMIT - METHOD;

    /** More bytes of each method of a program that can stop. */
    private static final int STOPS = 200;

    /**
     * More bytes of a call in a program that can stop: zeros in registers, a look whether it has to, and another entry.
     */
    private static final int CALL_STOPS = 40;

    /** Fuel, the way to its end, and a place in the switch at the beginning of a part. */
    private static final int STRETCH = 44;

    /** Naming the current instruction. */
    private static final int AT = 5;

    /** A jump, and the way to another part. */
    private static final int JUMP = 3 + 13 + 3;

    private final ConstantLoader constants;
    private final int most;
    private final boolean canStop;

    CodeLength(ConstantLoader constants, int most, boolean canStop) {
        this.constants = constants;
        this.most = canStop ? Math.min(most, MOST - STOPS) : most;
        this.canStop = canStop;
    }

    /** Whether the program can stop. */
    boolean canStop() {
        return canStop;
    }

    /** The most that stretches of one method may have, where it has more than one. */
    int most() {
        return most;
    }

    int of(List<Instruction> code, Block block) {
        int length = STRETCH + JUMP;
        for (Instruction each : code.subList(block.start(), block.end())) {
            length += of(each);
        }
        return length;
    }

    private int of(Instruction it) {
        int operand = it.usesSource() ? 3 : constants.lengthOf(it.immediate());
        return switch (it.operation().kind()) {
            case ARITHMETIC -> 12 + operand;
            case WIDE_LOAD -> wideLoad(it);
            case LOAD -> AT + 21;
            case STORE -> AT + 15 + operand;
            case ATOMIC -> AT + 25;
            case JUMP -> 0;
            case BRANCH -> 10 + operand + JUMP;
            case CALL -> AT + (canStop ? CALL_STOPS : 0) + (it.operation() == Operation.CALL_LOCAL ? 95 : 30);
            case EXIT -> 12;
        };
    }

    private int wideLoad(Instruction it) {
        if (it.operation() != Operation.LOAD_DATA) {
            return 2 + constants.lengthOf(it.immediate());
        }
        int index = (int) it.immediate();
        int number = constants.lengthOf(index);
        return AT + 10 + number + constants.lengthOf(it.immediate() >>> Integer.SIZE);
    }
}
