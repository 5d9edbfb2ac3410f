// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Joins what is known on two paths that meet. Used once. */
final class Join {
    private final State old;
    private final State next;

    /** Null where two paths meet that are not those of a loop. */
    private final Thresholds thresholds;

    private final State joined;

    /** The variable of the next state that is the same as one of the old state; -1 if there is none. */
    private final int[] same = new int[Zone.VARIABLES];

    private boolean changed;

    private Join(State old, State next, Thresholds thresholds) {
        this.old = old;
        this.next = next;
        this.thresholds = thresholds;
        this.joined = old.copy();
    }

    /**
     * Joins two states.
     *
     * @param thresholds null for the least state that contains both; otherwise where bounds stop that have changed
     * @return a state that contains both; null if it is the old one
     */
    static State join(State old, State next, Thresholds thresholds) {
        Join join = new Join(old, next, thresholds);
        join.joinValues();
        join.joinVariables();
        join.joinZones();
        return join.changed ? join.joined : null;
    }

    private void joinValues() {
        for (int i = 0; i <= State.REGISTERS; i++) {
            Value value = join(old.register(i), next.register(i));
            if (!value.equals(old.register(i))) {
                joined.setKeeping(i, value);
            }
        }
        for (int i = 0; i <= old.depth(); i++) {
            joined.setFrame(i, frames(old.frame(i), next.frame(i)));
        }
    }

    private Value join(Value one, Value other) {
        if (one.equals(other)) {
            return one;
        }
        Value result = different(one, other);
        if (result.equals(one)) {
            return one;
        }
        changed = true;
        return result;
    }

    private Value different(Value one, Value other) {
        if (one == Unusable.UNSET || other == Unusable.UNSET) {
            return Unusable.UNSET;
        }
        if (one instanceof Num left && other instanceof Num right) {
            return numbers(left, right);
        }
        if (one instanceof Pointer left && other instanceof Pointer right) {
            return pointers(left, right);
        }
        if (one instanceof Pointer pointer && other instanceof Num number) {
            return orNull(pointer, number);
        }
        return one instanceof Num number && other instanceof Pointer pointer
                ? orNull(pointer, number)
                : Unusable.DIFFERENT;
    }

    private Num numbers(Num one, Num other) {
        return thresholds == null ? one.join(other) : one.widen(other, thresholds);
    }

    private Value pointers(Pointer one, Pointer other) {
        if (!one.place().equals(other.place())) {
            return Unusable.DIFFERENT;
        }
        Num offset = numbers(one.offset(), other.offset());
        if (one.nullId() == other.nullId()) {
            return one.withOffset(offset);
        }
        return offset.isConstant() ? new Pointer(one.place(), offset, Pointer.ALONE) : Unusable.DIFFERENT;
    }

    private static Value orNull(Pointer pointer, Num number) {
        boolean isNull = number.isConstant() && number.constant() == 0;
        boolean isStart = pointer.offset().isConstant() && pointer.offset().constant() == 0;
        return isNull && isStart ? new Pointer(pointer.place(), pointer.offset(), Pointer.ALONE) : Unusable.DIFFERENT;
    }

    private Frame frames(Frame one, Frame other) {
        if (one.equals(other)) {
            return one;
        }
        List<Value> saved = new ArrayList<>();
        for (int i = 0; i < one.saved().size(); i++) {
            saved.add(join(one.saved().get(i), other.saved().get(i)));
        }
        List<Frame.Cell> cells = joinCells(one.cells(), other.cells());
        ByteSet written = one.written().and(other.written());
        ByteSet secret = one.secret().or(other.secret());
        changed |= !written.equals(one.written()) || !secret.equals(one.secret());
        return new Frame(one.function(), saved, written, secret, cells);
    }

