// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.elf;

/** A symbol; its section was checked to exist unless it is not defined, and its name is text of the file. */
record ElfSymbol(String name, int type, int section, long value, long size) {
    static final int FUNC = 2;
    static final int SECTION = 3;

    static final int UNDEFINED = 0;
}
