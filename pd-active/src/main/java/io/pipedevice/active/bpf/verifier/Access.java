// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

/**
 * Where an instruction accesses memory, in all runs.
 *
 * @param kind which memory
 * @param number for a stack frame, how many calls it is above that of the function; otherwise the index of the
 *     parameter, of the constants, or the number of the helper that has returned it
 * @param least the least offset of the first byte
 * @param most the largest offset of the first byte
 */
public record Access(Kind kind, int number, long least, long most) {
    /** Kinds of memory. */
    public enum Kind {
        /** A stack frame of the program. */
        STACK,
        /** The memory of a parameter. */
        PARAMETER,
        /** Constants of the program. */
        CONSTANTS,
        /** Memory that a helper has returned. */
        RESULT,
        /** Not always the same memory. */
        SEVERAL
    }

    /** Where one of two accesses is. */
    Access join(Access other) {
        boolean isSame = kind == other.kind && number == other.number;
        return new Access(
                isSame ? kind : Kind.SEVERAL,
                isSame ? number : 0,
                Math.min(least, other.least),
                Math.max(most, other.most));
    }
}
