// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import java.lang.foreign.MemorySegment;

/**
 * Memory that a program may access, on the heap or outside of it, which may also be shared with other threads or
 * processes.
 *
 * @param name its name in faults
 * @param segment the memory; a read-only one cannot be changed by the program
 */
public record ProgramRegion(String name, MemorySegment segment) {
    /**
     * New memory on the heap, on which all atomic operations are possible.
     *
     * @param name its name in faults
     * @param length its bytes, which are 0
     * @return the region
     */
    public static ProgramRegion ofLength(String name, int length) {
        long[] words = new long[(length + Long.BYTES - 1) / Long.BYTES];
        return new ProgramRegion(name, MemorySegment.ofArray(words).asSlice(0, length));
    }

    /**
     * New memory with a copy of some bytes, on which all atomic operations are possible.
     *
     * @param name its name in faults
     * @param bytes its content
     * @return the region
     */
    public static ProgramRegion ofBytes(String name, byte[] bytes) {
        ProgramRegion region = ofLength(name, bytes.length);
        region.segment.copyFrom(MemorySegment.ofArray(bytes));
        return region;
    }
}
