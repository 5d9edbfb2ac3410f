// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

import java.nio.ByteBuffer;
import java.util.Locale;

/** The fields of the 8 bytes at one slot of the raw code (RFC 9669, section 3). */
record RawSlot(int slot, int opcode, int dst, int src, int offset, int imm) {
    static final int LENGTH = 8;

    static RawSlot read(ByteBuffer code, int slot) {
        int at = slot * LENGTH;
        int registers = code.get(at + 1) & 0xff;
        return new RawSlot(
                slot,
                code.get(at) & 0xff,
                registers & 0xf,
                registers >>> 4,
                code.getShort(at + 2),
                code.getInt(at + 4));
    }

    int classCode() {
        return opcode & 0x07;
    }

    /** The operation of arithmetic and jumps. */
    int code() {
        return opcode & 0xf0;
    }

    /** Whether arithmetic and jumps take the source register as their second operand. */
    boolean usesSource() {
        return (opcode & 0x08) != 0;
    }

    /** The mode of loads and stores. */
    int mode() {
        return opcode & 0xe0;
    }

    /** How many bits loads and stores move. */
    int width() {
        return switch (opcode & 0x18) {
            case 0x00 -> 32;
            case 0x08 -> 16;
            case 0x10 -> 8;
            default -> 64;
        };
    }

    InvalidProgramException refused(String problem) {
        return InvalidProgramException.at(slot, problem);
    }

    InvalidProgramException unknown() {
        return refused(String.format(
                Locale.ROOT, "RFC 9669 does not define opcode 0x%02x with these fields (%s)", opcode, this));
    }

    private void requireZero(String field, int value) throws InvalidProgramException {
        if (value != 0) {
            throw refused(String.format(
                    Locale.ROOT, "opcode 0x%02x does not use the field %s, which is %d", opcode, field, value));
        }
    }

    RawSlot withoutDst() throws InvalidProgramException {
        requireZero("dst", dst);
        return this;
    }

    RawSlot withoutSrc() throws InvalidProgramException {
        requireZero("src", src);
        return this;
    }

    RawSlot withoutOffset() throws InvalidProgramException {
        requireZero("offset", offset);
        return this;
    }

    RawSlot withoutImm() throws InvalidProgramException {
        requireZero("imm", imm);
        return this;
    }

    /** Checks the operand that the source bit does not choose. */
    RawSlot withOneOperand() throws InvalidProgramException {
        return usesSource() ? withoutImm() : withoutSrc();
    }

    @Override
    public String toString() {
        return "dst " + dst + ", src " + src + ", offset " + offset + ", imm " + imm;
    }
}
