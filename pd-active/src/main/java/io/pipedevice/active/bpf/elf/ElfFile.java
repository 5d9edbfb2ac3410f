// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.elf;

import io.pipedevice.active.bpf.InvalidProgramException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The sections, symbols and relocations of an object file for eBPF. */
final class ElfFile {
    /** The limits of a file; they bound the memory and the time that reading takes. */
    static final int MAX_LENGTH = 1 << 24;

    static final int MAX_SECTIONS = 1024;
    static final int MAX_SYMBOLS = 1 << 16;
    static final int MAX_RELOCATIONS = 1 << 16;

    private static final int HEADER_LENGTH = 64;
    private static final int SECTION_LENGTH = 64;
    private static final int SYMBOL_LENGTH = 24;
    private static final int RELOCATION_LENGTH = 16;

    private static final int MAGIC = 0x464c457f;
    private static final int CLASS_64 = 2;
    private static final int LITTLE_ENDIAN = 1;
    private static final int RELOCATABLE = 1;
    private static final int MACHINE_BPF = 247;

    /** From here on, the index of a section has a meaning of its own. */
    private static final int FIRST_RESERVED = 0xff00;

    private final ElfBytes bytes;
    private final List<ElfSection> sections;
    private final List<ElfSymbol> symbols;

    ElfFile(byte[] content) throws InvalidProgramException {
        if (content.length > MAX_LENGTH) {
            throw new InvalidProgramException("the file has more than " + MAX_LENGTH + " bytes");
        }
        bytes = new ElfBytes(content);
        checkHeader();
        sections = readSections();
        symbols = readSymbols();
    }

    List<ElfSection> sections() {
        return sections;
    }

    List<ElfSymbol> symbols() {
        return symbols;
    }

    /** A copy of a part of a section that has content. */
    byte[] content(ElfSection section, long offset, long length) throws InvalidProgramException {
        return bytes.copy(section.offset() + offset, length, section.title());
    }

    private void checkHeader() throws InvalidProgramException {
        if (bytes.length() < HEADER_LENGTH || bytes.i32(0, "the header") != MAGIC) {
            throw new InvalidProgramException("this is no ELF file");
        }
        require("class", bytes.u8(4, "the header"), CLASS_64, "64 bits");
        require("byte order", bytes.u8(5, "the header"), LITTLE_ENDIAN, "little-endian, as clang -target bpfel writes");
        require("type", bytes.u16(16, "the header"), RELOCATABLE, "an object file, as clang -c writes");
        require("machine", bytes.u16(18, "the header"), MACHINE_BPF, "eBPF, as clang -target bpf writes");
    }

    private static void require(String field, int actual, int expected, String meaning) throws InvalidProgramException {
        if (actual != expected) {
            throw new InvalidProgramException(
                    "the file has the " + field + " " + actual + ", not " + expected + ": " + meaning);
        }
    }

