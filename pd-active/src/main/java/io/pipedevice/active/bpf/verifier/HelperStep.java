// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.machine.Helper;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Locale;

/** The effect of calls of helpers on a state. */
final class HelperStep {
    private final Program program;
    private final Bounds bounds;

    HelperStep(Program program, Bounds bounds) {
        this.program = program;
        this.bounds = bounds;
    }

    void call(State state, int index, Helper helper) throws ProgramRefusal {
        List<Helper.Argument> arguments = helper.arguments();
        for (int i = 0; i < arguments.size(); i++) {
            check(state, index, helper, arguments.get(i), i + 1);
        }
        for (int register = 0; register <= Helper.MAX_ARGUMENTS; register++) {
            state.set(register, Unusable.UNSET);
        }
        state.set(0, result(state, index, helper));
    }

    private void check(State state, int index, Helper helper, Helper.Argument argument, int register)
            throws ProgramRefusal {
        switch (argument) {
            case NUMBER, LENGTH -> {
                if (state.read(register) instanceof Pointer) {
                    throw new ProgramRefusal(String.format(
                            Locale.ROOT, "r%d is an address, but '%s' takes a number there", register, helper.name()));
                }
            }
            case READABLE -> {
                Span span = bounds.check(state, index, register, register + 1, false);
                if (span.place().kind() == PointerTarget.Kind.STACK) {
                    span.requireNumbers(state.frame(span.place().index()), "give '" + helper.name() + "'");
                }
            }
            case WRITABLE -> fill(state, bounds.check(state, index, register, register + 1, true), register + 1);
            case TEXT -> text(state, register);
        }
    }

    /** A helper changes memory, and perhaps reads it before: it may not learn an address. */
    private static void fill(State state, Span span, int lengthRegister) throws ProgramRefusal {
        if (span.place().kind() != PointerTarget.Kind.STACK) {
            return;
        }
        int depth = span.place().index();
        Frame frame = state.frame(depth);
        if (frame.secret().hasAny((int) span.least(), (int) span.end())) {
            throw new ProgramRefusal(
                    String.format(Locale.ROOT, "it would change a part of an address in '%s'", span.name()));
        }
        MemoryStep.forget(state, span);
        if (span.isExact() && state.read(lengthRegister) instanceof Num length && length.isConstant()) {
            state.setFrame(depth, state.frame(depth).fill((int) span.least(), (int) span.end()));
        }
    }

    private void text(State state, int register) throws ProgramRefusal {
        if (!(state.read(register) instanceof Pointer pointer) || pointer.mayBeNull()) {
            throw new ProgramRefusal(String.format(Locale.ROOT, "r%d is not the address of a text", register));
        }
        long least = pointer.offset().smin();
        long most = pointer.offset().smax();
        boolean ends = least >= 0
                && most < pointer.place().length()
                && switch (pointer.place().kind()) {
                    case CONSTANTS -> endsIn(program.data().get(pointer.place().index()), most);
                    case STACK ->
                        least == most && endsIn(state.frame(pointer.place().index()), (int) least);
                    default -> false;
                };
        if (!ends) {
            throw new ProgramRefusal(String.format(
                    Locale.ROOT,
                    "the text at r%d may not end in '%s'",
                    register,
                    pointer.place().name()));
        }
    }

    private static boolean endsIn(MemorySegment data, long from) {
        for (long i = from; i < data.byteSize(); i++) {
            if (data.get(ValueLayout.JAVA_BYTE, i) == 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean endsIn(Frame frame, int from) {
        for (int i = from; i < Frame.LENGTH && frame.isNumber(i, i + 1); i++) {
            if (isZero(frame, i)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isZero(Frame frame, int at) {
        for (Frame.Cell cell : frame.cells()) {
            if (cell.overlaps(at, at + 1) && cell.value() instanceof Num number) {
                int shift = (at - cell.offset()) * Byte.SIZE;
                return (number.bits().max() >>> shift & 0xff) == 0;
            }
        }
        return false;
    }

    private static Value result(State state, int index, Helper helper) {
        if (!helper.result().isMemory()) {
            return Num.UNKNOWN;
        }
        // an older result of the same call is null or not on its own
        int id = (state.depth() << Short.SIZE | index) + 1;
        state.forgetNullId(id);
        PointerTarget place = new PointerTarget(
                PointerTarget.Kind.RESULT,
                helper.id(),
                helper.name(),
                helper.result().isWritable(),
                helper.result().length());
        return new Pointer(place, Num.constant(0), id);
    }
}
