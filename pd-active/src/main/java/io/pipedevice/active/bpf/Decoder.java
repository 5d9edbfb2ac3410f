// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Decodes raw code, and resolves what its instructions refer to. Used once, by one thread. */
final class Decoder {
    /** The second slot of a wide instruction, and no instruction of its own. */
    private static final int SECOND_HALF = -1;

    /** The opcode of a load of 64 bits, whose second half is in the next slot. */
    private static final int WIDE = 0x18;

    private static final int CLASS_LD = 0;
    private static final int CLASS_LDX = 1;
    private static final int CLASS_ST = 2;
    private static final int CLASS_STX = 3;
    private static final int CLASS_ALU = 4;
    private static final int CLASS_JMP = 5;
    private static final int CLASS_JMP32 = 6;

    private static final int MODE_IMM = 0x00;
    private static final int MODE_ABS = 0x20;
    private static final int MODE_IND = 0x40;
    private static final int MODE_MEM = 0x60;
    private static final int MODE_MEMSX = 0x80;
    private static final int MODE_ATOMIC = 0xc0;

    private final ByteBuffer code;
    private final List<MemorySegment> data;
    private final int[] indexes;

    Decoder(byte[] code, List<MemorySegment> data) throws InvalidProgramException {
        if (code.length == 0 || code.length % RawSlot.LENGTH != 0) {
            throw new InvalidProgramException("the code has " + code.length + " bytes, which is not a multiple of 8");
        }
        if (code.length / RawSlot.LENGTH > Program.MAX_SLOTS) {
            throw new InvalidProgramException("the code has " + code.length / RawSlot.LENGTH
                    + " slots of 8 bytes, at most " + Program.MAX_SLOTS + " are allowed");
        }
        this.code = ByteBuffer.wrap(code).order(ByteOrder.LITTLE_ENDIAN);
        this.data = data;
        this.indexes = new int[code.length / RawSlot.LENGTH];
    }

    List<Instruction> decode() throws InvalidProgramException {
        number();
        List<Instruction> instructions = new ArrayList<>();
        for (int slot = 0; slot < indexes.length; slot++) {
            if (indexes[slot] != SECOND_HALF) {
                instructions.add(checked(decode(RawSlot.read(code, slot))));
            }
        }
        return List.copyOf(instructions);
    }

    /** Numbers the instructions, so that jumps forward find their targets. */
    private void number() {
        Arrays.fill(indexes, SECOND_HALF);
        int count = 0;
        for (int slot = 0; slot < indexes.length; slot++) {
            indexes[slot] = count++;
            if (RawSlot.read(code, slot).opcode() == WIDE) {
                slot++;
            }
        }
    }

    private static Instruction checked(Instruction instruction) throws InvalidProgramException {
        int highest = Math.max(instruction.dst(), instruction.src());
        if (highest >= Instruction.REGISTERS) {
            throw InvalidProgramException.at(
                    instruction.slot(), "there is no register r" + highest + ", only r0 to r10");
        }
        if (instruction.written() == Instruction.FRAME_POINTER) {
            throw InvalidProgramException.at(instruction.slot(), "it would change r10, which can only be read");
        }
        return instruction;
    }

    private Instruction decode(RawSlot raw) throws InvalidProgramException {
        return switch (raw.classCode()) {
            case CLASS_LD -> wideLoad(raw);
            case CLASS_LDX -> load(raw);
            case CLASS_ST -> store(raw.withoutSrc(), false);
            case CLASS_STX -> raw.mode() == MODE_ATOMIC ? atomic(raw) : store(raw.withoutImm(), true);
            case CLASS_JMP -> jump(raw, 64);
            case CLASS_JMP32 -> jump(raw, 32);
            default -> ArithmeticDecoder.decode(raw, raw.classCode() == CLASS_ALU ? 32 : 64);
        };
    }

    private Instruction wideLoad(RawSlot raw) throws InvalidProgramException {
        if (raw.mode() == MODE_ABS || raw.mode() == MODE_IND) {
            throw raw.refused("there is no packet here for a load of the deprecated group 'packet'");
        }
        if (raw.opcode() != WIDE || raw.mode() != MODE_IMM) {
            throw raw.unknown();
        }
        if (raw.slot() + 1 == indexes.length) {
            throw raw.refused("the code ends inside of this wide instruction");
        }
        RawSlot second = RawSlot.read(code, raw.slot() + 1);
        if (second.opcode() != 0) {
            throw second.refused("the second half of a wide instruction has an opcode of its own");
        }
        second.withoutDst().withoutSrc().withoutOffset();
        Operation operation = switch (raw.withoutOffset().src()) {
            case 0 -> Operation.LOAD_CONSTANT;
            case 1 -> Operation.LOAD_MAP;
            case 2 -> Operation.LOAD_MAP_VALUE;
            case 3 -> Operation.LOAD_VARIABLE;
            case 4 -> Operation.LOAD_CODE;
            case 5 -> Operation.LOAD_MAP_BY_INDEX;
            case 6 -> Operation.LOAD_DATA;
            default -> throw raw.unknown();
        };
        boolean hasSecond = operation == Operation.LOAD_CONSTANT
                || operation == Operation.LOAD_MAP_VALUE
                || operation == Operation.LOAD_DATA;
        if (!hasSecond) {
            second.withoutImm();
        }
        if (operation == Operation.LOAD_DATA) {
            requireData(raw, second.imm());
        }
        boolean isCode = operation == Operation.LOAD_CODE;
        return new Instruction(
                raw.slot(),
                operation,
                64,
                raw.dst(),
                0,
                false,
                isCode ? raw.imm() : 0,
                (long) second.imm() << 32 | Integer.toUnsignedLong(raw.imm()),
                isCode ? target(raw, raw.imm()) : -1);
    }

