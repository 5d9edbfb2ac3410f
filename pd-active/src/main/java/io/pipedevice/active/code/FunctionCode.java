// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.code;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Operation;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.elf.ObjectFile;
import io.pipedevice.active.bpf.verifier.UnsafeProgramException;
import io.pipedevice.active.message.MessageFunction;
import io.pipedevice.active.protocol.RegionMessage;

/**
 * The verified and compiled code of a function, and what follows from it.
 *
 * @param function the code
 * @param neededRights to all regions, of a process that runs it with its own rights: bits of {@link RegionMessage}
 */
public record FunctionCode(MessageFunction function, int neededRights) {
    private static final int ELF_MAGIC = 0x464C_457F;
    private static final CodeCache CACHE = new CodeCache();

    /**
     * Decodes, verifies and compiles a program, which takes milliseconds, and seconds of processor time if it is
     * hostile or the JVM has just begun. Functions of the same program share their code as long as one of them is in
     * use.
     *
     * @param bytes instructions, or an object file; not changed meanwhile
     * @param symbol the function of an object file that has several; empty for the only one
     * @param messageLength of its messages
     * @param regions the number of its regions
     * @param fuel instructions of a call
     * @return the code
     * @throws InvalidProgramException if it is no program
     * @throws UnsafeProgramException if it may do something undefined
     */
    public static FunctionCode of(byte[] bytes, String symbol, int messageLength, int regions, long fuel)
            throws InvalidProgramException, UnsafeProgramException {
        CodeCache.Key key = CodeCache.key(bytes, symbol, messageLength, regions, fuel);
        FunctionCode code = CACHE.find(key);
        if (code == null) {
            // Outside of the lock, so maybe by two threads at once.
            code = CACHE.add(key, make(bytes, symbol, messageLength, regions, fuel));
        }
        return code;
    }

    private static FunctionCode make(byte[] bytes, String symbol, int messageLength, int regions, long fuel)
            throws InvalidProgramException, UnsafeProgramException {
        Program program = program(bytes, symbol);
        int rights = 0;
        for (Instruction each : program.instructions()) {
            rights |= rights(each);
        }
        return new FunctionCode(MessageFunction.of(program, messageLength, regions, fuel), rights);
    }

    private static Program program(byte[] bytes, String symbol) throws InvalidProgramException {
        if (!isObjectFile(bytes)) {
            return Program.decode("the program", bytes);
        }
        ObjectFile file = ObjectFile.of(bytes);
        return symbol.isEmpty() ? file.program() : file.programOf(symbol);
    }

    private static boolean isObjectFile(byte[] bytes) {
        return bytes.length >= Integer.BYTES
                && (Byte.toUnsignedInt(bytes[0])
                                | Byte.toUnsignedInt(bytes[1]) << 8
                                | Byte.toUnsignedInt(bytes[2]) << 16
                                | bytes[3] << 24)
                        == ELF_MAGIC;
    }

    /** The rights that an instruction may need; all of a call whose target is computed. */
    private static int rights(Instruction instruction) {
        if (instruction.operation() == Operation.CALL_REGISTER) {
            return RegionMessage.OPERATE;
        }
        if (instruction.operation() != Operation.CALL_HELPER) {
            return 0;
        }
        return switch ((int) instruction.immediate()) {
            case 1, 3 -> RegionMessage.READ;
            case 2, 4 -> RegionMessage.WRITE;
            case 5, 6 -> RegionMessage.ATOMIC;
            default -> 0;
        };
    }
}
