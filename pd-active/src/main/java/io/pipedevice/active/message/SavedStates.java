// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import static io.pipedevice.active.message.MessageStateDescriptor.*;

import io.pipedevice.active.bpf.machine.Continuation;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.Memory;
import io.pipedevice.active.bpf.machine.Stretches;
import io.pipedevice.active.bpf.verifier.VerifiedProgram;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Saves and loads the states of a function's runs ({@link MessageStateDescriptor}). What is loaded is hostile: each word is read
 * once, and whatever it is, the run that goes on is one that the function's code and checked accesses keep in its own memory.
 * Immutable.
 */
final class SavedStates {
    /** A word of a state. */
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int FRAME_WORDS = Memory.FRAME_LENGTH / Long.BYTES;

    private final Stretches stretches;

    /** By the index of the first instruction of a function: the words at the end of its frame that it uses. */
    private final int[] frameWords;

    private final int length;

    SavedStates(VerifiedProgram verified, Stretches stretches) {
        this.stretches = stretches;
        int size = verified.program().instructions().size();
        frameWords = new int[size];
        verified.frameLengths()
                .forEach((function, bytes) -> frameWords[function] = (bytes + Long.BYTES - 1) / Long.BYTES);
        length = PAUSED_LENGTH + most(size);
    }

    /** The most bytes of entries and frames: of the longest chain of calls, as deep as calls can be. */
    private int most(int size) {
        int[] deeper = new int[size];
        for (int depth = 0; depth < Memory.MAX_FRAMES; depth++) {
            int[] own = new int[size];
            Arrays.setAll(own, i -> frameWords[i] * Long.BYTES);
            for (int i = 1; i < size; i++) {
                int called = stretches.calledBefore(i);
                if (called >= 0 && depth > 0) {
                    int function = stretches.function(i);
                    int needed = frameWords[function] * Long.BYTES + CALLER_LENGTH + deeper[called];
                    own[function] = Math.max(own[function], needed);
                }
            }
            deeper = own;
        }
        return deeper[0];
    }

    /** The most bytes of a state. */
    int length() {
        return length;
    }

    /** Saves a run, whose operation is null unless it waits. Returns the bytes of the state. */
    int save(Continuation where, Memory memory, RegionOperation operation, long used, MemorySegment to, long offset) {
        long[] registers = where.registers();
        int depth = where.depth();
        int kind = operation == null ? PAUSED : WAITS;
        to.set(LONG, offset + PLACE_OFFSET, where.position() | (long) depth << DEPTH_SHIFT | (long) kind << KIND_SHIFT);
        to.set(LONG, offset + USED_OFFSET, used);
        long at = offset;
        if (operation == null) {
            MemorySegment.copy(registers, 0, to, LONG, offset + REGISTERS_OFFSET, Continuation.LAST_SAVED + 1);
            at += PAUSED_LENGTH;
        } else {
            save(operation, to, offset);
            MemorySegment.copy(
                    registers, Continuation.FIRST_SAVED, to, LONG, offset + SAVED_OFFSET, Continuation.SAVED);
            at += WAITS_LENGTH;
        }
        for (int i = 0; i < depth; i++) {
            to.set(LONG, at, where.returnTo(i));
            for (int j = 0; j < Continuation.SAVED; j++) {
                to.set(LONG, at + Long.BYTES * (j + 1L), where.saved(i, Continuation.FIRST_SAVED + j));
            }
            at += CALLER_LENGTH;
        }
        for (int i = 0; i <= depth; i++) {
            int words = frameWords[function(where, i)];
            if (words > 0) {
                MemorySegment.copy(memory.frame(i), FRAME_WORDS - words, to, LONG, at, words);
                at += (long) words * Long.BYTES;
            }
        }
        return (int) (at - offset);
    }

    private static void save(RegionOperation operation, MemorySegment to, long offset) {
        boolean isCopy = operation.isCopy();
        to.set(LONG, offset + CODE_AND_REGION_OFFSET, operation.code() | (long) operation.region() << Integer.SIZE);
        to.set(LONG, offset + OFFSET_OFFSET, operation.offset());
        to.set(LONG, offset + ADDRESS_OFFSET, operation.address());
        to.set(LONG, offset + OPERAND_OFFSET, isCopy ? operation.length() : operation.operand());
        to.set(LONG, offset + SECOND_OFFSET, operation.second());
    }

