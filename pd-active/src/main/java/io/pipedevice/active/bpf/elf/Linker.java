// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.elf;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts a function and all that it calls one behind the other, and lets calls and wide loads lead to their places there.
 * Used once, by one thread.
 */
final class Linker {
    private static final int SLOT = 8;
    private static final int MAX_CODE = Program.MAX_SLOTS * SLOT;
    private static final int MAX_DATA = 1 << 20;

    private static final int OPCODE_WIDE = 0x18;
    private static final int OPCODE_CALL = 0x85;

    /** The source field of a call of code, and of a wide load of the address of data. */
    private static final int SOURCE_LOCAL = 1;

    private static final int SOURCE_DATA = 6;

    private final ElfFile file;
    private final Map<Place, CodeFunction> functions = new HashMap<>();
    private final Map<Integer, Map<Long, ElfRelocation>> relocations = new HashMap<>();

    /** Where functions are in the program, in slots; and those whose code is not copied yet. */
    private final Map<Place, Integer> placed = new HashMap<>();

    private final List<CodeFunction> order = new ArrayList<>();
    private final Map<Integer, Integer> dataBySection = new HashMap<>();
    private final List<byte[]> data = new ArrayList<>();
    private int relocationCount;
    private int codeLength;
    private int dataLength;

    /** Where code begins: the index of a section, and an offset in it. */
    private record Place(int section, long offset) {}

    Linker(ElfFile file, List<CodeFunction> functions) {
        this.file = file;
        functions.forEach(each -> this.functions.putIfAbsent(placeOf(each), each));
    }

    private static Place placeOf(CodeFunction function) {
        return new Place(function.section().index(), function.offset());
    }

    Program link(CodeFunction entry) throws InvalidProgramException {
        place(entry);
        List<ByteBuffer> parts = new ArrayList<>();
        // grows while calls are found
        for (int i = 0; i < order.size(); i++) {
            parts.add(copy(order.get(i)));
        }
        ByteBuffer code = ByteBuffer.allocate(codeLength);
        parts.forEach(code::put);
        return Program.decode(entry.name(), code.array(), data);
    }

    private int place(CodeFunction function) throws InvalidProgramException {
        Integer known = placed.get(placeOf(function));
        if (known != null) {
            return known;
        }
        if (function.size() > MAX_CODE - codeLength) {
            throw new InvalidProgramException("the program has more than " + Program.MAX_SLOTS + " slots of 8 bytes");
        }
        int start = codeLength / SLOT;
        placed.put(placeOf(function), start);
        order.add(function);
        codeLength += (int) function.size();
        return start;
    }

    private ByteBuffer copy(CodeFunction function) throws InvalidProgramException {
        ByteBuffer code = ByteBuffer.wrap(file.content(function.section(), function.offset(), function.size()))
                .order(ByteOrder.LITTLE_ENDIAN);
        Map<Long, ElfRelocation> changes = relocationsOf(function.section());
        int start = place(function);
        for (int at = 0; at < code.capacity(); at += SLOT) {
            ElfRelocation change = changes.get(function.offset() + at);
            int opcode = code.get(at) & 0xff;
            if (opcode == OPCODE_CALL && code.get(at + 1) >> 4 == SOURCE_LOCAL) {
                Place target = change == null ? ownTarget(function, code, at) : calledBy(change, code, at, function);
                // a call inside of a function keeps its distance, also where no symbol says what it calls
                if (change != null || !isInside(target, function)) {
                    code.putInt(at + 4, place(functionAt(target, function)) - start - at / SLOT - 1);
                }
            } else if (change != null && opcode == OPCODE_WIDE && at + SLOT < code.capacity()) {
                loadData(change, code, at, function);
            } else if (change != null) {
                throw refused(function, change, "from an instruction that is neither a call of code nor a wide load");
            }
            if (opcode == OPCODE_WIDE) {
                at += SLOT;
            }
        }
        return code;
    }

