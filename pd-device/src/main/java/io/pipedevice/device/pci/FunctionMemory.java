// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.pci;

import io.pipedevice.device.DeviceMapping;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;

/** The memory that a function can reach. Each piece has addresses of its own. Belongs to the driver's thread. */
public final class FunctionMemory {
    private final PciFunction function;
    private final IovaSpace addresses;
    private final TreeMap<Long, Mapping> mappings = new TreeMap<>();
    private boolean closed;

    /**
     * Creates the memory of a function, with nothing mapped.
     *
     * @param function that maps the memory
     * @param addressBits that the device can put on the bus, 1 to 63
     */
    public FunctionMemory(PciFunction function, int addressBits) {
        this.function = function;
        this.addresses = new IovaSpace(function, addressBits);
    }

    private final class Mapping implements DeviceMapping {
        private final long address;
        private final MemorySegment memory;
        private final Access access;

        Mapping(long address, MemorySegment memory, Access access) {
            this.address = address;
            this.memory = memory;
            this.access = access;
        }

        long length() {
            return memory.byteSize();
        }

        @Override
        public long address() {
            return address;
        }

        @Override
        public void close() {
            if (!closed && mappings.remove(address, this)) {
                function.unmap(address, length());
                addresses.free(address);
            }
        }
    }

    /**
     * Lets the function reach memory.
     *
     * @param memory whole pages; its owner unmaps before freeing it
     * @param access permitted to the function
     * @return the mapping, which the caller closes
     * @throws IOException if there is no room for another mapping, or the memory cannot be locked
     * @throws IllegalArgumentException if the memory is not native, does not consist of whole pages, or is read-only
     *     although {@code access} is to write
     */
    public DeviceMapping map(MemorySegment memory, DeviceMapping.Access access) throws IOException {
        long size = memory.byteSize();
        if (!memory.isNative() || size == 0 || ((memory.address() | size) & function.pageSize() - 1) != 0) {
            throw new IllegalArgumentException(
                    function.name() + " maps whole pages of " + function.pageSize() + " bytes: " + memory);
        }
        if (access == DeviceMapping.Access.WRITE && memory.isReadOnly()) {
            throw new IllegalArgumentException("read-only memory cannot be mapped for writing: " + memory);
        }
        long address = addresses.allocate(size);
        try {
            function.map(address, memory, access);
        } catch (IOException | RuntimeException e) {
            addresses.free(address);
            throw e;
        }
        Mapping mapping = new Mapping(address, memory, access);
        mappings.put(address, mapping);
        return mapping;
    }

    /**
     * Whether a range lies in one mapping.
     *
     * @param address first byte
     * @param length in bytes
     * @param access the intended access
     * @return false if any byte of it is not mapped, or not for this access
     */
    public boolean contains(long address, long length, DeviceMapping.Access access) {
        return find(address, length, access) != null;
    }

    private Mapping find(long address, long length, DeviceMapping.Access access) {
        Map.Entry<Long, Mapping> below = mappings.floorEntry(address);
        if (below == null) {
            return null;
        }
        Mapping mapping = below.getValue();
        boolean inside = address - mapping.address <= mapping.length() - length;
        return inside && mapping.access == access ? mapping : null;
    }

    /**
     * Compares the source of a copy with its destination.
     *
     * @param source first byte, mapped for reading
     * @param destination first byte, mapped for writing
     * @param length in bytes
     * @return false if they differ, or are not mapped
     */
    public boolean isCopied(long source, long destination, long length) {
        Mapping from = find(source, length, DeviceMapping.Access.READ);
        Mapping to = find(destination, length, DeviceMapping.Access.WRITE);
        if (from == null || to == null) {
            return false;
        }
        long at = source - from.address;
        long copyAt = destination - to.address;
        return MemorySegment.mismatch(from.memory, at, at + length, to.memory, copyAt, copyAt + length) == -1;
    }

    /** Called before the function is closed, which unmaps everything. */
    public void close() {
        closed = true;
    }
}
