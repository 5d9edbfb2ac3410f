// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import java.util.Arrays;

/** Which cells of stack frames, and which saved registers, are variables of the zone. Belongs to one state. */
final class CellVariables {
    private static final int FREE = -1;
    private static final int OFFSET_BITS = 16;
    private static final int OFFSET_MASK = (1 << OFFSET_BITS) - 1;

    private final Zone zone;

    /** The frame in the high bits, and the offset, which is not less than a frame for a saved register. */
    private final int[] keys;

    CellVariables(Zone zone) {
        this.zone = zone;
        keys = new int[State.CELLS];
        Arrays.fill(keys, FREE);
    }

    /** A copy for a copy of the zone. */
    CellVariables(Zone zone, CellVariables other) {
        this.zone = zone;
        keys = other.keys.clone();
    }

    boolean isUsed(int cell) {
        return keys[cell] != FREE;
    }

    int depth(int cell) {
        return keys[cell] >>> OFFSET_BITS;
    }

    int offset(int cell) {
        return keys[cell] & OFFSET_MASK;
    }

    /** The variable of a cell, from the first one on; -1 if there is none. */
    int find(int depth, int offset) {
        return find(depth << OFFSET_BITS | offset);
    }

    private int find(int key) {
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] == key) {
                return i;
            }
        }
        return -1;
    }

    /** Makes a cell that was just stored equal to a register, if the register is related to something. */
    void relateCell(int depth, int offset, int register) {
        int free = find(FREE);
        if (register < State.REGISTERS && zone.isActive(register) && free >= 0) {
            keys[free] = depth << OFFSET_BITS | offset;
            zone.assign(State.FIRST_CELL + free, register);
        }
    }

    /** Makes a register that was just set equal to a cell. */
    void relateRegister(int register, int depth, int offset) {
        int cell = find(depth, offset);
        if (cell >= 0) {
            zone.assign(register, State.FIRST_CELL + cell);
        }
    }

    /** Forgets the variables of cells that begin in a part of a frame. */
    void release(int depth, long from, long to) {
        for (int i = 0; i < keys.length; i++) {
            if (isUsed(i) && depth(i) == depth && offset(i) >= from && offset(i) < to) {
                release(i);
            }
        }
    }

    void release(int cell) {
        keys[cell] = FREE;
        zone.forget(State.FIRST_CELL + cell);
    }
}
