// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

/**
 * The operation of an instruction. The {@linkplain Instruction#width() width} and the kind of the second operand are
 * properties of the {@link Instruction}.
 */
public enum Operation {
    /** Sum. */
    ADD(Kind.ARITHMETIC, "+="),
    /** Difference. */
    SUB(Kind.ARITHMETIC, "-="),
    /** Product. */
    MUL(Kind.ARITHMETIC, "*="),
    /** Unsigned quotient; 0 if the divisor is 0. */
    DIV(Kind.ARITHMETIC, "/="),
    /** Signed quotient, rounded towards 0; 0 if the divisor is 0. */
    SDIV(Kind.ARITHMETIC, "s/="),
    /** Bitwise or. */
    OR(Kind.ARITHMETIC, "|="),
    /** Bitwise and. */
    AND(Kind.ARITHMETIC, "&="),
    /** Left shift, by the low 5 or 6 bits of the operand. */
    LSH(Kind.ARITHMETIC, "<<="),
    /** Logical right shift, by the low 5 or 6 bits of the operand. */
    RSH(Kind.ARITHMETIC, ">>="),
    /** Negation of the destination. */
    NEG(Kind.ARITHMETIC, "= -"),
    /** Unsigned remainder; the dividend if the divisor is 0. */
    MOD(Kind.ARITHMETIC, "%="),
    /** Signed remainder, of the sign of the dividend; the dividend if the divisor is 0. */
    SMOD(Kind.ARITHMETIC, "s%="),
    /** Bitwise exclusive or. */
    XOR(Kind.ARITHMETIC, "^="),
    /** Copy of the operand. */
    MOV(Kind.ARITHMETIC, "="),
    /** Sign extension of the operand's low 8 bits. */
    MOVSX8(Kind.ARITHMETIC, "= (s8)"),
    /** Sign extension of the operand's low 16 bits. */
    MOVSX16(Kind.ARITHMETIC, "= (s16)"),
    /** Sign extension of the operand's low 32 bits. */
    MOVSX32(Kind.ARITHMETIC, "= (s32)"),
    /** Arithmetic right shift, by the low 5 or 6 bits of the operand. */
    ARSH(Kind.ARITHMETIC, "s>>="),
    /** The low 16, 32 or 64 bits of the destination, as little-endian: the rest becomes 0. */
    LE(Kind.ARITHMETIC, "le"),
    /** The low 16, 32 or 64 bits of the destination with their bytes reversed; the rest becomes 0. */
    BE(Kind.ARITHMETIC, "be"),
    /** The low 16, 32 or 64 bits of the destination with their bytes reversed; the rest becomes 0. */
    BSWAP(Kind.ARITHMETIC, "bswap"),

    /** A constant of 64 bits. */
    LOAD_CONSTANT(Kind.WIDE_LOAD, ""),
    /** The map with the descriptor of the low half of the immediate. */
    LOAD_MAP(Kind.WIDE_LOAD, "map_by_fd"),
    /** The address at the offset of the high half in the value of the map with the descriptor of the low half. */
    LOAD_MAP_VALUE(Kind.WIDE_LOAD, "map_val_by_fd"),
    /** The address of the platform's variable with the number of the low half. */
    LOAD_VARIABLE(Kind.WIDE_LOAD, "var_addr"),
    /** The address of the instruction {@link Instruction#target()}. */
    LOAD_CODE(Kind.WIDE_LOAD, "code_addr"),
    /** The map with the number of the low half of the immediate. */
    LOAD_MAP_BY_INDEX(Kind.WIDE_LOAD, "map_by_idx"),
    /**
     * The address at the offset of the high half of the immediate in the {@linkplain Program#data() data} with the
     * number of the low half.
     */
    LOAD_DATA(Kind.WIDE_LOAD, "map_val_by_idx"),

    /** Load of 8, 16, 32 or 64 bits; the rest of the destination becomes 0. */
    LOAD(Kind.LOAD, "u"),
    /** Load of 8, 16 or 32 bits with sign extension to 64. */
    LOAD_SIGNED(Kind.LOAD, "s"),
    /** Store of 8, 16, 32 or 64 bits. */
    STORE(Kind.STORE, "u"),