    private List<Frame.Cell> joinCells(List<Frame.Cell> one, List<Frame.Cell> other) {
        List<Frame.Cell> cells = new ArrayList<>();
        int at = 0;
        for (Frame.Cell cell : one) {
            while (at < other.size() && other.get(at).offset() < cell.offset()) {
                at++;
            }
            boolean isInBoth = at < other.size()
                    && other.get(at).offset() == cell.offset()
                    && other.get(at).length() == cell.length();
            Value both = isInBoth ? join(cell.value(), other.get(at).value()) : Unusable.UNSET;
            if (both instanceof Unusable) {
                changed = true;
            } else {
                cells.add(both.equals(cell.value()) ? cell : new Frame.Cell(cell.offset(), cell.length(), both));
            }
        }
        return cells;
    }

    /** Joins what only variables have, and finds out which variables are the same in both states. */
    private void joinVariables() {
        for (int i = 0; i < Zone.VARIABLES; i++) {
            same[i] = i;
        }
        int shifted = old.shifted() & next.shifted();
        if (shifted != old.shifted()) {
            changed = true;
            joined.keepShifted(shifted);
        }
        same[State.UNSHIFTED] = shifted == 0 ? -1 : State.UNSHIFTED;
        for (int i = 0; i < State.CELLS; i++) {
            int cell = old.cells.isUsed(i) ? next.cells.find(old.cells.depth(i), old.cells.offset(i)) : -1;
            same[State.FIRST_CELL + i] = cell < 0 ? -1 : State.FIRST_CELL + cell;
            boolean isGone = cell < 0 || joined.number(State.FIRST_CELL + i) == null;
            if (isGone && old.cells.isUsed(i)) {
                changed = true;
                joined.cells.release(i);
            }
        }
        for (int i = 0; i < LoopCounters.COUNT; i++) {
            int counter = old.loops.isUsed(i) ? next.loops.find(old.loops.loop(i)) : -1;
            for (int part = 0; part < 2; part++) {
                same[LoopCounters.variable(i) + part] = counter < 0 ? -1 : LoopCounters.variable(counter) + part;
            }
            if (counter < 0 && old.loops.isUsed(i)) {
                changed = true;
                joined.loops.end(i);
            }
        }
        for (int i = State.UNSHIFTED; i < Zone.VARIABLES; i++) {
            boolean isCell = i >= State.FIRST_CELL && i < State.FIRST_COUNTER;
            if (same[i] >= 0 && !isCell && old.number(i) != null) {
                Value number = join(old.number(i), next.number(same[i]));
                joined.refine(i, (Num) number);
            }
        }
    }

    private void joinZones() {
        joined.zone.clear();
        List<Integer> variables = new ArrayList<>();
        for (int i = 0; i < Zone.VARIABLES; i++) {
            boolean isIn = same[i] >= 0 && old.number(i) != null && next.number(same[i]) != null;
            if (isIn && joined.number(i) != null && matters(i)) {
                variables.add(i);
            } else if (old.zone.isActive(i)) {
                // A dropped variable loses its bounds. A variable without relations has none to lose.
                changed |= joined.number(i) == null || same[i] < 0;
            }
        }
        for (int a : variables) {
            for (int b : variables) {
                if (a != b) {
                    joinBound(a, b);
                }
            }
        }
    }

    private boolean matters(int variable) {
        return old.zone.isActive(variable)
                || next.zone.isActive(same[variable])
                || !Objects.equals(joined.number(variable), old.number(variable));
    }

    private void joinBound(int a, int b) {
        long known = old.zone.bound(a, b);
        long nextBound =
                Math.min(next.zone.bound(same[a], same[b]), difference(next.number(same[a]), next.number(same[b])));
        long implied = difference(joined.number(a), joined.number(b));
        long before = Math.min(known, difference(old.number(a), old.number(b)));
        long bound;
        if (thresholds == null) {
            bound = Math.max(before, nextBound);
        } else if (nextBound <= before) {
            bound = before;
        } else {
            bound = nextBound <= known ? known : Zone.NONE;
        }
        changed |= known != Zone.NONE && Math.min(bound, implied) > known;
        if (bound < implied) {
            joined.zone.set(a, b, bound);
        }
    }

    /** The largest difference of two numbers. */
    private static long difference(Num one, Num other) {
        long difference = one.smax() - other.smin();
        boolean overflows = ((one.smax() ^ other.smin()) & (one.smax() ^ difference)) < 0;
        return overflows ? Zone.NONE : difference;
    }
}
