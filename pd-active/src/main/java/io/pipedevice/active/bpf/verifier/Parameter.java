// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

/** The content of one of the registers r1 to r5 when a program begins. */
public sealed interface Parameter {
    /** Any number. */
    Parameter NUMBER = new AnyNumber();

    /** The length of the memory of the parameter before. */
    Parameter LENGTH = new Length();

    /** Any number. */
    record AnyNumber() implements Parameter {}

    /** The length of the memory of the parameter before. */
    record Length() implements Parameter {}

    /**
     * The address of memory, which begins at a multiple of 8 and is never 0.
     *
     * @param name its name in messages
     * @param least the bytes that it has at least
     * @param most the bytes that it has at most
     * @param isWritable whether the program may change it
     */
    record Memory(String name, long least, long most, boolean isWritable) implements Parameter {
        /** The largest length of a region. */
        public static final long MAX_LENGTH = 1L << 39;

        /** Checks the lengths. */
        public Memory {
            if (least < 0 || most < least || most > MAX_LENGTH) {
                throw new IllegalArgumentException(
                        "'" + name + "' cannot have " + least + " to " + most + " bytes; the most is " + MAX_LENGTH);
            }
        }
    }
}
