// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;

/**
 * Copies between rings and buffers of the program, whose memory may not be there: of a file that is mapped, another
 * process may take away the end at any time. Then the JVM throws an InternalError, by compiled code at a later place
 * than that of the access. The copies here end before that place, so that they have either been made, or fail.
 */
public final class ProgramMemory {
    private static final Object LOCK = new Object();

    private ProgramMemory() {}

    /**
     * Whether a buffer's memory is mapped from a file.
     *
     * @param buffer of the program
     * @return whether a copy can fail
     */
    public static boolean isMapped(ByteBuffer buffer) {
        return buffer instanceof MappedByteBuffer direct
                && mayBeMapped(direct)
                && MemorySegment.ofBuffer(buffer).isMapped();
    }

    /**
     * Whether a direct buffer is worth the question, which allocates: the JDK ignores this call for memory that is not
     * mapped, and refuses the arguments for memory that is.
     */
    private static boolean mayBeMapped(MappedByteBuffer direct) {
        try {
            direct.force(-1, 0);
            return false;
        } catch (IndexOutOfBoundsException e) {
            return true;
        }
    }

    /**
     * Copies bytes into a ring.
     *
     * @param ring receives the bytes
     * @param at index in the ring
     * @param source of the program
     * @param from index in the source
     * @param length in bytes
     * @throws MemoryFaultException if the source's memory is not there; some of the ring's bytes may have changed
     */
    public static void write(ByteBuffer ring, int at, ByteBuffer source, int from, int length) {
        if (isMapped(source)) {
            copy(ring, at, source, from, length);
        } else {
            ring.put(at, source, from, length);
        }
    }

    /**
     * Copies bytes out of a ring.
     *
     * @param target of the program
     * @param at index in the target
     * @param ring has the bytes
     * @param from index in the ring
     * @param length in bytes
     * @throws MemoryFaultException if the target's memory is not there; some of its bytes may have changed
     */
    public static void read(ByteBuffer target, int at, ByteBuffer ring, int from, int length) {
        if (isMapped(target)) {
            copy(target, at, ring, from, length);
        } else {
            target.put(at, ring, from, length);
        }
    }

    private static void copy(ByteBuffer target, int at, ByteBuffer source, int from, int length) {
        try {
            target.put(at, source, from, length);
            awaitFault();
        } catch (InternalError e) {
            throw new MemoryFaultException(e);
        }
    }

    /**
     * The JVM throws a pending InternalError at the latest when a native method returns, and this is the cheapest of
     * those.
     */
    private static void awaitFault() {
        boolean unused = Thread.holdsLock(LOCK);
    }
}
