// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.elf;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An object file with functions of eBPF, as {@code clang -target bpf -O2 -c} writes it. Each function can be a program;
 * the functions that it calls, in its own section and in others, become parts of it, and so do the read-only data that
 * it uses. Writable global variables, maps and symbols of other files are not supported. Immutable.
 *
 * <p>A file is not trusted: what it refers to is checked, and what reading it takes is bounded.
 */
public final class ObjectFile {
    private static final String TEXT = ".text";

    private final ElfFile file;
    private final List<CodeFunction> functions;

    private ObjectFile(ElfFile file, List<CodeFunction> functions) {
        this.file = file;
        this.functions = functions;
    }

    /**
     * Reads an object file.
     *
     * @param path the file
     * @return its functions
     * @throws IOException if the file cannot be read
     * @throws InvalidProgramException if it is no object file for eBPF
     */
    public static ObjectFile read(Path path) throws IOException, InvalidProgramException {
        try (InputStream in = Files.newInputStream(path)) {
            // one more than is possible tells that the file is too long
            return of(in.readNBytes(ElfFile.MAX_LENGTH + 1));
        }
    }

    /**
     * Reads an object file from memory.
     *
     * @param content the bytes of the file, which must not change any more
     * @return its functions
     * @throws InvalidProgramException if it is no object file for eBPF
     */
    public static ObjectFile of(byte[] content) throws InvalidProgramException {
        ElfFile file = new ElfFile(content);
        List<CodeFunction> functions = CodeFunction.of(file);
        if (functions.isEmpty()) {
            throw new InvalidProgramException("the file has no functions");
        }
        return new ObjectFile(file, functions);
    }

    /**
     * The names of all functions, in the order of the file.
     *
     * @return at least one
     */
    public List<String> functions() {
        return functions.stream().map(CodeFunction::name).toList();
    }

    /**
     * The program that begins with the first function outside of the section .text, where functions are that others
     * call, or with the first one at all.
     *
     * @return the program
     * @throws InvalidProgramException if it refers to something that is not supported, or is no valid code
     */
    public Program program() throws InvalidProgramException {
        return link(functions.stream()
                .filter(each -> !each.section().name().equals(TEXT))
                .findFirst()
                .orElse(functions.getFirst()));
    }

    /**
     * The program that begins with a function.
     *
     * @param function the name of the function
     * @return the program
     * @throws InvalidProgramException if there is no such function, it refers to something that is not supported, or is
     *     no valid code
     */
    public Program programOf(String function) throws InvalidProgramException {
        for (CodeFunction each : functions) {
            if (each.name().equals(function)) {
                return link(each);
            }
        }
        throw new InvalidProgramException("the file has no function '" + function + "', only " + functions());
    }

    /**
     * The program that begins with the first function of a section.
     *
     * @param section the name of the section
     * @return the program
     * @throws InvalidProgramException if there is no such section with functions, the function refers to something that
     *     is not supported, or is no valid code
     */
    public Program programIn(String section) throws InvalidProgramException {
        for (CodeFunction each : functions) {
            if (each.section().name().equals(section)) {
                return link(each);
            }
        }
        throw new InvalidProgramException("the file has no functions in a section '" + section + "', only in "
                + functions.stream()
                        .map(each -> each.section().name())
                        .distinct()
                        .toList());
    }

    private Program link(CodeFunction entry) throws InvalidProgramException {
        return new Linker(file, functions).link(entry);
    }
}
