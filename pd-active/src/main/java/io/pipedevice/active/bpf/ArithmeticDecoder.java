// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

/** Decodes instructions of the classes ALU and ALU64 (RFC 9669, sections 4.1 and 4.2). */
final class ArithmeticDecoder {
    private static final int CODE_END = 0xd0;

    private ArithmeticDecoder() {}

    static Instruction decode(RawSlot raw, int width) throws InvalidProgramException {
        if (raw.code() == CODE_END) {
            return byteSwap(raw.withoutSrc().withoutOffset(), width);
        }
        Operation operation = operation(raw);
        raw.withOneOperand();
        if (operation == Operation.NEG) {
            raw.withoutImm();
        }
        if (operation == Operation.MOVSX32 && width == 32) {
            throw raw.unknown();
        }
        return new Instruction(raw.slot(), operation, width, raw.dst(), raw.src(), raw.usesSource(), 0, raw.imm(), -1);
    }

    private static Operation operation(RawSlot raw) throws InvalidProgramException {
        return switch (raw.code()) {
            case 0x30 -> signed(raw, Operation.DIV, Operation.SDIV);
            case 0x90 -> signed(raw, Operation.MOD, Operation.SMOD);
            case 0xb0 -> move(raw);
            default -> plain(raw.withoutOffset());
        };
    }

    private static Operation plain(RawSlot raw) throws InvalidProgramException {
        return switch (raw.code()) {
            case 0x00 -> Operation.ADD;
            case 0x10 -> Operation.SUB;
            case 0x20 -> Operation.MUL;
            case 0x40 -> Operation.OR;
            case 0x50 -> Operation.AND;
            case 0x60 -> Operation.LSH;
            case 0x70 -> Operation.RSH;
            case 0x80 -> {
                if (raw.usesSource()) {
                    throw raw.unknown();
                }
                yield Operation.NEG;
            }
            case 0xa0 -> Operation.XOR;
            case 0xc0 -> Operation.ARSH;
            default -> throw raw.unknown();
        };
    }

    private static Operation signed(RawSlot raw, Operation unsigned, Operation signed) throws InvalidProgramException {
        return switch (raw.offset()) {
            case 0 -> unsigned;
            case 1 -> signed;
            default -> throw raw.unknown();
        };
    }

    private static Operation move(RawSlot raw) throws InvalidProgramException {
        if (raw.offset() == 0) {
            return Operation.MOV;
        }
        if (!raw.usesSource()) {
            throw raw.unknown();
        }
        return switch (raw.offset()) {
            case 8 -> Operation.MOVSX8;
            case 16 -> Operation.MOVSX16;
            case 32 -> Operation.MOVSX32;
            default -> throw raw.unknown();
        };
    }

    private static Instruction byteSwap(RawSlot raw, int width) throws InvalidProgramException {
        if (raw.imm() != 16 && raw.imm() != 32 && raw.imm() != 64) {
            throw raw.unknown();
        }
        Operation operation;
        if (width == 32) {
            operation = raw.usesSource() ? Operation.BE : Operation.LE;
        } else if (raw.usesSource()) {
            throw raw.unknown();
        } else {
            operation = Operation.BSWAP;
        }
        return new Instruction(raw.slot(), operation, raw.imm(), raw.dst(), 0, false, 0, 0, -1);
    }
}
