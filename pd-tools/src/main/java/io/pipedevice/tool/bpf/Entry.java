// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.bpf;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.elf.ObjectFile;
import picocli.CommandLine.Option;

/** The option that chooses the function of an object file with which a program begins. */
final class Entry {
    @Option(names = "--section", paramLabel = "NAME", description = "Begin with the first function of this section.")
    private String section;

    @Option(names = "--function", paramLabel = "NAME", description = "Begin with this function.")
    private String function;

    boolean isChosen() {
        return section != null || function != null;
    }

    Program of(ObjectFile file) throws InvalidProgramException {
        if (section != null) {
            return file.programIn(section);
        }
        return function != null ? file.programOf(function) : file.program();
    }
}
