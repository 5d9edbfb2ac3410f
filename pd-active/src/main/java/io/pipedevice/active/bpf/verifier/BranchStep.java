// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.Operation;
import java.util.Locale;

/** The effect of a branch on a state, on each of its two ways. */
final class BranchStep {
    private BranchStep() {}

    /**
     * Refines a state by a condition.
     *
     * @return whether the branch can be left in this way
     */
    static boolean assume(State state, Instruction it, boolean isTaken) throws ProgramRefusal {
        Value left = state.read(it.dst());
        Value right = it.usesSource() ? state.read(it.src()) : Num.constant(it.immediate());
        if (left instanceof Num one && right instanceof Num other) {
            return numbers(state, it, isTaken, new NumberPair(one, other));
        }
        boolean isEquality = it.operation() == Operation.JEQ || it.operation() == Operation.JNE;
        if (it.width() == 64 && left instanceof Pointer one && right instanceof Pointer other) {
            return pointers(state, it, isTaken, one, other);
        }
        if (it.width() == 64 && isEquality) {
            boolean isEqual = (it.operation() == Operation.JEQ) == isTaken;
            if (left instanceof Pointer pointer && isZero(right)) {
                return isNull(state, it.dst(), pointer, isEqual);
            }
            if (right instanceof Pointer pointer && isZero(left)) {
                return isNull(state, it.src(), pointer, isEqual);
            }
        }
        int register = left instanceof Pointer ? it.dst() : it.src();
        throw new ProgramRefusal(
                String.format(Locale.ROOT, "r%d is an address, which can be compared with 0 only", register));
    }

    private static boolean isZero(Value value) {
        return value instanceof Num number && number.isConstant() && number.constant() == 0;
    }

    private static boolean isNull(State state, int register, Pointer pointer, boolean isEqual) {
        if (!pointer.mayBeNull()) {
            return !isEqual || !isNear(pointer);
        }
        state.decideNull(register, pointer, isEqual);
        return true;
    }

    /** Whether an address is near to its memory, so that it is not 0 and its order is that of the offsets. */
    private static boolean isNear(Pointer pointer) {
        return pointer.offset().smin() >= -Parameter.Memory.MAX_LENGTH
                && pointer.offset().smax() < Parameter.Memory.MAX_LENGTH;
    }

    private static boolean pointers(State state, Instruction it, boolean isTaken, Pointer one, Pointer other)
            throws ProgramRefusal {
        boolean isComparable =
                one.place().equals(other.place()) && one.place().isOne() && !one.mayBeNull() && !other.mayBeNull();
        boolean isEquality = it.operation() == Operation.JEQ || it.operation() == Operation.JNE;
        if (it.operation() == Operation.JSET || (!isComparable && !isEquality)) {
            throw new ProgramRefusal(String.format(
                    Locale.ROOT, "the addresses in r%d and r%d cannot be compared in this way", it.dst(), it.src()));
        }
        if (isComparable && isNear(one) && isNear(other)) {
            NumberPair offsets = new NumberPair(one.offset(), other.offset());
            return numbers(state, it, isTaken, offsets, signed(it.operation()));
        }
        return true;
    }

    /** The same order of numbers that are not negative. */
    private static Operation signed(Operation operation) {
        return switch (operation) {
            case JGT -> Operation.JSGT;
            case JGE -> Operation.JSGE;
            case JLT -> Operation.JSLT;
            case JLE -> Operation.JSLE;
            default -> operation;
        };
    }

    private static boolean numbers(State state, Instruction it, boolean isTaken, NumberPair pair) {
        if (it.operation() == Operation.JSET && !isTaken) {
            return refine(state, it, pair.disjoint(it.width()));
        }
        return numbers(state, it, isTaken, pair, it.operation());
    }

    private static boolean numbers(State state, Instruction it, boolean isTaken, NumberPair pair, Operation operation) {
        Operation condition = isTaken ? operation : NumberPair.opposite(operation);
        NumberPair refined = pair.assume(condition, it.width());
        return refine(state, it, refined) && relate(state, it, refined, condition) && Relations.tighten(state);
    }

    private static boolean refine(State state, Instruction it, NumberPair refined) {
        if (refined == null) {
            return false;
        }
        boolean isSame = it.usesSource() && it.src() == it.dst();
        if (it.dst() < State.REGISTERS && !isSame) {
            state.refine(it.dst(), refined.left());
        }
        if (it.usesSource() && it.src() < State.REGISTERS && !isSame) {
            state.refine(it.src(), refined.right());
        }
        return true;
    }

    private static boolean relate(State state, Instruction it, NumberPair pair, Operation condition) {
        boolean haveVariables =
                it.usesSource() && it.dst() < State.REGISTERS && it.src() < State.REGISTERS && it.src() != it.dst();
        if (!haveVariables || !isOrderOfZone(it, pair, condition)) {
            return true;
        }
        Zone zone = state.zone;
        int left = it.dst();
        int right = it.src();
        return switch (condition) {
            case JEQ -> zone.assume(left, right, 0) && zone.assume(right, left, 0);
            case JNE -> unequal(zone, pair, left, right);
            case JLT, JSLT -> zone.assume(left, right, -1);
            case JLE, JSLE -> zone.assume(left, right, 0);
            case JGT, JSGT -> zone.assume(right, left, -1);
            case JGE, JSGE -> zone.assume(right, left, 0);
            default -> true;
        };
    }

    private static boolean unequal(Zone zone, NumberPair pair, int left, int right) {
        boolean isLeftLess = zone.bound(left, right) <= 0
                || pair.left().smax() <= pair.right().smin();
        boolean isRightLess = zone.bound(right, left) <= 0
                || pair.right().smax() <= pair.left().smin();
        return (!isLeftLess || zone.assume(left, right, -1)) && (!isRightLess || zone.assume(right, left, -1));
    }

    /** Whether the order of the condition is that of signed numbers of 64 bits. */
    private static boolean isOrderOfZone(Instruction it, NumberPair pair, Operation condition) {
        boolean isSigned = switch (condition) {
            case JSLT, JSLE, JSGT, JSGE -> true;
            default -> false;
        };
        if (it.width() == 32) {
            return isSigned
                    ? pair.left().fitsSigned() && pair.right().fitsSigned()
                    : pair.left().fitsUnsigned() && pair.right().fitsUnsigned();
        }
        boolean isEquality = condition == Operation.JEQ || condition == Operation.JNE;
        return isSigned
                || isEquality
                || (pair.left().smin() >= 0 && pair.right().smin() >= 0);
    }
}
