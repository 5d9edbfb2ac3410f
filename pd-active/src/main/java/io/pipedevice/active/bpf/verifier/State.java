// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Instruction;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;

/**
 * What is known before an instruction: the registers, the stack frames, the lengths of memory, the iterations of loops that
 * run, and differences between these. Belongs to the analysis.
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

    /** Two for each loop: one counts up, and one down, because a zone compares differences only. */
    static final int FIRST_COUNTER = 24;

    static final int COUNTERS = 8;

    /** An offset in a frame that stands for its saved r6, then r7 and so on. */
    private static final int SAVED = Frame.LENGTH;

    private static final int FIRST_SAVED = 6;
    private static final int SAVED_REGISTERS = 4;
    private static final int FREE = -1;

    final Zone zone;
    private final Value[] registers;
    private final Num[] lengths;

    /** Which cell a variable is: the frame in the high bits, and the offset. */
    private final int[] cellKeys;

    /** Which loop two counters belong to. */
    private final int[] loops;

    private final Num[] counters;
    private Frame[] frames;

    /** The registers whose value before the shift is {@link #unshifted}, a bit for each. */
    private int shifted;

    private Num unshifted = Num.UNKNOWN;

    State(List<Num> lengths, int function) {
        zone = new Zone();
        registers = new Value[Instruction.REGISTERS];
        Arrays.fill(registers, Unusable.UNSET);
        this.lengths = lengths.toArray(Num[]::new);
        cellKeys = new int[CELLS];
        Arrays.fill(cellKeys, FREE);
        loops = new int[COUNTERS / 2];
        Arrays.fill(loops, FREE);
        counters = new Num[COUNTERS];
        Arrays.fill(counters, Num.UNKNOWN);
        frames = new Frame[0];
        pushFrame(function);
    }

    private State(State other) {
        zone = other.zone.copy();
        registers = other.registers.clone();
        lengths = other.lengths.clone();
        cellKeys = other.cellKeys.clone();
        loops = other.loops.clone();
        counters = other.counters.clone();
        frames = other.frames.clone();
        shifted = other.shifted;
        unshifted = other.unshifted;
    }

    State copy() {
        return new State(this);
    }

    /** Takes less memory, and can only be copied from now on. Returns how many words it has about. */
    int pack() {
        int cells = 0;
        for (Frame frame : frames) {
            cells += frame.cells().size() + 32;
        }
        return zone.pack() + cells + 128;
    }

    /** What an instruction costs at most, roughly, and at least 1. */
    int weight() {
        int related = Integer.bitCount(zone.active());
        return 1 + (related * related + frames[frames.length - 1].cells().size()) / 16;
    }

    // registers

    Value register(int register) {
        return registers[register];
    }

    /** The content of a register that an instruction reads. */
    Value read(int register) throws Refusal {
        if (registers[register] instanceof Unusable unusable) {
            throw new Refusal("r%d %s".formatted(register, unusable.problem()));
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

    /** Begins a function: the registers that it does not get are not set. */
    void pushFrame(int function) {
        int depth = frames.length;
        if (depth > 0) {
            Value[] saved = Arrays.copyOfRange(registers, FIRST_SAVED, FIRST_SAVED + SAVED_REGISTERS);
            frames[depth - 1] = frames[depth - 1].withSaved(List.of(saved));
            for (int i = 0; i < SAVED_REGISTERS; i++) {
                relateCell(depth - 1, SAVED + i, FIRST_SAVED + i);
                set(FIRST_SAVED + i, Unusable.UNSET);
            }
            set(0, Unusable.UNSET);
        }
        frames = Arrays.copyOf(frames, depth + 1);
        frames[depth] = Frame.empty(function);
        Place stack = new Place(Place.Kind.STACK, depth, "stack" + depth, true, Frame.LENGTH);
        registers[Instruction.FRAME_POINTER] = Pointer.to(stack, Frame.LENGTH);
    }

    /** Ends a function: its caller gets its registers back, and r0. */
    void popFrame() {
        int depth = frames.length - 1;
        if (registers[0] instanceof Pointer pointer && pointer.isToFrame(depth)) {
            set(0, Unusable.UNSET);
        }
        releaseCells(depth, 0, Long.MAX_VALUE);
        frames = Arrays.copyOf(frames, depth);
        for (int i = 0; i < depth; i++) {
            frames[i] = frames[i].withoutPointersTo(depth);
        }
        for (int i = 1; i < FIRST_SAVED; i++) {
            set(i, Unusable.UNSET);
        }
        List<Value> saved = frames[depth - 1].saved();
        for (int i = 0; i < SAVED_REGISTERS; i++) {
            set(FIRST_SAVED + i, saved.get(i));
            relateRegister(FIRST_SAVED + i, depth - 1, SAVED + i);
        }
        releaseCells(depth - 1, SAVED, SAVED + SAVED_REGISTERS);
        frames[depth - 1] = frames[depth - 1].withSaved(List.of());
        Place stack = new Place(Place.Kind.STACK, depth - 1, "stack" + (depth - 1), true, Frame.LENGTH);
        registers[Instruction.FRAME_POINTER] = Pointer.to(stack, Frame.LENGTH);
    }

    private static int key(int depth, int offset) {
        return depth << 16 | offset;
    }

    int cellKey(int cell) {
        return cellKeys[cell];
    }

    /** The variable of a cell; -1 if there is none. */
    int findCell(int key) {
        for (int i = 0; i < CELLS; i++) {
            if (cellKeys[i] == key) {
                return i;
            }
        }
        return -1;
    }

    /** Makes a cell that was just stored equal to a register, if the register is related to something. */
    void relateCell(int depth, int offset, int register) {
        int free = findCell(FREE);
        if (register < REGISTERS && zone.isActive(register) && free >= 0) {
            cellKeys[free] = key(depth, offset);
            zone.assign(FIRST_CELL + free, register);
        }
    }

    /** Makes a register that was just set equal to a cell. */
    void relateRegister(int register, int depth, int offset) {
        int cell = findCell(key(depth, offset));
        if (cell >= 0) {
            zone.assign(register, FIRST_CELL + cell);
        }
    }

    /** Forgets the variables of cells that begin in a part of a frame. */
    void releaseCells(int depth, long from, long to) {
        for (int i = 0; i < CELLS; i++) {
            int offset = cellKeys[i] & 0xffff;
            if (cellKeys[i] != FREE && cellKeys[i] >>> 16 == depth && offset >= from && offset < to) {
                releaseCell(i);
            }
        }
    }

    void releaseCell(int cell) {
        cellKeys[cell] = FREE;
        zone.forget(FIRST_CELL + cell);
    }

    // loops

    /** The counter of a loop; -1 if there is none. */
    int findLoop(int loop) {
        for (int i = 0; i < loops.length; i++) {
            if (loops[i] == loop) {
                return i;
            }
        }
        return -1;
    }

    boolean isFree(int cell) {
        return cellKeys[cell] == FREE;
    }

    boolean hasLoop(int counter) {
        return loops[counter] != FREE;
    }

    int loop(int counter) {
        return loops[counter];
    }

    /** Begins to count the iterations of a loop, if there is a counter left. */
    void beginLoop(int loop) {
        int own = findLoop(loop);
        int counter = own >= 0 ? own : findLoop(FREE);
        if (counter >= 0) {
            endLoop(counter);
            loops[counter] = loop;
            counters[2 * counter] = Num.constant(0);
            counters[2 * counter + 1] = Num.constant(0);
        }
    }

    /** Counts an iteration. */
    void countLoop(int counter) {
        for (int i = 0; i < 2; i++) {
            int variable = FIRST_COUNTER + 2 * counter + i;
            int step = i == 0 ? 1 : -1;
            Num number = counters[2 * counter + i];
            if (number.smin() == Long.MIN_VALUE || number.smax() == Long.MAX_VALUE) {
                zone.forget(variable);
                counters[2 * counter + i] = Num.UNKNOWN;
            } else {
                zone.shift(variable, step, step);
                counters[2 * counter + i] = Num.signed(number.smin() + step, number.smax() + step);
            }
        }
    }

    void endLoop(int counter) {
        loops[counter] = FREE;
        for (int i = 2 * counter; i <= 2 * counter + 1; i++) {
            counters[i] = Num.UNKNOWN;
            zone.forget(FIRST_COUNTER + i);
        }
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
            return numberOf(cellValue(cellKeys[variable - FIRST_CELL]));
        }
        return counters[variable - FIRST_COUNTER];
    }

    private Value cellValue(int key) {
        if (key == FREE) {
            return Unusable.UNSET;
        }
        Frame frame = frames[key >>> 16];
        int offset = key & 0xffff;
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
            refineCell(cellKeys[variable - FIRST_CELL], number);
        } else {
            counters[variable - FIRST_COUNTER] = number;
        }
    }

    private void refineCell(int key, Num number) {
        int depth = key >>> 16;
        int offset = key & 0xffff;
        Value changed = withNumber(cellValue(key), number);
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

    /** The largest number of a variable, by what it is related to as well. */
    long most(int variable) {
        long most = number(variable).smax();
        if (zone.isActive(variable)) {
            for (int rest = zone.active(); rest != 0; rest &= rest - 1) {
                int other = Integer.numberOfTrailingZeros(rest);
                long bound = zone.bound(variable, other);
                if (bound != Zone.NONE && number(other) != null) {
                    most = Math.min(most, saturated(number(other).smax(), bound));
                }
            }
        }
        return most;
    }

    /** The least number of a variable, by what it is related to as well. */
    long least(int variable) {
        long least = number(variable).smin();
        if (zone.isActive(variable)) {
            for (int rest = zone.active(); rest != 0; rest &= rest - 1) {
                int other = Integer.numberOfTrailingZeros(rest);
                long bound = zone.bound(other, variable);
                if (bound != Zone.NONE && number(other) != null) {
                    least = Math.max(least, saturated(number(other).smin(), -bound));
                }
            }
        }
        return least;
    }

    private static long saturated(long number, long more) {
        long sum = number + more;
        boolean overflows = ((number ^ sum) & (more ^ sum)) < 0;
        return overflows ? number < 0 ? Long.MIN_VALUE : Long.MAX_VALUE : sum;
    }

    /**
     * Improves the numbers of all variables by their relations.
     *
     * @return whether that is possible
     */
    boolean tighten() {
        for (int rest = zone.active(); rest != 0; rest &= rest - 1) {
            int variable = Integer.numberOfTrailingZeros(rest);
            Num number = number(variable);
            if (number == null) {
                continue;
            }
            Num better = number.withinSigned(least(variable), most(variable));
            if (better == null) {
                return false;
            }
            if (!better.equals(number)) {
                refine(variable, better);
            }
        }
        return true;
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
