// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

/** The results of the operations of arithmetic, and the conditions of branches (RFC 9669, sections 4.1 to 4.3). */
public final class Arithmetic {
    private static final long LOW_32 = 0xffff_ffffL;

    private Arithmetic() {}

    /**
     * Computes the new value of the destination register.
     *
     * @param operation an operation of the kind {@link Operation.Kind#ARITHMETIC}
     * @param width that of the instruction: results of 32 bits are zero-extended
     * @param left the destination
     * @param right the second operand
     * @return the result
     */
    public static long compute(Operation operation, int width, long left, long right) {
        return switch (operation) {
            case LE -> truncate(width, left);
            case BE, BSWAP -> truncate(width, Long.reverseBytes(left) >>> (Long.SIZE - width));
            default ->
                width == 64
                        ? compute64(operation, left, right)
                        : compute32(operation, (int) left, (int) right) & LOW_32;
        };
    }

    private static long truncate(int width, long value) {
        return width == 64 ? value : value & ((1L << width) - 1);
    }

    private static long compute64(Operation operation, long left, long right) {
        return switch (operation) {
            case ADD -> left + right;
            case SUB -> left - right;
            case MUL -> left * right;
            case DIV -> right == 0 ? 0 : Long.divideUnsigned(left, right);
            case SDIV -> right == 0 ? 0 : left / right;
            case OR -> left | right;
            case AND -> left & right;
            case LSH -> left << right;
            case RSH -> left >>> right;
            case NEG -> -left;
            case MOD -> right == 0 ? left : Long.remainderUnsigned(left, right);
            case SMOD -> right == 0 ? left : left % right;
            case XOR -> left ^ right;
            case MOV -> right;
            case MOVSX8 -> (byte) right;
            case MOVSX16 -> (short) right;
            case MOVSX32 -> (int) right;
            case ARSH -> left >> right;
            default -> throw new IllegalArgumentException(operation.toString());
        };
    }

    private static int compute32(Operation operation, int left, int right) {
        return switch (operation) {
            case ADD -> left + right;
            case SUB -> left - right;
            case MUL -> left * right;
            case DIV -> right == 0 ? 0 : Integer.divideUnsigned(left, right);
            case SDIV -> right == 0 ? 0 : left / right;
            case OR -> left | right;
            case AND -> left & right;
            case LSH -> left << right;
            case RSH -> left >>> right;
            case NEG -> -left;
            case MOD -> right == 0 ? left : Integer.remainderUnsigned(left, right);
            case SMOD -> right == 0 ? left : left % right;
            case XOR -> left ^ right;
            case MOV -> right;
            case MOVSX8 -> (byte) right;
            case MOVSX16 -> (short) right;
            case ARSH -> left >> right;
            default -> throw new IllegalArgumentException(operation.toString());
        };
    }

    /**
     * Decides whether a branch is taken.
     *
     * @param operation an operation of the kind {@link Operation.Kind#BRANCH}
     * @param width that of the instruction
     * @param left the destination
     * @param right the second operand
     * @return whether the condition holds
     */
    public static boolean test(Operation operation, int width, long left, long right) {
        return width == 64 ? test(operation, left, right) : test(operation, extend(left), extend(right));
    }

    /** Sign extension of the low half, which keeps the order of two values, also the unsigned one. */
    private static long extend(long value) {
        return (int) value;
    }

    private static boolean test(Operation operation, long left, long right) {
        return switch (operation) {
            case JEQ -> left == right;
            case JGT -> Long.compareUnsigned(left, right) > 0;
            case JGE -> Long.compareUnsigned(left, right) >= 0;
            case JSET -> (left & right) != 0;
            case JNE -> left != right;
            case JSGT -> left > right;
            case JSGE -> left >= right;
            case JLT -> Long.compareUnsigned(left, right) < 0;
            case JLE -> Long.compareUnsigned(left, right) <= 0;
            case JSLT -> left < right;
            case JSLE -> left <= right;
            default -> throw new IllegalArgumentException(operation.toString());
        };
    }
}
