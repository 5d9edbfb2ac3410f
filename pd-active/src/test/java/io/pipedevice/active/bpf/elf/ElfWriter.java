// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.elf;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes object files for tests: the sections and symbols that it is given, and the tables of both. */
final class ElfWriter {
    static final int CODE = 6;
    static final int CONSTANT = 2;
    static final int WRITABLE = 3;

    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final ByteArrayOutputStream names = new ByteArrayOutputStream();
    private final List<long[]> sections = new ArrayList<>();
    private final ByteArrayOutputStream symbols = new ByteArrayOutputStream();

    /** Begins with the section that there always is, and a symbol of the same kind. */
    ElfWriter() {
        body.writeBytes(new byte[64]);
        names.write(0);
        sections.add(new long[8]);
        symbols.writeBytes(new byte[24]);
    }

    private long name(String name) {
        long offset = names.size();
        names.writeBytes((name + "\0").getBytes(StandardCharsets.ISO_8859_1));
        return offset;
    }

    private int section(String name, int type, long flags, byte[] content, long link, long info) {
        sections.add(new long[] {name(name), type, flags, body.size(), content.length, link, info});
        body.writeBytes(content);
        return sections.size() - 1;
    }

    /** Adds a section, and returns its index. */
    int section(String name, int flags, byte[] content) {
        return section(name, ElfSection.PROGBITS, flags, content, 0, 0);
    }

    /** Adds a symbol, and returns its index. */
    int symbol(String name, int type, int section, long value, long size) {
        int index = symbols.size() / 24;
        symbols.writeBytes(little(24)
                .putInt((int) name(name))
                .put((byte) type)
                .put((byte) 0)
                .putShort((short) section)
                .putLong(value)
                .putLong(size)
                .array());
        return index;
    }

    int function(String name, int section, long value, long size) {
        return symbol(name, ElfSymbol.FUNC, section, value, size);
    }

    /** Adds relocations of a section: triples of a place, a type and a symbol. */
    void relocations(int section, long... triples) {
        byte[] content = new byte[triples.length / 3 * 16];
        ByteBuffer table = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < triples.length; i += 3) {
            table.putLong(triples[i]).putInt((int) triples[i + 1]).putInt((int) triples[i + 2]);
        }
        section(".rel", ElfSection.REL, 0, content, 0, section);
    }

    /** The whole file; sections and symbols can be added for another one. */
    byte[] toBytes() {
        int table = sections.size();
        section(".symtab", ElfSection.SYMTAB, 0, symbols.toByteArray(), table + 1, 0);
        sections.add(new long[] {name(".strtab"), 3, 0, body.size(), names.size(), 0, 0});
        body.writeBytes(names.toByteArray());
        long start = body.size();
        for (long[] each : sections) {
            body.writeBytes(little(64)
                    .putInt((int) each[0])
                    .putInt((int) each[1])
                    .putLong(each[2])
                    .putLong(0)
                    .putLong(each[3])
                    .putLong(each[4])
                    .putInt((int) each[5])
                    .putInt((int) each[6])
                    .array());
        }
        // as before, for the next file with more
        int count = sections.size();
        sections.subList(table, count).clear();
        byte[] file = body.toByteArray();
        ByteBuffer.wrap(file)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0x464c457f)
                .put((byte) 2)
                .put((byte) 1)
                .putShort(16, (short) 1)
                .putShort(18, (short) 247)
                .putLong(40, start)
                .putShort(58, (short) 64)
                .putShort(60, (short) count)
                .putShort(62, (short) (table + 1));
        return file;
    }

    private static ByteBuffer little(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
