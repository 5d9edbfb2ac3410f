// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import io.pipedevice.device.DeviceMapping.Access;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Translation of device addresses, the emulator's IOMMU.
 *
 * <pre>
 *  63  62          52 51        36 35                        0
 *  +---+-------------+------------+--------------------------+
 *  | 0 | generation  | index      | offset in the memory     |
 *  +---+-------------+------------+--------------------------+
 * </pre>
 *
 * <p>The generation is never 0, and grows each time an index is reused, so that an address of an earlier mapping is
 * never valid in a later one.
 *
 * <p>{@link #add} and {@link #remove} belong to the driver's thread, {@link #resolve} to the engine's.
 */
final class AddressTable {
    static final int OFFSET_BITS = 36;
    static final int INDEX_BITS = 16;
    static final int MAX_GENERATION = (1 << (63 - OFFSET_BITS - INDEX_BITS)) - 1;

    private static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;
    private static final int INITIAL_LENGTH = 16;
    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(Entry[].class);

    /** A mapping as the engine sees it. */
    static final class Entry {
        final MemorySegment memory;
        private final long base;
        private final long size;
        private final Access access;

        Entry(MemorySegment memory, long base, Access access) {
            this.memory = memory;
            this.base = base;
            this.size = memory.byteSize();
            this.access = access;
        }

        long base() {
            return base;
        }
    }

    private final ArrayDeque<Integer> freed = new ArrayDeque<>();
    private int[] generations = new int[INITIAL_LENGTH];
    private int used;

    /** Replaced when it grows; the engine reads the field again for each address. */
    private volatile Entry[] entries = new Entry[INITIAL_LENGTH];

    /**
     * Adds a mapping.
     *
     * @throws IOException if every index is in use
     */
    Entry add(MemorySegment memory, Access access) throws IOException {
        if (!memory.isNative() || memory.byteSize() == 0 || memory.byteSize() > OFFSET_MASK) {
            throw new IllegalArgumentException(
                    "a device maps native memory of 1 to " + OFFSET_MASK + " bytes: " + memory);
        }
        if (access == Access.WRITE && memory.isReadOnly()) {
            throw new IllegalArgumentException("read-only memory cannot be mapped for writing: " + memory);
        }
        int index = nextIndex();
        int generation = generations[index] % MAX_GENERATION + 1;
        generations[index] = generation;
        Entry entry = new Entry(memory, (((long) generation << INDEX_BITS) | index) << OFFSET_BITS, access);
        ENTRY.setRelease(entries, index, entry);
        return entry;
    }

    /**
     * Returns the index that has been free for longest, so that stale addresses are detected for as long as possible.
     */
    private int nextIndex() throws IOException {
        if (used == entries.length && !freed.isEmpty()) {
            return freed.remove();
        }
        if (used == entries.length) {
            if (used > INDEX_MASK) {
                throw new IOException("all " + used + " mappings of the device are in use");
            }
            generations = Arrays.copyOf(generations, used * 2);
            entries = Arrays.copyOf(entries, used * 2);
        }
        return used++;
    }

    /** Removes a mapping. A lookup that began before may still return it. */
    void remove(Entry entry) {
        int index = index(entry.base);
        ENTRY.setRelease(entries, index, null);
        freed.add(index);
    }

    /**
     * Finds the mapping of a range.
     *
     * @return null if any byte of it is not mapped, or not for this access
     */
    Entry resolve(long address, int length, Access access) {
        Entry[] table = entries;
        int index = index(address);
        if (index >= table.length) {
            return null;
        }
        Entry entry = (Entry) ENTRY.getAcquire(table, index);
        if (entry == null
                || (address & ~OFFSET_MASK) != entry.base
                || entry.access != access
                || offset(address) > entry.size - length) {
            return null;
        }
        return entry;
    }

    static long offset(long address) {
        return address & OFFSET_MASK;
    }

    private static int index(long address) {
        return (int) (address >>> OFFSET_BITS) & INDEX_MASK;
    }
}
