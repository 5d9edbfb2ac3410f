// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The stack of a run: a frame for each function that has not returned. A frame is a region of its own: a function
 * cannot leave its frame by arithmetic, but can use one of a caller whose address it was given. The frame of a function
 * that has returned is no memory any more. Belongs to the thread of the run.
 */
public final class StackFrames {
    /** The bytes of one stack frame. */
    public static final int FRAME_LENGTH = 512;

    /** The number of stack frames, so the depth of calls. */
    public static final int MAX_FRAMES = 8;

    private final long[][] frames = new long[MAX_FRAMES][FRAME_LENGTH / Long.BYTES];

    /** The number of the region that is the first frame. */
    private final int first;

    /** The number of the region behind the last frame of a function that runs. */
    private int end;

    /** One bit for each frame whose bytes may not be 0, so that a function that uses no stack costs no clearing. */
    private int changed;

    StackFrames(int first) {
        this.first = first;
        end = first;
    }

    /** A frame, as a region. */
    ProgramRegion region(int depth) {
        return new ProgramRegion("stack frame " + depth, MemorySegment.ofArray(frames[depth]));
    }

    /** The number of the regions that can be accessed now, which the frames of functions that run are the last of. */
    int end() {
        return end;
    }

    /** Notes that a region may be changed, which may be none of these. */
    void changes(int region) {
        int frame = region - first;
        if (frame >= 0) {
            changed |= 1 << frame;
        }
    }

    /**
     * Begins a function: gives it a stack frame, whose bytes are 0.
     *
     * @return the address of the end of the frame, for r10
     * @throws FaultException if there is none left
     */
    public long push() throws FaultException {
        int frame = end - first;
        if (frame == MAX_FRAMES) {
            throw new FaultException("calls are nested deeper than " + MAX_FRAMES + " functions");
        }
        if ((changed & 1 << frame) != 0) {
            Arrays.fill(frames[frame], 0);
            changed &= ~(1 << frame);
        }
        return Addresses.of(end++) + FRAME_LENGTH;
    }

    /** Ends a function: takes its stack frame away. */
    public void pop() {
        requireFrame();
        end--;
    }

    /** Takes all stack frames away. */
    void clear() {
        end = first;
    }

    private void requireFrame() {
        if (end == first) {
            throw new IllegalStateException("there is no stack frame");
        }
    }

    /**
     * The current stack frame, for code that was compiled to access it without an address. In a word, the byte of the
     * lowest address is the least significant one.
     *
     * @return its words, which may be changed until the function ends
     */
    public long[] current() {
        requireFrame();
        return frame(depth());
    }

    /**
     * The number of stack frames below the current one.
     *
     * @return 0 in the first function of a program; -1 if there is no frame
     */
    public int depth() {
        return end - first - 1;
    }

    /**
     * The end of a stack frame.
     *
     * @param depth the number of frames below it
     * @return the address that r10 has in its function
     */
    public long end(int depth) {
        return Addresses.of(first + depth) + FRAME_LENGTH;
    }

    /**
     * A stack frame, as {@link #current()}.
     *
     * @param depth the number of frames below it
     * @return its words, which may be changed until its function ends
     */
    public long[] frame(int depth) {
        changed |= 1 << depth;
        return frames[depth];
    }

    /**
     * A stack frame, as {@link #current()}.
     *
     * @param end the address of its end: r10 of its function
     * @return its words, which may be changed until its function ends
     */
    public long[] frameBefore(long end) {
        return frame(Addresses.region(end) - first);
    }
}
