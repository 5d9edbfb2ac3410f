// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import io.pipedevice.active.bpf.Instruction;
import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.Continuation;
import io.pipedevice.active.bpf.machine.ControlFlow;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.ProgramRegion;
import io.pipedevice.active.bpf.machine.ResumableRun;
import io.pipedevice.active.bpf.machine.ResumableRun.Progress;
import io.pipedevice.active.operation.OperationStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Runs messages of a function, one after the other. A message begins with {@link #begin} or {@link #load}; {@link #run}
 * then goes on with it until it has ended or failed. Used by one thread at a time.
 */
public final class MessageRun {
    /** The progress of a message. */
    public enum State {
        /** It has a {@link MessageRun#result}. */
        ENDED,
        /** Its {@link MessageRun#operation} has to be executed before it continues. */
        WAITS,
        /** It has used up the fuel of its turn, and can continue. */
        PAUSED,
        /** It will not continue: {@link MessageRun#status} says why. */
        FAILED
    }

    private static final int ENDED = 0;
    private static final int WAITS = 1;
    private static final int PAUSED = 2;
    private static final int FAILED = 3;

    /** The least fuel of a turn: with it a message goes on, whatever it does next. */
    public static final long LEAST_FUEL = ControlFlow.MAX_LENGTH;

    /** The status of a message whose function did something undefined, or has used up the fuel of the call. */
    public static final int FAULT = -1;

    private final MessageFunction function;
    private final MemorySegment message;
    private final RunOperations operations;
    private final CheckedMemory memory;
    private final ResumableRun run;
    private final Continuation where;

    /**
     * The progress of the message: one that has not begun was paused. A number, because the store of a {@link State}
     * has a barrier.
     */
    private int state;

    private FaultException fault;
    private long used;

    /**
     * Creates a place for a message.
     *
     * @param function the function of all its messages
     */
    public MessageRun(MessageFunction function) {
        this(function, Arena.ofAuto().allocate(function.messageLength(), Long.BYTES));
    }

    /**
     * Creates a place for a message in given memory.
     *
     * @param function the function of all its messages
     * @param memory as long as the messages, at an address that is a multiple of 8, which nothing else uses
     */
    public MessageRun(MessageFunction function, MemorySegment memory) {
        if (memory.byteSize() != function.messageLength()) {
            throw new IllegalArgumentException(
                    "memory of " + memory.byteSize() + " bytes for messages of " + function.messageLength());
        }
        this.function = function;
        this.message = memory;
        operations = new RunOperations(function.regions());
        this.memory = new CheckedMemory(function.layout(), List.of(new ProgramRegion("message", message)), operations);
        run = function.code().newRun(this.memory);
        where = run.continuation();
        operations.keepIn(where.words(), this.memory);
        state = FAILED;
    }

    /**
     * The function.
     *
     * @return that of all its messages
     */
    public MessageFunction function() {
        return function;
    }

    /**
     * The message. The caller copies it in before the run, and out after it.
     *
     * @return as many bytes as messages of the function have
     */
    public MemorySegment message() {
        return message;
    }

    /**
     * Begins a message: nothing of another one remains but the bytes of {@link #message}, which the caller replaces.
     */
    public void begin() {
        try {
            where.begin(memory.address(0), function.messageLength());
        } catch (FaultException e) {
            throw new IllegalStateException(e);
        }
        operations.last().status(OperationStatus.OK);
        used = 0;
        if (fault != null) {
            fault = null;
        }
        state = PAUSED;
    }

    /**
     * Continues the message.
     *
     * @param access executes operations on the regions
     * @param fuel how many instructions this turn has, at least {@link #LEAST_FUEL}: a turn can end before the last 63
     *     of them
     * @return the progress of the message
     */
    public State run(RegionAccess access, long fuel) {
        if (state == WAITS) {
            if (operations.last().status() != OperationStatus.OK) {
                return fail(null);
            }
            where.supply(operations.last().result());
        } else if (state != PAUSED) {
            throw new IllegalStateException("the message has ended or failed");
        }
        operations.use(access);
        long rest = function.fuel() - used;
        long turn = Math.min(Math.max(fuel, LEAST_FUEL), rest);
        Progress progress;
        try {
            progress = run.run(turn);
        } catch (FaultException e) {
            return fail(e);
        }
        used += turn - run.left();
        if (progress == Progress.ENDED) {
            state = ENDED;
            return State.ENDED;
        }
        if (progress == Progress.WAITS) {
            state = WAITS;
            return State.WAITS;
        }
        if (turn == rest) {
            return fail(outOfFuel());
        }
        state = PAUSED;
        return State.PAUSED;
    }

    private State fail(FaultException e) {
        fault = e;
        state = FAILED;
        return State.FAILED;
    }

    private FaultException outOfFuel() {
        int slot = function.layout().slot(where.position());
        long[] registers = new long[Instruction.REGISTERS];
        for (int i = 0; i < Instruction.FRAME_POINTER; i++) {
            registers[i] = where.register(i);
        }
        registers[Instruction.FRAME_POINTER] = memory.stack().end(where.depth());
        return FaultException.outOfFuel(used, slot, registers);
    }

    /**
     * The result of the function.
     *
     * @return any value, once the message has {@link State#ENDED}
     */
    public long result() {
        return run.result();
    }

    /**
     * The operation that the message {@link State#WAITS} for. The place executes it once, and sets its value or status,
     * before it calls {@link #run} again.
     *
     * @return the same object for all operations of this run
     * @throws IllegalStateException if it waits for none: a message that was paused has registers in the place of one
     */
    public RegionOperation operation() {
        if (state != WAITS) {
            throw new IllegalStateException("the message waits for no operation");
        }
        return operations.last();
    }

    /**
     * The reason for which the message has {@link State#FAILED}.
     *
     * @return the {@link OperationStatus} of an operation, or {@link #FAULT}
     */
    public int status() {
        int status = operations.last().status();
        return status == OperationStatus.OK ? FAULT : status;
    }

    /**
     * The fault by which the message {@link State#FAILED}.
     *
     * @return the instruction and the reason; null if an operation failed for which it had waited
     */
    public FaultException fault() {
        return fault;
    }

    /**
     * The number of instructions of the message that were executed, here and elsewhere.
     *
     * @return exact, unless the function has failed
     */
    public long used() {
        return used;
    }

    /**
     * Saves where a message is that waits or was paused: all but the bytes of the message. It has no addresses of this
     * process.
     *
     * @param to memory for {@link MessageFunction#stateLength} bytes
     * @param offset where in it, a multiple of 8
     * @return the bytes of the state, a multiple of 8
     */
    public int save(MemorySegment to, long offset) {
        if (state != WAITS && state != PAUSED) {
            throw new IllegalStateException("the message has ended or failed");
        }
        where.words()[MessageStateDescriptor.USED] = used;
        return function.states().save(where, memory, to, offset);
    }

    /**
     * Resumes a message that was saved elsewhere, instead of {@link #begin}. The state is copied once and checked:
     * whatever it is, the run reaches only its own memory, and the regions of the function.
     *
     * @param from memory that another process may change at any time
     * @param offset where in it, a multiple of 8
     * @param length the bytes of the state
     * @return the progress of the message: {@link State#WAITS} or {@link State#PAUSED}
     * @throws InvalidStateException if it is no state of this function
     */
    public State load(MemorySegment from, long offset, long length) throws InvalidStateException {
        state = FAILED;
        fault = null;
        function.states().load(from, offset, length, where, memory, operations);
        used = where.words()[MessageStateDescriptor.USED];
        if (used < 0 || used > function.fuel()) {
            throw new InvalidStateException("a run that has had more instructions than it may");
        }
        if (where.waits() == 1) {
            state = WAITS;
            return State.WAITS;
        }
        operations.last().status(OperationStatus.OK);
        state = PAUSED;
        return State.PAUSED;
    }
}
