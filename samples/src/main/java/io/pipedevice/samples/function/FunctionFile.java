// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.function;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.elf.ObjectFile;
import io.pipedevice.active.bpf.verifier.UnsafeProgramException;
import io.pipedevice.active.message.MessageFunction;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** An object file of clang that lies beside a class, with the C source that it was compiled from. */
public final class FunctionFile {
    private FunctionFile() {}

    /**
     * Reads an object file.
     *
     * @param beside a class of the same package
     * @param file name of the object file
     * @return its bytes
     */
    public static byte[] bytes(Class<?> beside, String file) {
        try (InputStream bytes = beside.getResourceAsStream(file)) {
            if (bytes == null) {
                throw new IllegalStateException("there is no " + file + " beside " + beside.getName());
            }
            return bytes.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }

    /**
     * Verifies and compiles a function, for calls within this process.
     *
     * @param object the bytes of an object file
     * @param messageLength the bytes of a message
     * @param regions how many the function has
     * @param fuel most instructions of a call
     * @return the function
     */
    public static MessageFunction compile(byte[] object, int messageLength, int regions, long fuel) {
        try {
            return MessageFunction.of(ObjectFile.of(object).program(), messageLength, regions, fuel);
        } catch (InvalidProgramException | UnsafeProgramException e) {
            throw new IllegalStateException("an object file that cannot be used: " + e.getMessage(), e);
        }
    }
}