    private int function(Continuation where, int level) {
        return stretches.function(level < where.depth() ? where.returnTo(level) : where.position());
    }

    /**
     * Loads a run: where it is, its registers, its stack, and the operation for which it waits.
     *
     * @param place the first word of the state
     * @return whether it waits
     */
    boolean load(
            long place,
            MemorySegment from,
            long offset,
            long available,
            Continuation where,
            Memory memory,
            Operations operations)
            throws InvalidStateException {
        int position = (int) place;
        int depth = (int) (place >>> DEPTH_SHIFT) & 0xff;
        long kind = place >>> KIND_SHIFT;
        require(kind == PAUSED || kind == WAITS, "a run of an unknown kind");
        require(depth < Memory.MAX_FRAMES, "a run that is too deep");
        boolean waits = kind == WAITS;
        int fixed = waits ? WAITS_LENGTH : PAUSED_LENGTH;
        require(available >= fixed + (long) depth * CALLER_LENGTH, "a state that is too short");
        restore(where, position, depth);
        long at = callers(from, offset + fixed, where, position, depth);
        for (int i = 0; i <= depth; i++) {
            int words = frameWords[function(where, i)];
            require(available - (at - offset) >= (long) words * Long.BYTES, "a state that is too short");
            if (words > 0) {
                MemorySegment.copy(from, LONG, at, memory.frame(i), FRAME_WORDS - words, words);
                at += (long) words * Long.BYTES;
            }
        }
        require(at - offset == available, "a state that is too long");
        if (waits) {
            MemorySegment.copy(
                    from, LONG, offset + SAVED_OFFSET, where.registers(), Continuation.FIRST_SAVED, Continuation.SAVED);
            load(position, from, offset, memory, operations);
        } else {
            MemorySegment.copy(
                    from, LONG, offset + REGISTERS_OFFSET, where.registers(), 0, Continuation.LAST_SAVED + 1);
            operations.reset();
        }
        return waits;
    }

    private static void restore(Continuation where, int position, int depth) throws InvalidStateException {
        try {
            where.restore(position, depth);
        } catch (FaultException e) {
            throw new InvalidStateException(e.getMessage());
        }
    }

    /** Loads the functions that wait, each of which has called the next one. Returns where the frames begin. */
    private long callers(MemorySegment from, long offset, Continuation where, int position, int depth)
            throws InvalidStateException {
        int function = 0;
        long at = offset;
        for (int i = 0; i < depth; i++) {
            int returnTo = (int) from.get(LONG, at);
            require(stretches.canStopAt(returnTo, function), "a run that waits where it cannot");
            function = stretches.calledBefore(returnTo);
            require(function >= 0, "a run that waits where nothing was called");
            where.waits(
                    i,
                    returnTo,
                    from.get(LONG, at + 8),
                    from.get(LONG, at + 16),
                    from.get(LONG, at + 24),
                    from.get(LONG, at + 32));
            at += CALLER_LENGTH;
        }
        require(stretches.canStopAt(position, function), "a run that has stopped where it cannot");
        return at;
    }

    private void load(int position, MemorySegment from, long offset, Memory memory, Operations operations)
            throws InvalidStateException {
        long codeAndRegion = from.get(LONG, offset + CODE_AND_REGION_OFFSET);
        int code = (int) codeAndRegion;
        int helper = stretches.helperBefore(position);
        require(helper >= 0 && MessageHelpers.code(helper) == code, "another operation than the function's");
        operations.restore(
                code,
                (int) (codeAndRegion >>> Integer.SIZE),
                from.get(LONG, offset + OFFSET_OFFSET),
                memory,
                from.get(LONG, offset + ADDRESS_OFFSET),
                from.get(LONG, offset + OPERAND_OFFSET),
                from.get(LONG, offset + SECOND_OFFSET));
    }

    private static void require(boolean condition, String problem) throws InvalidStateException {
        if (!condition) {
            throw new InvalidStateException(problem);
        }
    }
}
