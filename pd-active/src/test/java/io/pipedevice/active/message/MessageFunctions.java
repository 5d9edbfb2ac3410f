// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import io.pipedevice.active.bpf.Assembler;
import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.verifier.UnsafeProgramException;

/** Functions of tests. */
final class MessageFunctions {
    private MessageFunctions() {}

    static Program program(String text) throws InvalidProgramException {
        return Program.decode("test", Assembler.assemble(text));
    }

    /** A function with messages of 64 bytes and two regions. */
    static MessageFunction function(String text) throws InvalidProgramException, UnsafeProgramException {
        return MessageFunction.of(program(text), 64, 2);
    }
}
