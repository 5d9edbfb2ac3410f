// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.Program;
import java.util.Locale;

/** The effect of arithmetic and wide loads on a state. */
final class ArithmeticStep {
    private static final long LOW_32 = 0xffff_ffffL;
    private static final int HALF = 32;

    private final Program program;

    ArithmeticStep(Program program) {
        this.program = program;
    }

    void wideLoad(State state, Instruction it) {
        if (it.operation() == Operation.LOAD_DATA) {
            int index = (int) it.immediate();
            long length = program.data().get(index).byteSize();
            PointerTarget place =
                    new PointerTarget(PointerTarget.Kind.CONSTANTS, index, "constants" + index, false, length);
            state.set(it.dst(), Pointer.to(place, it.immediate() >>> Integer.SIZE));
        } else {
            state.set(it.dst(), Num.constant(it.immediate()));
        }
    }

    void arithmetic(State state, Instruction it) throws ProgramRefusal {
        Value right = it.usesSource() ? state.read(it.src()) : Num.constant(it.immediate());
        if (it.operation() == Operation.MOV && it.width() == 64) {
            if (it.usesSource()) {
                state.move(it.dst(), it.src());
            } else {
                state.set(it.dst(), right);
            }
            return;
        }
        Value left = switch (it.operation()) {
            case MOV, MOVSX8, MOVSX16, MOVSX32 -> Num.UNKNOWN;
            default -> state.read(it.dst());
        };
        if (left instanceof Num one && right instanceof Num other) {
            numbers(state, it, one, other);
        } else {
            pointers(state, it, left, right);
        }
    }

    private static void pointers(State state, Instruction it, Value left, Value right) throws ProgramRefusal {
        boolean isSum = it.operation() == Operation.ADD && !(left instanceof Pointer && right instanceof Pointer);
        boolean isDifference = it.operation() == Operation.SUB && left instanceof Pointer;
        if (it.width() != 64 || !(isSum || isDifference)) {
            int register = left instanceof Pointer ? it.dst() : it.src();
            throw new ProgramRefusal(
                    String.format(Locale.ROOT, "r%d is an address, with which this is not allowed", register));
        }
        requireNoNull(left, it.dst());
        requireNoNull(right, it.src());
        if (isDifference && right instanceof Pointer two) {
            difference(state, it, (Pointer) left, two);
        } else if (left instanceof Pointer pointer) {
            Num changed = related(state, it, pointer.offset(), (Num) right);
            state.setKeeping(it.dst(), pointer.withOffset(changed));
        } else {
            Pointer pointer = (Pointer) right;
            Num changed = related(state, it, (Num) left, pointer.offset());
            state.setKeeping(it.dst(), pointer.withOffset(changed));
        }
    }

    private static void difference(State state, Instruction it, Pointer one, Pointer two) throws ProgramRefusal {
        if (!one.place().equals(two.place()) || !one.place().isOne()) {
            throw new ProgramRefusal(
                    String.format(Locale.ROOT, "r%d and r%d are addresses of different memory", it.dst(), it.src()));
        }
        state.setKeeping(it.dst(), related(state, it, one.offset(), two.offset()));
    }

    private static void requireNoNull(Value value, int register) throws ProgramRefusal {
        if (value instanceof Pointer pointer && pointer.mayBeNull()) {
            throw new ProgramRefusal(
                    String.format(Locale.ROOT, "r%d may be null and has not been compared with 0", register));
        }
    }

    private static void numbers(State state, Instruction it, Num left, Num right) {
        int register = it.dst();
        if (it.width() == 64 && !it.usesSource() && it.immediate() == HALF) {
            if (it.operation() == Operation.LSH) {
                state.shift(register, NumberArithmetic.compute(it.operation(), 64, left, right));
                return;
            }
            boolean isUnsigned = it.operation() == Operation.RSH;
            if (state.isShifted(register) && (isUnsigned || it.operation() == Operation.ARSH)) {
                shiftBack(state, register, isUnsigned);
                return;
            }
        }
        if (isCopy(it, right)) {
            state.move(register, it.src());
        } else {
            state.setKeeping(register, related(state, it, left, right));
        }
    }