    /** Atomic sum in memory. */
    ATOMIC_ADD(Kind.ATOMIC, "+="),
    /** Atomic or in memory. */
    ATOMIC_OR(Kind.ATOMIC, "|="),
    /** Atomic and in memory. */
    ATOMIC_AND(Kind.ATOMIC, "&="),
    /** Atomic exclusive or in memory. */
    ATOMIC_XOR(Kind.ATOMIC, "^="),
    /** The same as {@link #ATOMIC_ADD}; the source gets the old value. */
    FETCH_ADD(Kind.ATOMIC, "add"),
    /** The same as {@link #ATOMIC_OR}; the source gets the old value. */
    FETCH_OR(Kind.ATOMIC, "or"),
    /** The same as {@link #ATOMIC_AND}; the source gets the old value. */
    FETCH_AND(Kind.ATOMIC, "and"),
    /** The same as {@link #ATOMIC_XOR}; the source gets the old value. */
    FETCH_XOR(Kind.ATOMIC, "xor"),
    /** Memory gets the source; the source gets the old value. */
    EXCHANGE(Kind.ATOMIC, "xchg"),
    /** Memory gets the source if it equals r0; r0 gets the old value. */
    COMPARE_EXCHANGE(Kind.ATOMIC, "cmpxchg"),

    /** Unconditional jump. */
    JUMP(Kind.JUMP, "goto"),
    /** Jump if equal. */
    JEQ(Kind.BRANCH, "=="),
    /** Jump if greater, unsigned. */
    JGT(Kind.BRANCH, ">"),
    /** Jump if greater or equal, unsigned. */
    JGE(Kind.BRANCH, ">="),
    /** Jump if a bit is set in both. */
    JSET(Kind.BRANCH, "&"),
    /** Jump if not equal. */
    JNE(Kind.BRANCH, "!="),
    /** Jump if greater, signed. */
    JSGT(Kind.BRANCH, "s>"),
    /** Jump if greater or equal, signed. */
    JSGE(Kind.BRANCH, "s>="),
    /** Jump if less, unsigned. */
    JLT(Kind.BRANCH, "<"),
    /** Jump if less or equal, unsigned. */
    JLE(Kind.BRANCH, "<="),
    /** Jump if less, signed. */
    JSLT(Kind.BRANCH, "s<"),
    /** Jump if less or equal, signed. */
    JSLE(Kind.BRANCH, "s<="),

    /** Call of the helper with the number of the immediate: r1 to r5 are arguments, r0 becomes the result. */
    CALL_HELPER(Kind.CALL, "call"),
    /** Call of the helper whose number is in the destination register: no instruction of RFC 9669, but of clang. */
    CALL_REGISTER(Kind.CALL, "callx"),
    /** Call of the helper with the BTF number of the immediate. */
    CALL_BTF(Kind.CALL, "call btf"),
    /** Call of the function that begins at {@link Instruction#target()}, with a stack frame of its own. */
    CALL_LOCAL(Kind.CALL, "call"),
    /** Return from a function, and from the first one the end of the program, with the result in r0. */
    EXIT(Kind.EXIT, "exit");

    /** Groups of operations that use the fields of an instruction in the same way. */
    public enum Kind {
        /** Computes in registers. */
        ARITHMETIC,
        /** Loads an immediate of 64 bits, which takes two slots. */
        WIDE_LOAD,
        /** Loads from memory: the address is the source and the offset. */
        LOAD,
        /** Stores in memory: the address is the destination and the offset. */
        STORE,
        /** Changes memory atomically: the address is the destination and the offset. */
        ATOMIC,
        /** Jumps always. */
        JUMP,
        /** Jumps if destination and operand fulfil the condition. */
        BRANCH,
        /** Calls. */
        CALL,
        /** Returns. */
        EXIT
    }

    private final Kind kind;
    private final String symbol;

    Operation(Kind kind, String symbol) {
        this.kind = kind;
        this.symbol = symbol;
    }

    /**
     * How the operation uses the fields of an instruction.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /** How the disassembler writes the operation. */
    String symbol() {
        return symbol;
    }
}
