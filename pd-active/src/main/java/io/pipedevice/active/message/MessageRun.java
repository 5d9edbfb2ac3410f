// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Memory;
import io.pipedevice.active.bpf.machine.Region;
import io.pipedevice.operation.OperationStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Runs messages of a function, one after the other. A message begins with {@link #begin} or {@link #load}; {@link #run} then goes
 * on with it until it has ended or failed. Used by one thread at a time.
 */
public final class MessageRun {
    /** How far a message is. */
    public enum State {
        /** It has a {@link MessageRun#result}. */
        ENDED,
        /** Its {@link MessageRun#operation} has to be executed before it goes on. */
        WAITS,
        /** It has used up the fuel of its turn, and can go on. */
        PAUSED,
        /** It will not go on: {@link MessageRun#status} says why. */
        FAILED
    }

    /** The status of a message whose function did something undefined, or has used up the fuel of the call. */
    public static final int FAULT = -1;

    private final MessageFunction function;
    private final MemorySegment message;
    private final Operations operations;
    private final Memory memory;
    private long result;
    private FaultException fault;
    private long used;

    /**
     * Creates a place for a message.
     *
     * @param function the function of all its messages
     */
    public MessageRun(MessageFunction function) {
        this.function = function;
        message = Arena.ofAuto().allocate(function.messageLength(), Long.BYTES);
        operations = new Operations(function.regions());
        memory = new Memory(function.program(), List.of(new Region("message", message)), operations);
    }

    /**
     * The message. The caller copies it in before the run, and out after it.
     *
     * @return as many bytes as messages of the function have
     */
    public MemorySegment message() {
        return message;
    }

    /** Begins a message: nothing of another one remains but the bytes of {@link #message}, which the caller replaces. */
    public void begin() {
        used = 0;
        fault = null;
        operations.last().set(RegionOperation.YIELD, 0, 0, 0, 0);
    }

    /**
     * Goes on with the message.
     *
     * @param access what reaches the regions
     * @param fuel how many instructions this turn has, at least 64: a turn can end with up to 63 of them left
     * @return how far the message is
     */
    public State run(RegionAccess access, long fuel) {
        operations.use(access);
        try {
            result = function.compiled().run(memory, function.fuel(), memory.address(0), function.messageLength());
            return State.ENDED;
        } catch (FaultException e) {
            fault = e;
            return State.FAILED;
        }
    }

    /**
     * What the function has returned.
     *
     * @return any value, once the message has {@link State#ENDED}
     */
    public long result() {
        return result;
    }

    /**
     * The operation that the message {@link State#WAITS} for. The place executes it once, and sets its value or status, before
     * it calls {@link #run} again.
     *
     * @return the same object for all operations of this run
     */
    public RegionOperation operation() {
        return operations.last();
    }

    /**
     * Why the message has {@link State#FAILED}.
     *
     * @return the {@link OperationStatus} of an operation, or {@link #FAULT}
     */
    public int status() {
        int status = operations.last().status();
        return status == OperationStatus.OK ? FAULT : status;
    }

    /**
     * What the function did when the message {@link State#FAILED}.
     *
     * @return the instruction and the reason; null if an operation failed for which it had waited
     */
    public FaultException fault() {
        return fault;
    }

    /**
     * How many instructions of the message were executed, here and elsewhere.
     *
     * @return exact, unless the function has failed
     */
    public long used() {
        return used;
    }

    /**
     * Saves where a message is that waits or was paused: all but the bytes of the message. It has no addresses of this process.
     *
     * @param to memory for {@link MessageFunction#stateLength} bytes
     * @param offset where in it, a multiple of 8
     * @return the bytes of the state, a multiple of 8
     */
    public int save(MemorySegment to, long offset) {
        if (used >= 0) {
            throw new UnsupportedOperationException();
        }
        return 0;
    }

    /**
     * Goes on with a message that was saved elsewhere, instead of {@link #begin}. The state is copied once and checked: whatever
     * it is, the run reaches only its own memory, and the regions of the function.
     *
     * @param from memory that another process may change at any time
     * @param offset where in it, a multiple of 8
     * @param length the bytes of the state
     * @throws InvalidStateException if it is no state of this function
     */
    public void load(MemorySegment from, long offset, long length) throws InvalidStateException {
        if (used >= 0) {
            throw new UnsupportedOperationException();
        }
    }
}
