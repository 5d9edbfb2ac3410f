// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

/** Functions in eBPF that cost their driver as much as they can. */
final class HostilePrograms {
    private HostilePrograms() {}

    /** A safe program of some instructions without jumps, another one for each number. */
    static byte[] straight(int number, int slots) {
        StringBuilder code = new StringBuilder(FunctionPrograms.word(0xb7, 0, 0, 0, number));
        for (int i = 2; i < slots; i++) {
            code.append(FunctionPrograms.word(0x07, 0, 0, 0, i));
        }
        return FunctionPrograms.bytes(code.append(FunctionPrograms.word(0x95, 0, 0, 0, 0)));
    }

    /**
     * A program that is followed for as long as its verifier is willing to: a loop, whose bounds move, over many
     * branches that relate registers, before an access that is not safe.
     */
    static byte[] complex(int number, int branches) {
        StringBuilder code = new StringBuilder(FunctionPrograms.word(0xb7, 0, 0, 0, number));
        for (int register = 2; register < 10; register++) {
            code.append(FunctionPrograms.word(0x71, register, 1, register, 0));
        }
        int head = code.length() / Long.BYTES;
        for (int i = 0; i < branches; i++) {
            int one = 2 + i % 8;
            int other = 2 + (i + 1 + i / 8 % 6) % 8;
            code.append(FunctionPrograms.word(0x2d, one, other, 1, 0));
            code.append(FunctionPrograms.word(0x07, one, 0, 0, 1));
        }
        code.append(FunctionPrograms.word(0x07, 0, 0, 0, 1));
        int back = head - code.length() / Long.BYTES - 1;
        code.append(FunctionPrograms.word(0xa5, 0, 0, back, 1_000_000_000));
        code.append(FunctionPrograms.word(0x79, 0, 1, 30_000, 0));
        return FunctionPrograms.bytes(code.append(FunctionPrograms.word(0x95, 0, 0, 0, 0)));
    }
}
