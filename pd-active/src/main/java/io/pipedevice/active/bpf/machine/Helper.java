// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import java.util.List;

/**
 * A function outside of programs that they may call by its number. A call changes r0 to r5 only.
 *
 * @param id the number
 * @param name its name in messages
 * @param arguments the kinds of r1, r2 and so on: at most five
 * @param result the kind of r0 after it
 * @param function its code
 * @param mayWait whether it can make a run wait ({@link CheckedMemory#waitForHelper}). Such a one leaves 0 in r1 to r5
 */
public record Helper(int id, String name, List<Argument> arguments, Result result, Function function, boolean mayWait) {
    /** The largest number of arguments. */
    public static final int MAX_ARGUMENTS = 5;

    /** The kind of an argument of a helper. */
    public enum Argument {
        /** A number; an address is not one. */
        NUMBER,
        /** The address of memory that is read, whose length is the next argument, a {@link #LENGTH}. */
        READABLE,
        /** The address of memory that may be changed, whose length is the next argument, a {@link #LENGTH}. */
        WRITABLE,
        /** The address of bytes up to and including one that is 0. */
        TEXT,
        /** The number of bytes of the memory of the argument before. */
        LENGTH
    }

    /**
     * The kind of the result of a helper, in r0.
     *
     * @param isMemory whether it is the address of memory, or 0; otherwise it is a number
     * @param length the bytes of the memory
     * @param isWritable whether a program may change the memory
     */
    public record Result(boolean isMemory, long length, boolean isWritable) {
        /** A number. */
        public static final Result NUMBER = new Result(false, 0, false);

        /**
         * The address of memory, which begins at a multiple of 8, or 0.
         *
         * @param length its bytes
         * @param isWritable whether a program may change it
         * @return the result
         */
        public static Result memoryOrNull(long length, boolean isWritable) {
            return new Result(true, length, isWritable);
        }
    }

    /** The code of a helper. It belongs to the thread of the program that calls it. */
    @FunctionalInterface
    public interface Function {
        /**
         * Runs the helper. An address among the arguments was not checked: only {@link CheckedMemory} may use it.
         *
         * @param memory the memory of the program
         * @param r1 the first argument
         * @param r2 the second argument
         * @param r3 the third argument
         * @param r4 the fourth argument
         * @param r5 the fifth argument
         * @return the result
         * @throws FaultException if the program has to end
         */
        long call(CheckedMemory memory, long r1, long r2, long r3, long r4, long r5) throws FaultException;
    }

    /**
     * A helper that never makes a run wait.
     *
     * @param id the number
     * @param name its name in messages
     * @param arguments the kinds of r1, r2 and so on: at most five
     * @param result the kind of r0 after it
     * @param function its code
     */
    public Helper(int id, String name, List<Argument> arguments, Result result, Function function) {
        this(id, name, arguments, result, function, false);
    }

    /** Checks the arguments and copies them. */
    public Helper {
        arguments = List.copyOf(arguments);
        if (arguments.size() > MAX_ARGUMENTS) {
            throw new IllegalArgumentException(name + " has " + arguments.size() + " arguments");
        }
        boolean wantsLength = false;
        for (Argument each : arguments) {
            if ((each == Argument.LENGTH) != wantsLength) {
                throw new IllegalArgumentException(
                        name + ": a length belongs behind the address of memory, and only there");
            }
            wantsLength = each == Argument.READABLE || each == Argument.WRITABLE;
        }
        if (wantsLength) {
            throw new IllegalArgumentException(name + " has memory without a length");
        }
    }
}
