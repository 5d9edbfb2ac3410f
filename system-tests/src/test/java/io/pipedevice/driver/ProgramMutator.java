// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.test.Attack;
import java.util.Arrays;

/** Changes programs in eBPF: a bit, a field, an opcode, the length; or takes one that is hostile as a whole. */
final class ProgramMutator {
    /** Bytes of an instruction. */
    private static final int SLOT = 8;

    private ProgramMutator() {}

    /** Returns another program, which need not be a valid one. */
    static byte[] mutate(Attack attack, byte[] right) {
        byte[] program = right.clone();
        int slots = program.length / SLOT;
        int kind = attack.random.nextInt(10);
        int at = attack.random.nextInt(slots) * SLOT;
        switch (kind) {
            case 0 -> program = Arrays.copyOf(program, 1 + attack.random.nextInt(2 * program.length));
            case 1 -> program = FunctionPrograms.SPIN.bytes();
            case 2 -> program = FunctionPrograms.UNSAFE.bytes();
            case 3 -> program = HostilePrograms.complex(attack.random.nextInt(), 1 + attack.random.nextInt(6));
            case 4 -> program = HostilePrograms.straight(attack.random.nextInt(), 2 + attack.random.nextInt(4000));
            case 5 -> {
                byte[] magic = {0x7f, 'E', 'L', 'F', 2, 1, 1};
                program = Arrays.copyOf(program, Math.max(64, program.length));
                System.arraycopy(magic, 0, program, 0, magic.length);
            }
            case 6 -> program[at + 1] ^= (byte) (1 << attack.random.nextInt(8));
            case 7 -> program[at + 2 + attack.random.nextInt(6)] = (byte) attack.random.nextInt();
            default -> program[at] = (byte) attack.random.nextInt();
        }
        attack.log("a program with error " + kind + " at " + at / SLOT + ", of " + program.length + " bytes");
        return program;
    }
}
