// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

import java.lang.foreign.MemorySegment;

/**
 * Accesses to the first region of a {@link CheckedMemory}, which most accesses of many programs reach, for code that
 * was compiled with what a verifier has found. An offset that it has found needs no check by the machine.
 */
public final class FirstRegion {
    private FirstRegion() {}

    /**
     * Loads a value at a known offset.
     *
     * @param memory the memory
     * @param offset where it begins in the region; an offset that is not in it is no fault, but an exception
     * @param length its bytes: 1, 2, 4 or 8
     * @return the value, zero-extended
     */
    public static long load(CheckedMemory memory, int offset, int length) {
        return Values.load(memory.first, offset, length);
    }

    /**
     * As {@link CheckedMemory#load}, and faster if the value is in the first region.
     *
     * @param memory the memory
     * @param address where it begins
     * @param length its bytes: 1, 2, 4 or 8
     * @return the value, zero-extended
     * @throws FaultException if it is not wholly in a region
     */
    public static long loadPerhaps(CheckedMemory memory, long address, int length) throws FaultException {
        long offset = address - Addresses.FIRST;
        MemorySegment first = memory.first;
        boolean isFirst = offset >= 0 && offset <= memory.firstLength - length && Values.isOutsideHeap(first);
        return isFirst ? Values.loadKnown(first, offset, length) : memory.load(address, length);
    }

    /**
     * Stores a value at a known offset in the first region, which can be changed.
     *
     * @param memory the memory
     * @param offset where it begins in the region; an offset that is not in it is no fault, but an exception
     * @param length its bytes: 1, 2, 4 or 8
     * @param value the value, whose high bits are ignored
     */
    public static void store(CheckedMemory memory, int offset, int length, long value) {
        Values.store(memory.first, offset, length, value);
    }

    /**
     * As {@link CheckedMemory#store}, and faster if the value is in the first region and that can be changed.
     *
     * @param memory the memory
     * @param address where it begins
     * @param length its bytes: 1, 2, 4 or 8
     * @param value the value, whose high bits are ignored
     * @throws FaultException if it is not wholly in a region that can be changed
     */
    public static void storePerhaps(CheckedMemory memory, long address, int length, long value) throws FaultException {
        long offset = address - Addresses.FIRST;
        MemorySegment first = memory.first;
        boolean isFirst = offset >= 0 && offset <= memory.firstLength - length && Values.isOutsideHeap(first);
        if (isFirst && !first.isReadOnly()) {
            Values.storeKnown(first, offset, length, value);
        } else {
            memory.store(address, length, value);
        }
    }
}
