// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Assembles the text that the disassembler writes, with numbers of its own for the opcodes. Instructions are separated
 * by semicolons or lines. A target is a distance ({@code +3}) or a label ({@code name:}).
 */
public final class Assembler {
    private static final Map<String, Integer> ARITHMETIC = Map.ofEntries(
            Map.entry("+=", 0x00),
            Map.entry("-=", 0x10),
            Map.entry("*=", 0x20),
            Map.entry("/=", 0x30),
            Map.entry("s/=", 0x30),
            Map.entry("|=", 0x40),
            Map.entry("&=", 0x50),
            Map.entry("<<=", 0x60),
            Map.entry(">>=", 0x70),
            Map.entry("%=", 0x90),
            Map.entry("s%=", 0x90),
            Map.entry("^=", 0xa0),
            Map.entry("=", 0xb0),
            Map.entry("s>>=", 0xc0));

    private static final Map<String, Integer> BRANCH = Map.ofEntries(
            Map.entry("==", 0x10),
            Map.entry(">", 0x20),
            Map.entry(">=", 0x30),
            Map.entry("&", 0x40),
            Map.entry("!=", 0x50),
            Map.entry("s>", 0x60),
            Map.entry("s>=", 0x70),
            Map.entry("<", 0xa0),
            Map.entry("<=", 0xb0),
            Map.entry("s<", 0xc0),
            Map.entry("s<=", 0xd0));

    private static final Map<String, Integer> ATOMIC =
            Map.of("+=", 0x00, "|=", 0x40, "&=", 0x50, "^=", 0xa0, "add", 0x01, "or", 0x41, "and", 0x51, "xor", 0xa1);

    private static final Map<String, Integer> SIZE = Map.of("32", 0x00, "16", 0x08, "8", 0x10, "64", 0x18);

    private static final List<String> WIDE =
            List.of("", "map_by_fd", "map_val_by_fd", "var_addr", "code_addr", "map_by_idx", "map_val_by_idx");

    private static final String PLACE = "\\((?<type>[us])(?<size>\\d+) \\*\\)\\(r(?<base>\\d+) (?<offset>[-+] \\d+)\\)";
    private static final String INNER = "r(?<base>\\d+) (?<offset>[-+] \\d+)";
    private static final String OPERAND = "(?:[rw](?<src>\\d+)|(?<imm>-?\\w+))";

    private final List<long[]> slots = new ArrayList<>();
    private final Map<String, Integer> labels = new HashMap<>();
    private final Map<Integer, String> open = new HashMap<>();
    private Matcher matcher;

    private Assembler() {}

    /** The raw code of a text. */
    public static byte[] assemble(String text) {
        Assembler assembler = new Assembler();
        for (String line : text.split("[;\n]", -1)) {
            if (!line.isBlank()) {
                assembler.add(line.strip());
            }
        }
        return assembler.encode();
    }

