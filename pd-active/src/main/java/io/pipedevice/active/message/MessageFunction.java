// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.bpf.ProgramLayout;
import io.pipedevice.active.bpf.compiler.ResumableProgram;
import io.pipedevice.active.bpf.interpreter.ResumableInterpreter;
import io.pipedevice.active.bpf.machine.ResumableCode;
import io.pipedevice.active.bpf.machine.Stretches;
import io.pipedevice.active.bpf.verifier.Conditions;
import io.pipedevice.active.bpf.verifier.Parameter;
import io.pipedevice.active.bpf.verifier.UnsafeProgramException;
import io.pipedevice.active.bpf.verifier.VerifiedProgram;
import io.pipedevice.active.bpf.verifier.Verifier;
import io.pipedevice.jdk.Jdk;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * An active function: a program that was verified for messages of one length, and compiled, from JDK 24 on. r1 is the
 * address of the message, r2 its length. Immutable; any number of {@link MessageRun}s use it at the same time.
 */
public final class MessageFunction {
    /** The longest message. */
    public static final int MAX_LENGTH = 16_384;

    /** The longest state of a run of any function. */
    public static final int MAX_STATE_LENGTH = SavedStates.MAX_LENGTH;

    /** The most regions of a function. */
    public static final int MAX_REGIONS = 64;

    /** The most instructions that a call can be allowed to have. */
    public static final long MAX_FUEL = 1L << 26;

    /** Beside the most that arrays have of an instruction, the bytecode of a long program. */
    private static final int SLOT_BYTES = 40;

    /** What the JVM needs for any class. */
    private static final int CLASS_BYTES = 16_384;

    private final ProgramLayout layout;
    private final int instructions;
    private final ResumableCode code;
    private final SavedStates states;
    private final int messageLength;
    private final int regions;
    private final long fuel;

    private MessageFunction(VerifiedProgram verified, ResumableCode code, int messageLength, int regions, long fuel) {
        this.layout = verified.program().layout();
        this.instructions = verified.program().instructions().size();
        this.code = code;
        this.states = new SavedStates(verified, new Stretches(verified.program(), MessageHelpers.ALL));
        this.messageLength = messageLength;
        this.regions = regions;
        this.fuel = fuel;
    }

    /**
     * As {@link #of(Program, int, int, long)}, for calls that may have {@link #MAX_FUEL} instructions.
     *
     * @param program the program
     * @param messageLength the bytes of each message, 1 to {@link #MAX_LENGTH}
     * @param regions the number of regions that it operates on, up to {@link #MAX_REGIONS}
     * @return the function
     * @throws InvalidProgramException if it needs a helper that there is not
     * @throws UnsafeProgramException if it may do something undefined
     */
    public static MessageFunction of(Program program, int messageLength, int regions)
            throws InvalidProgramException, UnsafeProgramException {
        return of(program, messageLength, regions, MAX_FUEL);
    }

    /**
     * Verifies a function, and compiles it from JDK 24 on. Before, there is no API that makes class files, and it is
     * interpreted.
     *
     * @param program the program
     * @param messageLength the bytes of each message, 1 to {@link #MAX_LENGTH}
     * @param regions the number of regions that it operates on, up to {@link #MAX_REGIONS}
     * @param fuel the most instructions of a call, in all its turns together, 1 to {@link #MAX_FUEL}
     * @return the function
     * @throws InvalidProgramException if it needs a helper that there is not
     * @throws UnsafeProgramException if it may do something undefined
     */
    public static MessageFunction of(Program program, int messageLength, int regions, long fuel)
            throws InvalidProgramException, UnsafeProgramException {
        VerifiedProgram verified = verify(program, messageLength, regions, fuel);
        ResumableCode code = Jdk.HAS_CLASS_FILES
                ? new ResumableProgram(verified, MessageHelpers.ALL)
                : new ResumableInterpreter(program, MessageHelpers.ALL);
        return new MessageFunction(verified, code, messageLength, regions, fuel);
    }

    /** As {@link #of(Program, int, int, long)}, but interpreted. */
    static MessageFunction interpreted(Program program, int messageLength, int regions, long fuel)
            throws InvalidProgramException, UnsafeProgramException {
        VerifiedProgram verified = verify(program, messageLength, regions, fuel);
        ResumableCode code = new ResumableInterpreter(program, MessageHelpers.ALL);
        return new MessageFunction(verified, code, messageLength, regions, fuel);
    }

    private static VerifiedProgram verify(Program program, int messageLength, int regions, long fuel)
            throws InvalidProgramException, UnsafeProgramException {
        if (messageLength < 1 || messageLength > MAX_LENGTH) {
            throw new IllegalArgumentException("a message cannot have " + messageLength + " bytes");
        }
        if (regions < 0 || regions > MAX_REGIONS) {
            throw new IllegalArgumentException("a function cannot have " + regions + " regions");
        }
        if (fuel < 1 || fuel > MAX_FUEL) {
            throw new IllegalArgumentException("a call cannot have " + fuel + " instructions");
        }
        Parameter message = new Parameter.Memory("message", messageLength, messageLength, true);
        Conditions conditions = new Conditions(MessageHelpers.ALL, List.of(message, Parameter.LENGTH));
        return Verifier.verify(program, conditions);
    }

    /**
     * The length of each message.
     *
     * @return in bytes
     */
    public int messageLength() {
        return messageLength;
    }

    /**
     * How many regions the function operates on.
     *
     * @return their number
     */
    public int regions() {
        return regions;
    }

    /**
     * How many instructions a call may have, in all its turns together.
     *
     * @return at least 1
     */
    public long fuel() {
        return fuel;
    }

    /**
     * The most bytes of the saved state of a run.
     *
     * @return a multiple of 8
     */
    public int stateLength() {
        return states.length();
    }

    /**
     * The memory that the code takes, without its runs: of the heap, and of the JVM for its class.
     *
     * @return in bytes, roughly
     */
    public long codeBytes() {
        long constants = 0;
        for (MemorySegment each : layout.data()) {
            constants += each.byteSize();
        }
        return CLASS_BYTES + constants + (long) SLOT_BYTES * instructions;
    }

    /** The program without its instructions. */
    ProgramLayout layout() {
        return layout;
    }

    /** The code that runs it. */
    ResumableCode code() {
        return code;
    }

    /** The form in which its runs are saved and loaded. */
    SavedStates states() {
        return states;
    }
}
