// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.pci;

import io.pipedevice.device.DeviceMapping.Access;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.IntConsumer;

/**
 * A PCI function behind an IOMMU: the registers of its BAR 0, the memory that it can reach by DMA, and its interrupts.
 *
 * <p>Methods are called by one thread at a time, unless specified otherwise.
 */
public interface PciFunction extends AutoCloseable {
    /**
     * The location of the function.
     *
     * @return short, for logs
     */
    String name();

    /**
     * Length of BAR 0.
     *
     * @return in bytes
     */
    int registersLength();

    /**
     * Reads a register. This is a slow round trip. All earlier writes of the function to memory are complete when it
     * returns.
     *
     * @param offset in BAR 0, a multiple of 4
     * @return its value; all ones if the function is gone
     */
    int read(int offset);

    /**
     * Writes a register. The function sees the write after all earlier stores of this thread to memory. Returns before
     * the write has reached the function.
     *
     * @param offset in BAR 0, a multiple of 4
     * @param value to be written
     */
    void write(int offset, int value);

    /**
     * The number of interrupt vectors of the function.
     *
     * @return at least 1
     */
    int vectors();

    /**
     * Sets the handler of interrupts. Must be set before the function may raise any.
     *
     * @param handler takes the vector, on any thread, and does not block
     * @throws IOException if the kernel does not provide enough interrupts
     */
    void onInterrupt(IntConsumer handler) throws IOException;

    /**
     * Whether {@link #map} allocates all pages of the memory, and keeps them in place.
     *
     * @return true for hardware
     */
    boolean pinsMemory();

    /**
     * Granularity of {@link #map}.
     *
     * @return in bytes, a power of two
     */
    long pageSize();

    /**
     * First address that may be mapped.
     *
     * @return a multiple of the page size, never 0
     */
    long firstAddress();

    /**
     * Last address that the IOMMU can map.
     *
     * @return one less than a multiple of the page size
     */
    long lastAddress();

    /**
     * Whether the IOMMU reserves a range, in whole or in part.
     *
     * @param address first byte
     * @param length in bytes
     * @return the first address behind the reserved range; 0 if there is none
     */
    long reservedUntil(long address, long length);

    /**
     * Lets the function reach memory.
     *
     * @param address at which the function sees it, a multiple of the page size
     * @param memory whole pages; its owner unmaps before freeing it
     * @param access permitted to the function
     * @throws IOException if there is no room for another mapping, or the memory cannot be locked
     */
    void map(long address, MemorySegment memory, Access access) throws IOException;

    /**
     * Takes memory away from the function. When this returns, the function can no longer touch it, whatever it does.
     *
     * @param address as it was mapped
     * @param length as it was mapped
     */
    void unmap(long address, long length);

    /**
     * Enables or disables DMA (PCI's bus mastering). It is enabled when the function is opened.
     *
     * @param on whether DMA is enabled
     * @throws IOException if the function does not answer
     */
    void busMastering(boolean on) throws IOException;

    /**
     * Resets the function by PCI: its registers get their reset values, and it does no more DMA. Mappings stay.
     *
     * @throws IOException if that is not possible
     */
    void reset() throws IOException;

    /** Releases the function, and unmaps its memory. A second call does nothing. */
    @Override
    void close();
}
