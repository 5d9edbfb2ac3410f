// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.function;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.elf.ObjectFile;
import java.io.IOException;
import java.io.InputStream;

/** An object file of clang that lies beside a class, with the C source that it was compiled from. */
public final class FunctionFile {
    private FunctionFile() {}

    /**
     * Reads a function.
     *
     * @param beside a class of the same package
     * @param file name of the object file
     * @param function name of the function in C
     * @return its program
     */
    public static Program read(Class<?> beside, String file, String function) {
        try (InputStream bytes = beside.getResourceAsStream(file)) {
            if (bytes == null) {
                throw new IllegalStateException("there is no " + file + " beside " + beside.getName());
            }
            return ObjectFile.of(bytes.readAllBytes()).programOf(function);
        } catch (IOException | InvalidProgramException e) {
            throw new IllegalStateException(file + " is damaged", e);
        }
    }
}
