// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.model;

import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.jdk.Foreign;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The host's memory as the model sees it: only the ranges in the IOMMU's table. A range that begins in one mapping and
 * ends beyond it is refused; it would also hit the unmapped page behind each mapping.
 *
 * <p>The host's thread maps and unmaps; any thread reads and writes.
 */
final class ModelMemory {
    static final int PAGE = 4096;
    static final long FIRST_ADDRESS = 1 << 20;

    private static final long RESERVED_FROM = 0xFEE0_0000L;
    private static final long RESERVED_UNTIL = 0xFEF0_0000L;
    private static final VarHandle LONG = Foreign.handle(ValueLayout.JAVA_LONG);

    private static final class Mapping {
        final long address;
        final MemorySegment memory;
        final Access access;

        Mapping(long address, MemorySegment memory, Access access) {
            this.address = address;
            this.memory = memory;
            this.access = access;
        }
    }

    /** Sorted by address; replaced as a whole. */
    private volatile Mapping[] table = new Mapping[0];

    private final int addressBits;
    private final int maxMappings;

    ModelMemory(int addressBits, int maxMappings) {
        this.addressBits = addressBits;
        this.maxMappings = maxMappings;
    }

    long lastAddress() {
        return (1L << addressBits) - 1;
    }

    /** The first address after a reserved range that may be mapped; 0 if the range itself may be mapped. */
    static long reservedUntil(long address, long length) {
        return address < RESERVED_UNTIL && address + length > RESERVED_FROM ? RESERVED_UNTIL : 0;
    }

    void map(long address, MemorySegment memory, Access access) throws IOException {
        long size = memory.byteSize();
        if ((address | size | memory.address()) % PAGE != 0
                || address < FIRST_ADDRESS
                || address > lastAddress() - size + 1
                || reservedUntil(address, size) != 0) {
            throw new IllegalArgumentException(
                    "cannot be mapped at 0x" + Long.toHexString(address) + ": " + size + " bytes");
        }
        if (table.length == maxMappings) {
            throw new IOException("all " + maxMappings + " mappings of the IOMMU are in use");
        }
        Mapping[] before = table;
        int at = floor(before, address) + 1;
        boolean overlapsBelow = at > 0 && before[at - 1].address + before[at - 1].memory.byteSize() > address;
        boolean overlapsAbove = at < before.length && before[at].address < address + memory.byteSize();
        if (overlapsBelow || overlapsAbove) {
            throw new IllegalArgumentException("mapped already: 0x" + Long.toHexString(address));
        }
        Mapping[] after = new Mapping[before.length + 1];
        System.arraycopy(before, 0, after, 0, at);
        after[at] = new Mapping(address, memory, access);
        System.arraycopy(before, at, after, at + 1, before.length - at);
        table = after;
    }

    void unmap(long address, long length) {
        Mapping[] before = table;
        int at = floor(before, address);
        if (at < 0 || before[at].address != address || before[at].memory.byteSize() != length) {
            throw new IllegalArgumentException("no mapping of this address and length: 0x" + Long.toHexString(address));
        }
        Mapping[] after = new Mapping[before.length - 1];
        System.arraycopy(before, 0, after, 0, at);
        System.arraycopy(before, at + 1, after, at, after.length - at);
        table = after;
    }

    void clear() {
        table = new Mapping[0];
    }

    /** Copies memory of the host into the device; false if any byte of it may not be read. */
    boolean read(long address, int length, MemorySegment into, long offset) {
        Mapping mapping = find(address, length, Access.READ);
        try {
            if (mapping != null) {
                MemorySegment.copy(mapping.memory, address - mapping.address, into, offset, length);
            }
            return mapping != null;
        } catch (IllegalStateException | WrongThreadException | InternalError e) {
            return freed();
        }
    }

    /** Copies memory of the device to the host; false if any byte of it may not be written. */
    boolean write(long address, int length, MemorySegment from, long offset) {
        Mapping mapping = find(address, length, Access.WRITE);
        try {
            if (mapping != null) {
                MemorySegment.copy(from, offset, mapping.memory, address - mapping.address, length);
            }
            return mapping != null;
        } catch (IllegalStateException | WrongThreadException | InternalError e) {
            return freed();
        }
    }

    /** Writes eight aligned bytes atomically. A thread that sees them also sees all earlier writes. */
    boolean writePosition(long address, long value) {
        Mapping mapping = find(address, Long.BYTES, Access.WRITE);
        try {
            if (mapping != null) {
                LONG.setRelease(mapping.memory, address - mapping.address, value);
            }
            return mapping != null;
        } catch (IllegalStateException | WrongThreadException | InternalError e) {
            return freed();
        }
    }

    /**
     * Handles memory that was freed before it was unmapped, or whose pages could not be allocated. The JVM interrupts a
     * thread whose access it aborts.
     */
    private static boolean freed() {
        Thread.interrupted();
        return false;
    }

    private Mapping find(long address, int length, Access access) {
        Mapping[] mappings = table;
        int at = floor(mappings, address);
        if (at < 0) {
            return null;
        }
        Mapping mapping = mappings[at];
        long offset = address - mapping.address;
        boolean inside = offset >= 0 && offset <= mapping.memory.byteSize() - length;
        return inside && mapping.access == access ? mapping : null;
    }

    /** Index of the last mapping that begins at an address or below; -1 if there is none. */
    private static int floor(Mapping[] mappings, long address) {
        int low = 0;
        int high = mappings.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(mappings[middle].address, address) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }
}
