// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

/**
 * Where a run is: the next instruction and the registers, and the same of the functions that wait for the one that
 * runs. The stack frames are the {@link StackFrames}. Belongs to the thread of the run.
 *
 * <p>It is kept in words, so that it is saved by a copy of them, and so that they are copied before they are looked at
 * when it comes from elsewhere. Those of the function that runs:
 *
 * <pre>
 *   0         4       5       6   8      16           64         96
 *  +---------+-------+-------+---+------+------------+----------+
 *  | next    | more  | waits | 0 | free | r0 to r5   | r6 to r9 |
 *  | instr.  |       |       |   |      | or free    |          |
 *  +---------+-------+-------+---+------+------------+----------+
 * </pre>
 *
 * <p>A run that waits for a helper has no r0 to r5: its words are free for what it waits for. There are as many
 * functions that wait as {@code more} says, of each five words, the first function of the program first: the index of
 * the instruction after its call, and r6 to r9.
 */
public final class Continuation {
    /** The first register that calls leave alone. */
    public static final int FIRST_SAVED = 6;

    /** The last register that calls leave alone, except r10. */
    public static final int LAST_SAVED = 9;

    /** The number of the words of the function that runs. */
    public static final int WORDS = 12;

    /** The number of the words of a function that waits. */
    public static final int CALLER_WORDS = 5;

    /** The index of a free word. */
    public static final int FREE = 1;

    /** The index of r0, or of a free word. */
    public static final int REGISTERS = 2;

    private static final int DEPTH_SHIFT = 32;
    private static final int WAITS_SHIFT = 40;

    private final CheckedMemory memory;
    private final StackFrames stack;
    private final long[] words = new long[WORDS + CALLER_WORDS * StackFrames.MAX_FRAMES];
    private boolean begins;

    /**
     * Creates one that is nowhere.
     *
     * @param memory the memory of the run
     */
    public Continuation(CheckedMemory memory) {
        this.memory = memory;
        stack = memory.stack();
    }

    /**
     * Moves to the beginning of a program, with all registers 0, except r10, and those of its arguments.
     *
     * @param r1 the first argument of the program
     * @param r2 the second argument of the program
     * @throws FaultException never
     */
    public void begin(long r1, long r2) throws FaultException {
        reset();
        stack.push();
        words[0] = 0;
        register(1, r1);
        register(2, r2);
        begins = true;
    }

    /** As {@link CheckedMemory#reset}: C2 sees that the frames are the ones that are pushed next. */
    private void reset() {
        stack.clear();
        memory.stopped();
    }

    /**
     * Whether the program has not begun. Its registers other than r1, r2 and r10 are 0, whatever is in the words.
     *
     * @return true until the run has stopped somewhere
     */
    public boolean begins() {
        return begins;
    }

    /**
     * Goes to where the words say, after they were replaced: the run gets as many empty stack frames as are needed.
     *
     * @throws FaultException if there are not so many
     */
    public void restore() throws FaultException {
        begins = false;
        reset();
        for (int i = depth(); i >= 0; i--) {
            stack.push();
        }
    }

    /**
     * Says where the run has stopped. Its registers, and the functions that wait, are set by others.
     *
     * @param position the index of the next instruction
     * @param waits whether it waits for a helper
     */
    public void stop(int position, boolean waits) {
        words[0] = position | (long) stack.depth() << DEPTH_SHIFT | (waits ? 1L : 0) << WAITS_SHIFT;
        begins = false;
    }

    /**
     * The helper for which the run waits has a result. r1 to r5 become 0.
     *
     * @param result goes to r0
     */
    public void supply(long result) {
        words[0] &= (1L << WAITS_SHIFT) - 1;
        words[REGISTERS] = result;
        words[REGISTERS + 1] = 0;
        words[REGISTERS + 2] = 0;
        words[REGISTERS + 3] = 0;
        words[REGISTERS + 4] = 0;
        words[REGISTERS + 5] = 0;
    }

    /**
     * The words.
     *
     * @return {@link #WORDS} of the function that runs, {@link #CALLER_WORDS} of each function that waits, and more
     *     that have no meaning; to be read and changed
     */
    public long[] words() {
        return words;
    }

    /**
     * The next instruction.
     *
     * @return its index
     */
    public int position() {
        return (int) words[0];
    }

    /**
     * The number of functions that wait for the one that runs.
     *
     * @return 0 in the first function
     */
    public int depth() {
        return (int) (words[0] >>> DEPTH_SHIFT) & 0xff;
    }

    /**
     * Whether the run waits for a helper.
     *
     * @return 0 or 1, where the words are not from elsewhere
     */
    public long waits() {
        return words[0] >>> WAITS_SHIFT;
    }

    /**
     * A register of the function that runs.
     *
     * @param number 0 to 9
     * @return its value
     */
    public long register(int number) {
        return words[REGISTERS + number];
    }

    /**
     * Changes a register of the function that runs.
     *
     * @param number 0 to 9
     * @param value its new value
     */
    public void register(int number, long value) {
        words[REGISTERS + number] = value;
    }

    /**
     * Says where a function waits for one that it has called.
     *
     * @param level the number of functions that wait for this one
     * @param returnTo the index of the instruction after the call
     * @param r6 its register
     * @param r7 its register
     * @param r8 its register
     * @param r9 its register
     */
    public void call(int level, int returnTo, long r6, long r7, long r8, long r9) {
        int at = WORDS + level * CALLER_WORDS;
        words[at] = returnTo;
        words[at + 1] = r6;
        words[at + 2] = r7;
        words[at + 3] = r8;
        words[at + 4] = r9;
    }

    /**
     * Where a function that waits resumes.
     *
     * @param level the number of functions that wait for it
     * @return the index of the instruction after its call
     */
    public int returnTo(int level) {
        return (int) words[WORDS + level * CALLER_WORDS];
    }

    /**
     * A register of a function that waits.
     *
     * @param level the number of functions that wait for it
     * @param register 6 to 9
     * @return its value
     */
    public long saved(int level, int register) {
        return words[firstSaved(level) + register - FIRST_SAVED];
    }

    /**
     * Where r6 to r9 are of a function that waits.
     *
     * @param level the number of functions that wait for it
     * @return the index of the word of r6
     */
    public static int firstSaved(int level) {
        return WORDS + level * CALLER_WORDS + 1;
    }
}
