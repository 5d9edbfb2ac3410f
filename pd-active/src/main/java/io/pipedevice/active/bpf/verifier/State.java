// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Instruction;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;

/**
 * The knowledge before an instruction: the registers, the stack frames, the lengths of memory, the iterations of loops
 * that run, and differences between these. Belongs to the analysis.
 */
final class State {
    /** The variables of the zone: r0 to r9 come first. */
    static final int REGISTERS = 10;

    /** A register before it was shifted to the left by 32 bits. */
    static final int UNSHIFTED = 10;

    static final int FIRST_LENGTH = 11;
    static final int LENGTHS = 5;

    /** Cells of stack frames, and saved registers. */
    static final int FIRST_CELL = 16;

    static final int CELLS = 8;

    static final int FIRST_COUNTER = 24;

    static final int COUNTERS = 8;

    /** An offset in a frame that stands for its saved r6, then r7 and so on. */
    static final int SAVED = Frame.LENGTH;

    final Zone zone;
    final CellVariables cells;
    final LoopCounters loops;
    private final Value[] registers;
    private final Num[] lengths;

    private Frame[] frames;

    /** The registers whose value before the shift is {@link #unshifted}, a bit for each. */
    private int shifted;

    private Num unshifted = Num.UNKNOWN;

    State(List<Num> lengths, int function) {
        zone = new Zone();
        registers = new Value[Instruction.REGISTERS];
        Arrays.fill(registers, Unusable.UNSET);
        this.lengths = lengths.toArray(Num[]::new);
        cells = new CellVariables(zone);
        loops = new LoopCounters(zone);
        frames = new Frame[0];
        pushFrame(function);
    }

    private State(State other) {
        zone = other.zone.copy();
        registers = other.registers.clone();
        lengths = other.lengths.clone();
        cells = new CellVariables(zone, other.cells);
        loops = new LoopCounters(zone, other.loops);
        frames = other.frames.clone();
        shifted = other.shifted;
        unshifted = other.unshifted;
    }

    State copy() {
        return new State(this);
    }

    /** Takes less memory, and can only be copied from now on. Returns how many words it has about. */
    int pack() {
        int count = 0;
        for (Frame frame : frames) {
            count += frame.cells().size() + 16;
        }
        return zone.pack() + count + 64;
    }

    /** The largest cost of an instruction, roughly, and at least 1. */
    int weight() {
        int cost = Integer.bitCount(zone.active()) * Integer.bitCount(zone.active());
        for (Frame frame : frames) {
            cost += frame.cells().size();
        }
        return 1 + cost / 16;
    }

    // registers

    Value register(int register) {
        return registers[register];
    }

    /** The content of a register that an instruction reads. */
    Value read(int register) throws ProgramRefusal {
        if (registers[register] instanceof Unusable unusable) {
            throw new ProgramRefusal(String.format(Locale.ROOT, "r%d %s", register, unusable.problem()));
        }
        return registers[register];
    }

    /** Gives a register a value that is not related to others. */
    void set(int register, Value value) {
        zone.forget(register);
        setKeeping(register, value);
    }

    /** Gives a register a value, after the zone was told how it is related to others. */
    void setKeeping(int register, Value value) {
        registers[register] = value;
        keepShifted(shifted & ~(1 << register));
    }

    /** Copies a register that was read. */
    void move(int register, int source) {
        if (register == source) {
            return;
        }
        if (source < REGISTERS) {
            zone.assign(register, source);
        } else {
            zone.forget(register);
        }
        setKeeping(register, registers[source]);
        if (isShifted(source)) {
            shifted |= 1 << register;
        }
    }

    /** Shifts a register with a number to the left by 32 bits, and remembers what it was. */
    void shift(int register, Num result) {
        Value before = registers[register];
        keepShifted(0);
        zone.assign(UNSHIFTED, register);
        zone.forget(register);
        unshifted = (Num) before;
        registers[register] = result;
        shifted = 1 << register;
    }

    boolean isShifted(int register) {
        return (shifted & 1 << register) != 0;
    }

    int shifted() {
        return shifted;
    }

    /** Keeps the value before the shift only for some registers. */
    void keepShifted(int registers) {
        if (shifted != 0 && registers == 0) {
            zone.forget(UNSHIFTED);
            unshifted = Num.UNKNOWN;
        }
        shifted = registers;
    }

    // frames

    int depth() {
        return frames.length - 1;
    }

    Frame frame(int depth) {
        return frames[depth];
    }

    void setFrame(int depth, Frame frame) {
        frames[depth] = frame;
    }

    /** Begins a function with an empty frame. */
    void pushFrame(int function) {
        int depth = frames.length;
        frames = Arrays.copyOf(frames, depth + 1);
        frames[depth] = Frame.empty(function);
        setFramePointer();
    }

