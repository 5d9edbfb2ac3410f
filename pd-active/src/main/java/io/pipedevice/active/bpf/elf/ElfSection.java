// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.elf;

/** A section of a file, whose content was checked to be inside of the file. */
record ElfSection(int index, String name, int type, long flags, long offset, long size, int link, int info) {
    static final int PROGBITS = 1;
    static final int SYMTAB = 2;
    static final int RELA = 4;
    static final int NOBITS = 8;
    static final int REL = 9;

    private static final long WRITE = 1;
    private static final long ALLOC = 2;
    private static final long EXECINSTR = 4;

    boolean isCode() {
        return type == PROGBITS && (flags & EXECINSTR) != 0;
    }

    boolean isConstant() {
        return type == PROGBITS && (flags & (ALLOC | WRITE | EXECINSTR)) == ALLOC;
    }

    String title() {
        return "section " + index + " '" + name + "'";
    }
}