    private Map<Long, ElfRelocation> relocationsOf(ElfSection section) throws InvalidProgramException {
        Map<Long, ElfRelocation> known = relocations.get(section.index());
        if (known == null) {
            known = file.relocations(section);
            relocations.put(section.index(), known);
            relocationCount += known.size();
            if (relocationCount > ElfFile.MAX_RELOCATIONS) {
                throw new InvalidProgramException(
                        "the program has more than " + ElfFile.MAX_RELOCATIONS + " relocations");
            }
        }
        return known;
    }

    private static Place ownTarget(CodeFunction function, ByteBuffer code, int at) {
        long slot = (function.offset() + at) / SLOT + 1 + code.getInt(at + 4);
        return new Place(function.section().index(), slot * SLOT);
    }

    private static boolean isInside(Place place, CodeFunction function) {
        long offset = place.offset() - function.offset();
        return offset >= 0 && offset < function.size();
    }

    private static Place calledBy(ElfRelocation change, ByteBuffer code, int at, CodeFunction function)
            throws InvalidProgramException {
        ElfSymbol symbol = change.symbol();
        if (change.type() != ElfRelocation.CALL || symbol.section() == ElfSymbol.UNDEFINED) {
            throw refused(function, change, "by a call, and the file does not define it");
        }
        // a call of a symbol has -1 here, one of a section the slot of the function less one
        return new Place(symbol.section(), symbol.value() + (code.getInt(at + 4) + 1L) * SLOT);
    }

    private CodeFunction functionAt(Place place, CodeFunction caller) throws InvalidProgramException {
        CodeFunction function = functions.get(place);
        if (function == null) {
            throw new InvalidProgramException("the function '" + caller.name() + "' calls byte " + place.offset()
                    + " of section " + place.section() + ", where no function begins");
        }
        return function;
    }

    private void loadData(ElfRelocation change, ByteBuffer code, int at, CodeFunction function)
            throws InvalidProgramException {
        ElfSymbol symbol = change.symbol();
        boolean isDefined = symbol.section() != ElfSymbol.UNDEFINED
                && symbol.section() < file.sections().size();
        if (change.type() != ElfRelocation.WIDE_LOAD || !isDefined) {
            throw refused(function, change, "which the file does not define");
        }
        ElfSection section = file.sections().get(symbol.section());
        if (!section.isConstant()) {
            throw refused(
                    function,
                    change,
                    "in " + section.title() + "; only constants can be used, no variables and no maps");
        }
        long offset = symbol.value() + code.getInt(at + 4);
        if (offset < 0 || offset > section.size()) {
            throw refused(function, change, "at the offset " + offset + " of " + section.title());
        }
        code.put(at + 1, (byte) ((code.get(at + 1) & 0xf) | (SOURCE_DATA << 4)));
        code.putInt(at + 4, indexOf(section));
        code.putInt(at + SLOT + 4, (int) offset);
    }

    private int indexOf(ElfSection section) throws InvalidProgramException {
        Integer known = dataBySection.get(section.index());
        if (known != null) {
            return known;
        }
        if (section.size() > MAX_DATA - dataLength) {
            throw new InvalidProgramException("the program has more than " + MAX_DATA + " bytes of constants");
        }
        if (!file.relocations(section).isEmpty()) {
            throw new InvalidProgramException(section.title() + " has addresses, which constants cannot have");
        }
        dataLength += (int) section.size();
        data.add(file.content(section, 0, section.size()));
        dataBySection.put(section.index(), data.size() - 1);
        return data.size() - 1;
    }

    private static InvalidProgramException refused(CodeFunction function, ElfRelocation change, String problem) {
        ElfSymbol symbol = change.symbol();
        String name = symbol.type() == ElfSymbol.SECTION ? "section " + symbol.section() : "'" + symbol.name() + "'";
        return new InvalidProgramException("the function '" + function.name() + "' refers to " + name
                + " (relocation type " + change.type() + ") " + problem);
    }
}
