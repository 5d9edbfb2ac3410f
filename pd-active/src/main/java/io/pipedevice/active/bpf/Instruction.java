// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

/**
 * One decoded instruction. Its fields were checked; those that its operation does not use are 0, or -1 for the target.
 *
 * @param slot the position of the instruction in the raw code, in units of 8 bytes, as disassemblers count
 * @param operation its operation
 * @param width the bits of the operation: of the result of arithmetic, of the two sides of a branch, of the memory that
 *     a load, store or atomic operation reaches, of what a byte swap keeps
 * @param dst the number of the destination register, 0 to 10
 * @param src the number of the source register, 0 to 10
 * @param usesSource whether the second operand of arithmetic, of a branch or of a store is the source register, and not
 *     the immediate; true for all others that read the source register
 * @param offset the displacement of the address of a load, store or atomic operation; for a target, its distance in
 *     slots from the next instruction, as in the raw code
 * @param immediate the second operand, sign-extended; both halves of a wide load; the number of a helper
 * @param target the index in {@link Program#instructions()} of the instruction that a jump, a branch, a local call or
 *     the address of code refers to
 */
public record Instruction(
        int slot,
        Operation operation,
        int width,
        int dst,
        int src,
        boolean usesSource,
        int offset,
        long immediate,
        int target) {
    /** The register that always holds the end of the current stack frame. */
    public static final int FRAME_POINTER = 10;

    /** The number of registers. */
    public static final int REGISTERS = 11;

    /**
     * The number of bytes of memory that the instruction reaches.
     *
     * @return 1, 2, 4 or 8 for a load, store or atomic operation
     */
    public int length() {
        return width / Byte.SIZE;
    }

    /**
     * The register that the instruction changes, other than by a call.
     *
     * @return its number; -1 if it changes none
     */
    public int written() {
        return switch (operation) {
            case COMPARE_EXCHANGE -> 0;
            case FETCH_ADD, FETCH_OR, FETCH_AND, FETCH_XOR, EXCHANGE -> src;
            default ->
                switch (operation.kind()) {
                    case ARITHMETIC, WIDE_LOAD, LOAD -> dst;
                    default -> -1;
                };
        };
    }

    /**
     * The instruction as a disassembler prints it.
     *
     * @return the text, without its position
     */
    @Override
    public String toString() {
        return Disassembler.text(this);
    }
}