    /** Ends a function: nothing leads to its frame any more. */
    void popFrame() {
        int depth = frames.length - 1;
        cells.release(depth, 0, Long.MAX_VALUE);
        frames = Arrays.copyOf(frames, depth);
        Arrays.setAll(frames, i -> frames[i].withoutPointersTo(depth));
        setFramePointer();
    }

    private void setFramePointer() {
        int depth = depth();
        PointerTarget stack = new PointerTarget(PointerTarget.Kind.STACK, depth, "stack" + depth, true, Frame.LENGTH);
        registers[Instruction.FRAME_POINTER] = Pointer.to(stack, Frame.LENGTH);
    }

    // pointers that may be null

    /** A pointer was compared with 0: all that are null together are a number now, or none of them is null. */
    void decideNull(int register, Pointer pointer, boolean isNull) {
        UnaryOperator<Value> decide = value -> {
            boolean isSame = value instanceof Pointer other && other.nullId() == pointer.nullId();
            return isSame ? decided((Pointer) value, isNull) : value;
        };
        if (pointer.nullId() == Pointer.ALONE) {
            registers[register] = decided(pointer, isNull);
        } else {
            replace(decide);
        }
    }

    private static Value decided(Pointer pointer, boolean isNull) {
        return isNull ? Num.constant(0) : new Pointer(pointer.place(), pointer.offset(), 0);
    }

    /** Pointers of this number are not related any more. */
    void forgetNullId(int id) {
        replace(value -> value instanceof Pointer pointer && pointer.nullId() == id
                ? new Pointer(pointer.place(), pointer.offset(), Pointer.ALONE)
                : value);
    }

    private void replace(UnaryOperator<Value> change) {
        Arrays.setAll(registers, i -> change.apply(registers[i]));
        Arrays.setAll(frames, i -> frames[i].replace(change));
    }

    // variables of the zone

    Num length(int parameter) {
        return lengths[parameter];
    }

    /** The number of a variable, the offset of a pointer; null if it has none. */
    Num number(int variable) {
        if (variable < REGISTERS) {
            return numberOf(registers[variable]);
        }
        if (variable == UNSHIFTED) {
            return unshifted;
        }
        if (variable < FIRST_CELL) {
            return variable - FIRST_LENGTH < lengths.length ? lengths[variable - FIRST_LENGTH] : null;
        }
        if (variable < FIRST_COUNTER) {
            return numberOf(cellValue(variable - FIRST_CELL));
        }
        return loops.number(variable - FIRST_COUNTER);
    }

    private Value cellValue(int cell) {
        if (!cells.isUsed(cell)) {
            return Unusable.UNSET;
        }
        Frame frame = frames[cells.depth(cell)];
        int offset = cells.offset(cell);
        if (offset >= SAVED) {
            return frame.saved().get(offset - SAVED);
        }
        return frame.cells().stream()
                .filter(each -> each.offset() == offset)
                .findFirst()
                .map(Frame.Cell::value)
                .orElse(Unusable.UNSET);
    }

    private static Num numberOf(Value value) {
        return switch (value) {
            case Num number -> number;
            case Pointer pointer -> pointer.offset();
            case Unusable unusable -> null;
        };
    }

    /** Sets what is known about the number of a variable, whose value has not changed. */
    void refine(int variable, Num number) {
        if (variable < REGISTERS) {
            registers[variable] = withNumber(registers[variable], number);
        } else if (variable == UNSHIFTED) {
            unshifted = number;
        } else if (variable < FIRST_CELL) {
            lengths[variable - FIRST_LENGTH] = number;
        } else if (variable < FIRST_COUNTER) {
            refineCell(variable - FIRST_CELL, number);
        } else {
            loops.refine(variable - FIRST_COUNTER, number);
        }
    }

    private void refineCell(int cell, Num number) {
        int depth = cells.depth(cell);
        int offset = cells.offset(cell);
        Value changed = withNumber(cellValue(cell), number);
        if (offset < SAVED) {
            frames[depth] = frames[depth].refine(offset, changed);
        } else {
            Value[] saved = frames[depth].saved().toArray(Value[]::new);
            saved[offset - SAVED] = changed;
            frames[depth] = frames[depth].withSaved(List.of(saved));
        }
    }

    private static Value withNumber(Value value, Num number) {
        return value instanceof Pointer pointer ? pointer.withOffset(number) : number;
    }

    /** One line: the registers that are set. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(" ");
        for (int i = 0; i < registers.length; i++) {
            if (registers[i] != Unusable.UNSET) {
                text.add("r" + i + "=" + registers[i]);
            }
        }
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] != null) {
                text.add("length(r" + (i + 1) + ")=" + lengths[i]);
            }
        }
        return text.toString();
    }
}
