// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.elf;

import io.pipedevice.active.bpf.InvalidProgramException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A function of an object file, whose code was checked to be inside of its section. */
record CodeFunction(String name, ElfSection section, long offset, long size) {
    /** All functions of a file, in the order of sections and of their code. */
    static List<CodeFunction> of(ElfFile file) throws InvalidProgramException {
        List<CodeFunction> result = new ArrayList<>();
        for (ElfSymbol symbol : file.symbols()) {
            boolean isFunction = symbol.type() == ElfSymbol.FUNC && symbol.section() != ElfSymbol.UNDEFINED;
            if (isFunction && symbol.section() < file.sections().size()) {
                result.add(of(symbol, file.sections().get(symbol.section())));
            }
        }
        result.sort(
                Comparator.comparingInt((CodeFunction each) -> each.section().index())
                        .thenComparingLong(CodeFunction::offset));
        return List.copyOf(result);
    }

    private static CodeFunction of(ElfSymbol symbol, ElfSection section) throws InvalidProgramException {
        long offset = symbol.value();
        long size = symbol.size();
        boolean isInside = offset >= 0 && size > 0 && offset <= section.size() - size;
        if (!section.isCode() || !isInside || offset % Long.BYTES != 0 || size % Long.BYTES != 0) {
            throw new InvalidProgramException("the function '" + symbol.name() + "' has " + size + " bytes at " + offset
                    + " of " + section.title() + ", where there is no such code");
        }
        return new CodeFunction(symbol.name(), section, offset, size);
    }
}