    private List<ElfSection> readSections() throws InvalidProgramException {
        long table = bytes.i64(40, "the header");
        int entry = bytes.u16(58, "the header");
        int count = bytes.u16(60, "the header");
        int namesIndex = bytes.u16(62, "the header");
        if (entry != SECTION_LENGTH || count == 0 || count > MAX_SECTIONS || namesIndex >= count) {
            throw new InvalidProgramException("the table of sections has " + count + " entries of " + entry
                    + " bytes and its names in section " + namesIndex + "; from 1 to " + MAX_SECTIONS + " entries of "
                    + SECTION_LENGTH + " bytes can be read");
        }
        bytes.at(table, (long) count * SECTION_LENGTH, "the table of sections");
        ElfSection names = section(table, namesIndex, null);
        List<ElfSection> result = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            result.add(section(table, i, names));
        }
        return List.copyOf(result);
    }

    /** Reads the header of a section, without a name if there is no table of names yet. */
    private ElfSection section(long table, int index, ElfSection names) throws InvalidProgramException {
        String what = "section " + index;
        long at = table + (long) index * SECTION_LENGTH;
        int type = bytes.i32(at + 4, what);
        long offset = bytes.i64(at + 24, what);
        long size = bytes.i64(at + 32, what);
        if (index != 0 && type != ElfSection.NOBITS) {
            bytes.at(offset, size, what);
        }
        return new ElfSection(
                index,
                names == null ? "" : bytes.name(names, bytes.i32(at, what), what),
                type,
                bytes.i64(at + 8, what),
                offset,
                size,
                bytes.i32(at + 40, what),
                bytes.i32(at + 44, what));
    }

    private ElfSection content(int index, String what) throws InvalidProgramException {
        if (index < 1 || index >= sections.size() || sections.get(index).type() == ElfSection.NOBITS) {
            throw new InvalidProgramException(what + " refers to section " + index + ", which has no content");
        }
        return sections.get(index);
    }

    private List<ElfSymbol> readSymbols() throws InvalidProgramException {
        List<ElfSymbol> result = new ArrayList<>();
        for (ElfSection section : sections) {
            if (section.type() != ElfSection.SYMTAB) {
                continue;
            }
            if (!result.isEmpty() || section.size() % SYMBOL_LENGTH != 0 || section.size() == 0) {
                throw new InvalidProgramException(section.title() + " is a second or broken table of symbols");
            }
            if (section.size() / SYMBOL_LENGTH > MAX_SYMBOLS) {
                throw new InvalidProgramException("the file has more than " + MAX_SYMBOLS + " symbols");
            }
            ElfSection names = content(section.link(), section.title());
            for (long at = section.offset(); at < section.offset() + section.size(); at += SYMBOL_LENGTH) {
                result.add(symbol(at, names, "symbol " + result.size()));
            }
        }
        return List.copyOf(result);
    }

    private ElfSymbol symbol(long at, ElfSection names, String what) throws InvalidProgramException {
        int section = bytes.u16(at + 6, what);
        if (section >= sections.size() && section < FIRST_RESERVED) {
            throw new InvalidProgramException(what + " is in section " + section + ", which there is not");
        }
        return new ElfSymbol(
                bytes.name(names, bytes.i32(at, what), what),
                bytes.u8(at + 4, what) & 0xf,
                section,
                bytes.i64(at + 8, what),
                bytes.i64(at + 16, what));
    }

    /** The relocations of a section, by the place that they change. */
    Map<Long, ElfRelocation> relocations(ElfSection target) throws InvalidProgramException {
        Map<Long, ElfRelocation> result = new HashMap<>();
        for (ElfSection section : sections) {
            boolean isTable = section.type() == ElfSection.REL || section.type() == ElfSection.RELA;
            if (!isTable || section.info() != target.index()) {
                continue;
            }
            boolean tooLong = section.size() / RELOCATION_LENGTH > MAX_RELOCATIONS;
            if (section.type() == ElfSection.RELA
                    || section.size() % RELOCATION_LENGTH != 0
                    || tooLong
                    || !result.isEmpty()) {
                throw new InvalidProgramException(section.title() + " has no relocations that " + target.title()
                        + " can have: one table of at most " + MAX_RELOCATIONS + ", with the addends in the code");
            }
            for (long at = section.offset(); at < section.offset() + section.size(); at += RELOCATION_LENGTH) {
                long place = bytes.i64(at, section.title());
                int symbol = bytes.i32(at + 12, section.title());
                if (symbol < 0 || symbol >= symbols.size()) {
                    throw new InvalidProgramException(section.title() + " refers to symbol "
                            + Integer.toUnsignedString(symbol) + ", which there is not");
                }
                ElfRelocation relocation = new ElfRelocation(bytes.i32(at + 8, section.title()), symbols.get(symbol));
                if (result.put(place, relocation) != null) {
                    throw new InvalidProgramException(section.title() + " changes one place twice");
                }
            }
        }
        return result;
    }
}
