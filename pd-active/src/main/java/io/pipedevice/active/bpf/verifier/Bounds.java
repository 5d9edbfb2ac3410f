// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import java.util.Locale;

/** Checks that accesses stay in their memory. */
final class Bounds {
    /** Takes the facts that an analysis learns about accesses. */
    @FunctionalInterface
    interface Listener {
        /**
         * An access was checked.
         *
         * @param state the state before the instruction
         * @param index the instruction
         * @param span the bytes that it reaches
         */
        void accessed(State state, int index, Span span);
    }

    private final Listener listener;

    Bounds(Listener listener) {
        this.listener = listener;
    }

    /** Checks a load, a store or an atomic operation. */
    Span check(State state, int index, Instruction it, int register, boolean writes) throws ProgramRefusal {
        String name = it.operation().kind() == Operation.Kind.LOAD ? "load" : writes ? "store" : "access";
        Span span = check(state, name, register, it.offset(), Num.constant(it.length()), -1, writes);
        listener.accessed(state, index, span);
        return span;
    }

    /** Checks memory that a helper reads or changes. */
    Span check(State state, int index, int register, int lengthRegister, boolean writes) throws ProgramRefusal {
        if (!(state.read(lengthRegister) instanceof Num length)) {
            throw new ProgramRefusal(String.format(Locale.ROOT, "r%d is an address and not a length", lengthRegister));
        }
        if (Relations.least(state, lengthRegister) < 0) {
            throw new ProgramRefusal(String.format(Locale.ROOT, "the length in r%d may be negative", lengthRegister));
        }
        Span span = check(state, writes ? "write" : "read", register, 0, length, lengthRegister, writes);
        listener.accessed(state, index, span);
        return span;
    }

    private static Span check(
            State state, String name, int register, int displacement, Num length, int lengthRegister, boolean writes)
            throws ProgramRefusal {
        Pointer pointer = pointer(state, register);
        PointerTarget place = pointer.place();
        if (writes && !place.isWritable()) {
            throw new ProgramRefusal(String.format(Locale.ROOT, "'%s' can only be read", place.name()));
        }
        boolean isVariable = register < State.REGISTERS;
        long least =
                isVariable ? Relations.least(state, register) : pointer.offset().smin();
        long most =
                isVariable ? Relations.most(state, register) : pointer.offset().smax();
        long longest = lengthRegister < 0 ? length.smax() : Relations.most(state, lengthRegister);
        if (least < -Parameter.Memory.MAX_LENGTH || most > Parameter.Memory.MAX_LENGTH) {
            throw new ProgramRefusal(String.format(
                    Locale.ROOT, "the %s may be anywhere, because the offset in r%d has no bounds", name, register));
        }
        Num offset = NumberArithmetic.compute(Operation.ADD, 64, pointer.offset(), Num.constant(displacement));
        Span span = new Span(place, least + displacement, most + displacement, longest, offset);
        if (span.least() < 0) {
            throw new ProgramRefusal(String.format(
                    Locale.ROOT, "the %s may begin %s before '%s'", name, bytes(-span.least()), place.name()));
        }
        if (!isWithin(state, span, register, displacement, lengthRegister)) {
            throw new ProgramRefusal(String.format(
                    Locale.ROOT,
                    "the %s of %s at offset %s may leave '%s', which has %s",
                    name,
                    bytes(longest),
                    span.isExact() ? Long.toString(least + displacement) : span.least() + ".." + span.most(),
                    place.name(),
                    lengthText(state, place)));
        }
        return span;
    }

    private static Pointer pointer(State state, int register) throws ProgramRefusal {
        if (!(state.read(register) instanceof Pointer pointer)) {
            throw new ProgramRefusal(String.format(Locale.ROOT, "r%d is a number and not an address", register));
        }
        if (pointer.mayBeNull()) {
            throw new ProgramRefusal(
                    String.format(Locale.ROOT, "r%d may be null and has not been compared with 0", register));
        }
        return pointer;
    }

    private static String lengthText(State state, PointerTarget place) {
        return place.kind() == PointerTarget.Kind.PARAMETER
                ? "at least " + bytes(Relations.least(state, State.FIRST_LENGTH + place.index()))
                : bytes(place.length());
    }

    private static String bytes(long count) {
        return count == 1 ? "1 byte" : count + " bytes";
    }

    private static boolean isWithin(State state, Span span, int register, int displacement, int lengthRegister) {
        if (span.length() > Parameter.Memory.MAX_LENGTH) {
            return false;
        }
        PointerTarget place = span.place();
        if (place.kind() != PointerTarget.Kind.PARAMETER) {
            return span.end() <= place.length();
        }
        int total = State.FIRST_LENGTH + place.index();
        if (span.end() <= Relations.least(state, total)) {
            return true;
        }
        boolean isRelated =
                register < State.REGISTERS && state.zone.bound(register, total) <= -(displacement + span.length());
        return isRelated || (lengthRegister >= 0 && state.zone.bound(lengthRegister, total) <= -span.most());
    }
}