    /** The second half of the extension of a number of 32 bits, which older processors of eBPF shift left and right. */
    private static void shiftBack(State state, int register, boolean isUnsigned) {
        Num before = state.number(State.UNSHIFTED);
        boolean fits = isUnsigned ? before.fitsUnsigned() : before.fitsSigned();
        Num result = isUnsigned ? NumberArithmetic.truncate(HALF, before) : NumberArithmetic.extend(HALF, 64, before);
        if (fits) {
            state.zone.assign(register, State.UNSHIFTED);
        } else {
            state.zone.forget(register);
        }
        state.setKeeping(register, result);
    }

    private static boolean isCopy(Instruction it, Num right) {
        return it.usesSource()
                && switch (it.operation()) {
                    case MOV -> right.fitsUnsigned();
                    case MOVSX32 -> right.fitsSigned();
                    case MOVSX16 ->
                        it.width() == 64 && right.smin() >= Short.MIN_VALUE && right.smax() <= Short.MAX_VALUE;
                    case MOVSX8 -> it.width() == 64 && right.smin() >= Byte.MIN_VALUE && right.smax() <= Byte.MAX_VALUE;
                    default -> false;
                };
    }

    /** The result, after the zone was told how it is related to what the destination was. */
    private static Num related(State state, Instruction it, Num left, Num right) {
        int register = it.dst();
        Num result = NumberArithmetic.compute(it.operation(), it.width(), left, right);
        boolean isSum = it.operation() == Operation.ADD;
        if (!isSum && it.operation() != Operation.SUB) {
            if (isDecrease(it, left)) {
                state.zone.decrease(register);
            } else {
                state.zone.forget(register);
            }
            return result;
        }
        boolean isSame = it.usesSource() && it.src() == register;
        long least = isSum ? right.smin() : -right.smax();
        long most = isSum ? right.smax() : -right.smin();
        if (isSame || right.smin() == Long.MIN_VALUE || !isExact(it.width(), left, least, most)) {
            state.zone.forget(register);
            return result;
        }
        return related(state, it, left, result, isSum, least, most);
    }

    private static Num related(
            State state, Instruction it, Num left, Num result, boolean isSum, long least, long most) {
        Zone zone = state.zone;
        int register = it.dst();
        boolean isRegister = it.usesSource() && it.src() < State.REGISTERS;
        Num better = result;
        if (isRegister && !isSum) {
            long high = zone.bound(register, it.src());
            long low = zone.bound(it.src(), register);
            better = result.withinSigned(
                    low == Zone.NONE ? Long.MIN_VALUE : -low, high == Zone.NONE ? Long.MAX_VALUE : high);
        }
        zone.shift(register, least, most);
        if (isRegister && isSum) {
            zone.assume(register, it.src(), left.smax());
            if (left.smin() != Long.MIN_VALUE) {
                zone.assume(it.src(), register, -left.smin());
            }
        }
        return better == null ? result : better;
    }

    /** Whether a sum is that of the numbers as they are, without an overflow or a cut. */
    private static boolean isExact(int width, Num left, long least, long most) {
        if (width == 32) {
            return left.fitsUnsigned()
                    && least > -LOW_32
                    && most < LOW_32
                    && left.smin() + least >= 0
                    && left.smax() + most <= LOW_32;
        }
        long min = left.smin() + least;
        long max = left.smax() + most;
        return ((left.smin() ^ min) & (least ^ min)) >= 0 && ((left.smax() ^ max) & (most ^ max)) >= 0;
    }

    /** Whether the result is at most what the destination was. */
    private static boolean isDecrease(Instruction it, Num left) {
        boolean fits = it.width() == 64 ? left.smin() >= 0 : left.fitsUnsigned();
        return fits
                && switch (it.operation()) {
                    case AND, RSH, DIV, MOD -> true;
                    default -> false;
                };
    }
}
