// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Regions of memory that other processes operate on through a driver, and functions in eBPF near them. Programs begin
 * with {@link io.pipedevice.active.Regions}; {@code active.message} runs a function in the program itself, and
 * {@code active.bpf} reads and verifies one.
 */
module io.pipedevice.active {
    requires transitive io.pipedevice.lib;
    requires org.agrona;

    exports io.pipedevice.active;
    exports io.pipedevice.active.bpf;
    exports io.pipedevice.active.bpf.elf;
    exports io.pipedevice.active.bpf.machine;
    exports io.pipedevice.active.bpf.verifier;
    exports io.pipedevice.active.code;
    exports io.pipedevice.active.message;

    // Not for programs: what the other modules of PipeDevice have in common with this one.
    exports io.pipedevice.active.bpf.compiler to
            io.pipedevice.tool;
    exports io.pipedevice.active.bpf.interpreter to
            io.pipedevice.tool;
    exports io.pipedevice.active.operation to
            io.pipedevice.device;
    exports io.pipedevice.active.protocol to
            io.pipedevice.device,
            io.pipedevice.tool;
}
