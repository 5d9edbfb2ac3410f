// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.elf;

/** One relocation: its kind, and the symbol whose value it needs. */
record ElfRelocation(int type, ElfSymbol symbol) {
    /** A wide load of an address: R_BPF_64_64. */
    static final int WIDE_LOAD = 1;

    /** A call: R_BPF_64_32. */
    static final int CALL = 10;
}