    private byte[] encode() {
        ByteBuffer code = ByteBuffer.allocate(slots.size() * 8).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < slots.size(); i++) {
            long[] slot = slots.get(i);
            if (open.containsKey(i)) {
                boolean isImmediate = slot[0] == 0x85 || slot[0] == 0x06;
                slot[isImmediate ? 4 : 3] = labels.get(open.get(i)) - (i + 1L);
            }
            code.put((byte) slot[0])
                    .put((byte) (slot[1] | slot[2] << 4))
                    .putShort((short) slot[3])
                    .putInt((int) slot[4]);
        }
        return code.array();
    }

    private void put(long opcode, long dst, long src, long offset, long imm) {
        slots.add(new long[] {opcode, dst, src, offset, imm});
    }

    private boolean is(String line, String pattern) {
        matcher = Pattern.compile(pattern).matcher(line);
        return matcher.matches();
    }

    private long number(String group) {
        String text = matcher.group(group);
        return text == null ? 0 : Long.decode(text.replace(" ", "").replace("+", ""));
    }

    /** A distance, or 0 for a label that is found later. */
    private long target() {
        String text = matcher.group("to");
        if (text.matches("[-+]\\d+")) {
            return number("to");
        }
        open.put(slots.size(), text);
        return 0;
    }

    private int source(int opcode) {
        return matcher.group("src") == null ? opcode : opcode | 0x08;
    }

    private void add(String line) {
        if (is(line, "(\\w+):")) {
            labels.put(matcher.group(1), slots.size());
        } else if (line.equals("exit")) {
            put(0x95, 0, 0, 0, 0);
        } else if (is(line, "goto (?<to>\\S+)")) {
            put(0x05, 0, 0, target(), 0);
        } else if (is(line, "gotol (?<to>\\S+)")) {
            put(0x06, 0, 0, 0, target());
        } else if (is(line, "call local (?<to>\\S+)")) {
            put(0x85, 0, 1, 0, target());
        } else if (is(line, "callx r(?<dst>\\d+)")) {
            put(0x8d, number("dst"), 0, 0, 0);
        } else if (is(line, "call (?<btf>btf )?(?<imm>-?\\d+)")) {
            put(0x85, 0, matcher.group("btf") == null ? 0 : 2, 0, number("imm"));
        } else if (is(line, "if (?<w>[rw])(?<dst>\\d+) (?<op>\\S+) " + OPERAND + " goto (?<to>\\S+)")) {
            int opcode = BRANCH.get(matcher.group("op")) | (matcher.group("w").equals("w") ? 0x06 : 0x05);
            put(source(opcode), number("dst"), number("src"), target(), number("imm"));
        } else if (!addAtomic(line) && !addMemory(line) && !addArithmetic(line)) {
            throw new IllegalArgumentException(line);
        }
    }

    private boolean addAtomic(String line) {
        if (is(line, "lock \\*" + PLACE + " (?<op>\\S+) [rw](?<src>\\d+)")
                || is(line, "[rw]\\d+ = atomic_fetch_(?<op>\\w+)\\(" + PLACE + ", [rw](?<src>\\d+)\\)")) {
            atomic(SIZE.get(matcher.group("size")), ATOMIC.get(matcher.group("op")));
        } else if (is(line, "[rw]\\d+ = xchg(?:32)?_(?<size>\\d+)\\(" + INNER + ", [rw](?<src>\\d+)\\)")) {
            atomic(SIZE.get(matcher.group("size")), 0xe1);
        } else if (is(line, "[rw]0 = cmpxchg(?:32)?_(?<size>\\d+)\\(" + INNER + ", [rw]0, [rw](?<src>\\d+)\\)")) {
            atomic(SIZE.get(matcher.group("size")), 0xf1);
        } else {
            return false;
        }
        return true;
    }

    private void atomic(int size, int operation) {
        put(0xc3 | size, number("base"), number("src"), number("offset"), operation);
    }

    private boolean addMemory(String line) {
        if (is(line, "[rw](?<dst>\\d+) = \\*" + PLACE)) {
            int mode = matcher.group("type").equals("s") ? 0x81 : 0x61;
            put(mode | SIZE.get(matcher.group("size")), number("dst"), number("base"), number("offset"), 0);
        } else if (is(line, "\\*" + PLACE + " = " + OPERAND)) {
            int opcode = (matcher.group("src") == null ? 0x62 : 0x63) | SIZE.get(matcher.group("size"));
            put(opcode, number("base"), number("src"), number("offset"), number("imm"));
        } else if (is(line, "r(?<dst>\\d+) = (?<imm>-?\\w+) ll")) {
            wide(0, number("imm"), number("imm") >>> 32);
        } else if (is(line, "r(?<dst>\\d+) = (?<kind>[a-z_]+)\\((?<imm>-?\\d+)\\)(?: \\+ (?<high>\\d+))?")) {
            wide(WIDE.indexOf(matcher.group("kind")), number("imm"), number("high"));
        } else {
            return false;
        }
        return true;
    }

    private void wide(int kind, long low, long high) {
        put(0x18, number("dst"), kind, 0, low);
        put(0, 0, 0, 0, high);
    }

    private boolean addArithmetic(String line) {
        if (is(line, "r(?<dst>\\d+) = (?<op>le|be|bswap)(?<imm>16|32|64) r\\1")) {
            int opcode = Map.of("le", 0xd4, "be", 0xdc, "bswap", 0xd7).get(matcher.group("op"));
            put(opcode, number("dst"), 0, 0, number("imm"));
        } else if (is(line, "(?<w>[rw])(?<dst>\\d+) = -[rw]\\2")) {
            put(0x80 | arithmeticClass(), number("dst"), 0, 0, 0);
        } else if (is(line, "(?<w>[rw])(?<dst>\\d+) = \\(s(?<offset>\\d+)\\)[rw](?<src>\\d+)")) {
            put(0xb8 | arithmeticClass(), number("dst"), number("src"), number("offset"), 0);
        } else if (is(line, "(?<w>[rw])(?<dst>\\d+) (?<op>\\S+) " + OPERAND)) {
            String symbol = matcher.group("op");
            int opcode = source(ARITHMETIC.get(symbol) | arithmeticClass());
            put(opcode, number("dst"), number("src"), symbol.matches("s[/%]=") ? 1 : 0, number("imm"));
        } else {
            return false;
        }
        return true;
    }

    private int arithmeticClass() {
        return matcher.group("w").equals("w") ? 0x04 : 0x07;
    }
}
