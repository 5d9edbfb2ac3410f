// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import static io.pipedevice.active.message.MessageStateDescriptor.FIXED;

import io.pipedevice.active.bpf.machine.CheckedMemory;
import io.pipedevice.active.bpf.machine.Continuation;
import io.pipedevice.active.bpf.machine.FaultException;
import io.pipedevice.active.bpf.machine.StackFrames;
import io.pipedevice.active.bpf.machine.Stretches;
import io.pipedevice.active.bpf.verifier.VerifiedProgram;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Saves and loads the states of a function's runs ({@link MessageStateDescriptor}). What is loaded is hostile: it is
 * copied once, and whatever it is, the run that resumes is one that the function's code and checked accesses keep in
 * its own memory. Immutable.
 */
final class SavedStates {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int FRAME_WORDS = StackFrames.FRAME_LENGTH / Long.BYTES;

    /** The longest state: as many functions as there can be, each with its whole frame. */
    static final int MAX_LENGTH =
            Long.BYTES * (FIXED + StackFrames.MAX_FRAMES * (FRAME_WORDS + Continuation.CALLER_WORDS));

    private final Stretches stretches;

    /** By the index of the first instruction of a function: the words at the end of its frame that it uses. */
    private final byte[] frameWords;

    private final boolean usesStack;

    /** The most words of a state. */
    private final int words;

    SavedStates(VerifiedProgram verified, Stretches stretches) {
        this.stretches = stretches;
        int size = verified.program().instructions().size();
        frameWords = new byte[size];
        verified.frameLengths()
                .forEach((function, bytes) -> frameWords[function] = (byte) ((bytes + Long.BYTES - 1) / Long.BYTES));
        usesStack = verified.frameLengths().values().stream().anyMatch(each -> each > 0);
        words = FIXED + most(size);
    }

    /** The most words of callers and frames: of the longest chain of calls, as deep as calls can be. */
    private int most(int size) {
        int[] deeper = new int[size];
        for (int depth = 0; depth < StackFrames.MAX_FRAMES; depth++) {
            int[] own = new int[size];
            for (int i = 0; i < size; i++) {
                own[i] = frameWords[i];
            }
            for (int i = 1; i < size; i++) {
                int called = stretches.calledBefore(i);
                if (called >= 0 && depth > 0) {
                    int function = stretches.function(i - 1);
                    int needed = frameWords[function] + Continuation.CALLER_WORDS + deeper[called];
                    own[function] = Math.max(own[function], needed);
                }
            }
            deeper = own;
        }
        return deeper[0];
    }

    /** The most bytes of a state. */
    int length() {
        return words * Long.BYTES;
    }

    /** Saves a run, whose words have all of it but its stack. Returns the bytes of the state. */
    int save(Continuation where, CheckedMemory memory, MemorySegment to, long offset) {
        int depth = where.depth();
        int fixed = FIXED + depth * Continuation.CALLER_WORDS;
        MemorySegment.copy(where.words(), 0, to, LONG, offset, fixed);
        long at = offset + (long) fixed * Long.BYTES;
        for (int i = usesStack ? 0 : depth + 1; i <= depth; i++) {
            int count = frameWords[function(where, i)];
            if (count > 0) {
                MemorySegment.copy(memory.stack().frame(i), FRAME_WORDS - count, to, LONG, at, count);
                at += (long) count * Long.BYTES;
            }
        }
        return (int) (at - offset);
    }

    private int function(Continuation where, int level) {
        return stretches.function(level < where.depth() ? where.returnTo(level) : where.position());
    }

    /** Loads a run: its words, where it is, its stack, and the operation for which it waits. */
    void load(
            MemorySegment from,
            long offset,
            long length,
            Continuation where,
            CheckedMemory memory,
            RunOperations operations)
            throws InvalidStateException {
        require(length >= FIXED * Long.BYTES, "a state that is too short");
        MemorySegment.copy(from, LONG, offset, where.words(), 0, FIXED);
        int depth = where.depth();
        require(where.waits() <= 1, "a run of an unknown kind");
        require(depth < StackFrames.MAX_FRAMES, "a run that is too deep");
        long at = offset + FIXED * Long.BYTES;
        long end = offset + length;
        if (depth > 0) {
            int count = depth * Continuation.CALLER_WORDS;
            require(end - at >= (long) count * Long.BYTES, "a state that is too short");
            MemorySegment.copy(from, LONG, at, where.words(), FIXED, count);
            at += (long) count * Long.BYTES;
        }
        checkPlace(where, depth);
        restore(where);
        for (int i = usesStack ? 0 : depth + 1; i <= depth; i++) {
            int count = frameWords[function(where, i)];
            require(end - at >= (long) count * Long.BYTES, "a state that is too short");
            if (count > 0) {
                MemorySegment.copy(from, LONG, at, memory.stack().frame(i), FRAME_WORDS - count, count);
                at += (long) count * Long.BYTES;
            }
        }
        require(at == end, "a state that is too long");
        if (where.waits() == 1) {
            int helper = stretches.helperBefore(where.position());
            int code = operations.last().code();
            require(helper >= 0 && MessageHelpers.code(helper) == code, "another operation than the function's");
            operations.restore();
        }
    }

    /** Checks that each function that waits has called the next one. */
    private void checkPlace(Continuation where, int depth) throws InvalidStateException {
        int function = 0;
        for (int i = 0; i < depth; i++) {
            int returnTo = where.returnTo(i);
            require(stretches.canStopAt(returnTo, function), "a run that waits where it cannot");
            function = stretches.calledBefore(returnTo);
            require(function >= 0, "a run that waits where nothing was called");
        }
        require(stretches.canStopAt(where.position(), function), "a run that has stopped where it cannot");
    }

    private static void restore(Continuation where) throws InvalidStateException {
        try {
            where.restore();
        } catch (FaultException e) {
            throw new InvalidStateException(e.getMessage());
        }
    }

    private static void require(boolean condition, String problem) throws InvalidStateException {
        if (!condition) {
            throw new InvalidStateException(problem);
        }
    }
}