    private void requireData(RawSlot raw, int offset) throws InvalidProgramException {
        if (Integer.compareUnsigned(raw.imm(), data.size()) >= 0) {
            throw raw.refused("there are no data with the number " + Integer.toUnsignedString(raw.imm()));
        }
        long length = data.get(raw.imm()).byteSize();
        if (Integer.toUnsignedLong(offset) > length) {
            throw raw.refused("the data with the number " + raw.imm() + " have " + length + " bytes, but the offset is "
                    + Integer.toUnsignedString(offset));
        }
    }

    private static Instruction load(RawSlot raw) throws InvalidProgramException {
        raw.withoutImm();
        if (raw.mode() != MODE_MEM && (raw.mode() != MODE_MEMSX || raw.width() == 64)) {
            throw raw.unknown();
        }
        Operation operation = raw.mode() == MODE_MEM ? Operation.LOAD : Operation.LOAD_SIGNED;
        return memory(raw, operation, raw.width(), true, 0);
    }

    private static Instruction store(RawSlot raw, boolean usesSource) throws InvalidProgramException {
        if (raw.mode() != MODE_MEM) {
            throw raw.unknown();
        }
        return memory(raw, Operation.STORE, raw.width(), usesSource, raw.imm());
    }

    private static Instruction atomic(RawSlot raw) throws InvalidProgramException {
        if (raw.width() < 32) {
            throw raw.unknown();
        }
        Operation operation = switch (raw.imm()) {
            case 0x00 -> Operation.ATOMIC_ADD;
            case 0x40 -> Operation.ATOMIC_OR;
            case 0x50 -> Operation.ATOMIC_AND;
            case 0xa0 -> Operation.ATOMIC_XOR;
            case 0x01 -> Operation.FETCH_ADD;
            case 0x41 -> Operation.FETCH_OR;
            case 0x51 -> Operation.FETCH_AND;
            case 0xa1 -> Operation.FETCH_XOR;
            case 0xe1 -> Operation.EXCHANGE;
            case 0xf1 -> Operation.COMPARE_EXCHANGE;
            default -> throw raw.unknown();
        };
        return memory(raw, operation, raw.width(), true, 0);
    }

    private static Instruction memory(RawSlot raw, Operation operation, int width, boolean usesSource, long immediate) {
        return new Instruction(
                raw.slot(), operation, width, raw.dst(), raw.src(), usesSource, raw.offset(), immediate, -1);
    }

    private Instruction jump(RawSlot raw, int width) throws InvalidProgramException {
        Operation operation = switch (raw.code()) {
            case 0x00 -> Operation.JUMP;
            case 0x10 -> Operation.JEQ;
            case 0x20 -> Operation.JGT;
            case 0x30 -> Operation.JGE;
            case 0x40 -> Operation.JSET;
            case 0x50 -> Operation.JNE;
            case 0x60 -> Operation.JSGT;
            case 0x70 -> Operation.JSGE;
            case 0x80 -> Operation.CALL_HELPER;
            case 0x90 -> Operation.EXIT;
            case 0xa0 -> Operation.JLT;
            case 0xb0 -> Operation.JLE;
            case 0xc0 -> Operation.JSLT;
            case 0xd0 -> Operation.JSLE;
            default -> throw raw.unknown();
        };
        if (operation.kind() == Operation.Kind.BRANCH) {
            raw.withOneOperand();
            int target = target(raw, raw.offset());
            return new Instruction(
                    raw.slot(),
                    operation,
                    width,
                    raw.dst(),
                    raw.src(),
                    raw.usesSource(),
                    raw.offset(),
                    raw.imm(),
                    target);
        }
        if (operation == Operation.CALL_HELPER && raw.usesSource() && width == 64) {
            raw.withoutSrc().withoutOffset().withoutImm();
            return new Instruction(raw.slot(), Operation.CALL_REGISTER, width, raw.dst(), 0, false, 0, 0, -1);
        }
        if (raw.usesSource() || (width == 32 && operation != Operation.JUMP)) {
            throw raw.unknown();
        }
        raw.withoutDst();
        return switch (operation) {
            case JUMP -> {
                raw.withoutSrc();
                int distance = width == 32
                        ? raw.withoutOffset().imm()
                        : raw.withoutImm().offset();
                yield transfer(raw, operation, width, distance, 0, target(raw, distance));
            }
            case EXIT -> {
                raw.withoutSrc().withoutOffset().withoutImm();
                yield transfer(raw, operation, width, 0, 0, -1);
            }
            default -> call(raw.withoutOffset());
        };
    }

    private Instruction call(RawSlot raw) throws InvalidProgramException {
        return switch (raw.src()) {
            case 0 -> transfer(raw, Operation.CALL_HELPER, 64, 0, raw.imm(), -1);
            case 1 -> transfer(raw, Operation.CALL_LOCAL, 64, raw.imm(), 0, target(raw, raw.imm()));
            case 2 -> transfer(raw, Operation.CALL_BTF, 64, 0, raw.imm(), -1);
            default -> throw raw.unknown();
        };
    }

    private static Instruction transfer(
            RawSlot raw, Operation operation, int width, int offset, long immediate, int target) {
        return new Instruction(raw.slot(), operation, width, 0, 0, false, offset, immediate, target);
    }

    private int target(RawSlot raw, int distance) throws InvalidProgramException {
        long slot = raw.slot() + 1L + distance;
        if (slot < 0 || slot >= indexes.length) {
            throw raw.refused("it leads to instruction " + slot + ", but the code has 0 to " + (indexes.length - 1));
        }
        int index = indexes[(int) slot];
        if (index == SECOND_HALF) {
            throw raw.refused("it leads to instruction " + slot + ", the second half of a wide instruction");
        }
        return index;
    }
}
