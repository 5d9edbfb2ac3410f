// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Raw instructions, whose jumps and calls are to the positions of other instructions in the list. */
public final class RawCode {
    private static final int WIDE = 0x18;

    /** What a jump or a call leads to: an index in the list; -1 for other instructions. */
    private record Raw(int opcode, int dst, int src, int offset, long imm, int target) {
        boolean isWide() {
            return opcode == WIDE;
        }
    }

    private final List<Raw> list = new ArrayList<>();

    /** The number of instructions. */
    public int size() {
        return list.size();
    }

    /** An instruction as it is. */
    public RawCode add(int opcode, int dst, int src, int offset, long imm) {
        list.add(new Raw(opcode, dst, src, offset, imm, -1));
        return this;
    }

    /** A load of 64 bits, whose immediate has both halves. */
    public RawCode wide(int dst, int src, long imm) {
        return add(WIDE, dst, src, 0, imm);
    }

    /** A branch; the second operand is a register if the opcode says so. */
    public RawCode branch(int opcode, int dst, int src, long imm, int target) {
        list.add(new Raw(opcode, dst, src, 0, imm, target));
        return this;
    }

    /** A jump, by the immediate, which reaches further than the offset. */
    public RawCode jump(int target) {
        list.add(new Raw(0x06, 0, 0, 0, 0, target));
        return this;
    }

    /** A local call. */
    public RawCode call(int target) {
        list.add(new Raw(0x85, 0, 1, 0, 0, target));
        return this;
    }

    /** An exit. */
    public RawCode exit() {
        return add(0x95, 0, 0, 0, 0);
    }

    /** Changes what a jump or a call leads to that was added before. */
    public void lead(int index, int target) {
        Raw raw = list.get(index);
        list.set(index, new Raw(raw.opcode, raw.dst, raw.src, raw.offset, raw.imm, target));
    }

    /** The code. */
    public byte[] bytes() {
        int[] slots = new int[list.size() + 1];
        for (int i = 0; i < list.size(); i++) {
            slots[i + 1] = slots[i] + (list.get(i).isWide() ? 2 : 1);
        }
        ByteBuffer code = ByteBuffer.allocate(slots[list.size()] * 8).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < list.size(); i++) {
            Raw raw = list.get(i);
            int distance = raw.target < 0 ? 0 : slots[raw.target] - slots[i + 1];
            boolean inImmediate = raw.opcode == 0x06 || raw.opcode == 0x85;
            code.put((byte) raw.opcode).put((byte) (raw.dst | raw.src << 4));
            code.putShort((short) (inImmediate || raw.target < 0 ? raw.offset : distance));
            code.putInt((int) (inImmediate && raw.target >= 0 ? distance : raw.imm));
            if (raw.isWide()) {
                code.putInt(0).putInt((int) (raw.imm >>> 32));
            }
        }
        return code.array();
    }
}
