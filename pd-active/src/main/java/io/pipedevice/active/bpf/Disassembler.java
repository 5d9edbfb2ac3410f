// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

import java.util.Locale;

/** Writes instructions as llvm-objdump does. */
final class Disassembler {
    private Disassembler() {}

    static String text(Instruction it) {
        return switch (it.operation().kind()) {
            case ARITHMETIC -> arithmetic(it);
            case WIDE_LOAD -> wideLoad(it);
            case LOAD -> "r" + it.dst() + " = " + memory(it, it.src());
            case STORE -> memory(it, it.dst()) + " = " + (it.usesSource() ? "r" + it.src() : it.immediate());
            case ATOMIC -> atomic(it);
            case JUMP -> (it.width() == 32 ? "gotol " : "goto ") + distance(it);
            case BRANCH ->
                "if " + register(it, it.dst()) + " " + it.operation().symbol() + " " + operand(it) + " goto "
                        + distance(it);
            case CALL ->
                switch (it.operation()) {
                    case CALL_LOCAL -> "call local " + distance(it);
                    case CALL_REGISTER -> "callx r" + it.dst();
                    default -> it.operation().symbol() + " " + it.immediate();
                };
            case EXIT -> "exit";
        };
    }

    private static String register(Instruction it, int number) {
        return (it.width() == 32 ? "w" : "r") + number;
    }

    private static String operand(Instruction it) {
        return it.usesSource() ? register(it, it.src()) : Long.toString(it.immediate());
    }

    private static String distance(Instruction it) {
        return String.format(Locale.ROOT, "%+d", it.offset());
    }

    private static String arithmetic(Instruction it) {
        String dst = register(it, it.dst());
        return switch (it.operation()) {
            case NEG -> dst + " = -" + dst;
            case LE, BE, BSWAP -> "r" + it.dst() + " = " + it.operation().symbol() + it.width() + " r" + it.dst();
            case MOVSX8, MOVSX16, MOVSX32 ->
                // the operand of a sign extension has the name of its own width
                dst + " " + it.operation().symbol() + operand(it);
            default -> dst + " " + it.operation().symbol() + " " + operand(it);
        };
    }

    private static String wideLoad(Instruction it) {
        String dst = "r" + it.dst() + " = ";
        int low = (int) it.immediate();
        int high = (int) (it.immediate() >>> 32);
        return switch (it.operation()) {
            case LOAD_CONSTANT -> dst + it.immediate() + " ll";
            case LOAD_MAP_VALUE, LOAD_DATA ->
                dst + it.operation().symbol() + "(" + low + ") + " + Integer.toUnsignedString(high);
            default -> dst + it.operation().symbol() + "(" + low + ")";
        };
    }

    private static String memory(Instruction it, int base) {
        String type = it.operation() == Operation.LOAD_SIGNED ? "s" : "u";
        return "*(" + type + it.width() + " *)" + address(it, base);
    }

    private static String address(Instruction it, int base) {
        return "(r" + base + (it.offset() < 0 ? " - " : " + ") + Math.abs(it.offset()) + ")";
    }

    private static String atomic(Instruction it) {
        String src = register(it, it.src());
        String place = address(it, it.dst());
        String symbol = it.operation().symbol();
        return switch (it.operation()) {
            case ATOMIC_ADD, ATOMIC_OR, ATOMIC_AND, ATOMIC_XOR ->
                "lock *(u" + it.width() + " *)" + place + " " + symbol + " " + src;
            case EXCHANGE, COMPARE_EXCHANGE -> exchange(it, symbol, place, src);
            default -> src + " = atomic_fetch_" + symbol + "((u" + it.width() + " *)" + place + ", " + src + ")";
        };
    }

    private static String exchange(Instruction it, String symbol, String place, String src) {
        String type = it.width() == 32 ? "32_" + it.width() : "_64";
        String inner = place.substring(1, place.length() - 1);
        return it.operation() == Operation.EXCHANGE
                ? src + " = " + symbol + type + "(" + inner + ", " + src + ")"
                : register(it, 0) + " = " + symbol + type + "(" + inner + ", " + register(it, 0) + ", " + src + ")";
    }
}
