// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import java.util.Locale;

/** The effect of loads, stores and atomic operations on a state. */
final class MemoryStep {
    private final Bounds bounds;

    MemoryStep(Bounds bounds) {
        this.bounds = bounds;
    }

    void load(State state, int index, Instruction it) throws ProgramRefusal {
        Span span = bounds.check(state, index, it, it.src(), false);
        Value value = isCell(state, span, it)
                ? state.frame(span.place().index()).value((int) span.least(), it.length())
                : loadNumber(state, span, it);
        boolean isSigned = it.operation() == Operation.LOAD_SIGNED;
        if (isSigned && value instanceof Num number) {
            state.set(it.dst(), NumberArithmetic.extend(it.width(), 64, number));
            return;
        }
        if (isSigned) {
            throw new ProgramRefusal("it would read a part of an address");
        }
        state.set(it.dst(), value);
        if (isCell(state, span, it)) {
            state.cells.relateRegister(it.dst(), span.place().index(), (int) span.least());
        }
    }

    /** Whether a load is of all bytes of a known value. */
    private static boolean isCell(State state, Span span, Instruction it) {
        return span.place().kind() == PointerTarget.Kind.STACK
                && span.isExact()
                && state.frame(span.place().index()).value((int) span.least(), it.length()) != null;
    }

    private static Num loadNumber(State state, Span span, Instruction it) throws ProgramRefusal {
        if (span.place().kind() == PointerTarget.Kind.STACK) {
            span.requireNumbers(state.frame(span.place().index()), "read");
        }
        return Num.ofWidth(it.width());
    }

    void store(State state, int index, Instruction it) throws ProgramRefusal {
        Value value = it.usesSource() ? state.read(it.src()) : Num.constant(it.immediate());
        Span span = bounds.check(state, index, it, it.dst(), true);
        boolean isStack = span.place().kind() == PointerTarget.Kind.STACK;
        if (value instanceof Pointer) {
            requirePlaceForPointer(it, span, isStack);
        }
        if (!isStack) {
            return;
        }
        int depth = span.place().index();
        int from = (int) span.least();
        if (!span.isExact()) {
            forget(state, span);
            return;
        }
        releaseCells(state, span);
        Value stored = value instanceof Num number ? NumberArithmetic.truncate(it.width(), number) : value;
        state.setFrame(depth, state.frame(depth).store(from, it.length(), stored));
        if (it.usesSource() && stored.equals(value)) {
            state.cells.relateCell(depth, from, it.src());
        }
    }

    private static void requirePlaceForPointer(Instruction it, Span span, boolean isStack) throws ProgramRefusal {
        if (!isStack) {
            throw new ProgramRefusal(String.format(
                    Locale.ROOT,
                    "it would store the address in r%d in '%s', which others can read",
                    it.src(),
                    span.name()));
        }
        if (it.width() != 64) {
            throw new ProgramRefusal(
                    String.format(Locale.ROOT, "it would store a part of the address in r%d", it.src()));
        }
        if (!span.isExact()) {
            throw new ProgramRefusal(String.format(
                    Locale.ROOT, "it would store the address in r%d at an unknown place of the stack", it.src()));
        }
    }

    void atomic(State state, int index, Instruction it) throws ProgramRefusal {
        requireNumber(state, it.src());
        if (it.operation() == Operation.COMPARE_EXCHANGE) {
            requireNumber(state, 0);
        }
        Span span = bounds.check(state, index, it, it.dst(), true);
        if (!span.isAligned(it.length())) {
            throw new ProgramRefusal(
                    String.format(Locale.ROOT, "the address may not be a multiple of %d", it.length()));
        }
        if (span.place().kind() == PointerTarget.Kind.STACK) {
            span.requireNumbers(state.frame(span.place().index()), "read");
            forget(state, span);
        }
        if (it.written() >= 0) {
            state.set(it.written(), Num.ofWidth(it.width()));
        }
    }

    private static void requireNumber(State state, int register) throws ProgramRefusal {
        if (state.read(register) instanceof Pointer) {
            throw new ProgramRefusal(
                    String.format(Locale.ROOT, "it would store the address in r%d by an atomic operation", register));
        }
    }

    /** Numbers were stored somewhere in a part of the stack. */
    static void forget(State state, Span span) {
        int depth = span.place().index();
        releaseCells(state, span);
        state.setFrame(depth, state.frame(depth).forget((int) span.least(), (int) span.end()));
    }

    /** Forgets the variables of all cells that overlap a part of the stack. */
    static void releaseCells(State state, Span span) {
        state.cells.release(span.place().index(), span.least() - Long.BYTES + 1, span.end());
    }
}
