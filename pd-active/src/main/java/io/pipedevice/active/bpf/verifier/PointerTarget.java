// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

/**
 * Memory that a pointer leads to.
 *
 * @param kind where it comes from
 * @param index its number: the depth of a stack frame, the number of a parameter or of constants, or of a helper
 * @param name its name in messages
 * @param isWritable whether the program may change it
 * @param length its bytes; those of a parameter are what a state knows
 */
record PointerTarget(Kind kind, int index, String name, boolean isWritable, long length) {
    /** Where memory comes from. */
    enum Kind {
        STACK,
        PARAMETER,
        CONSTANTS,
        RESULT
    }

    /** Whether two pointers to this place are pointers to the same memory. */
    boolean isOne() {
        return kind != Kind.RESULT;
    }
}
