// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.device.DeviceMapping;
import io.pipedevice.memory.QuotaExceededException;
import io.pipedevice.memory.RingBufferPool;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.util.Iterator;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The memory of an attached process. What the process owns and the driver maps is its send memory: the lib page, the
 * regions of send rings and other objects. What the driver allocates for it is its receive memory: the driver page, the
 * receive rings and other pages. Owns all of it; {@link #closeSome} and {@link #closePages} release it. Belongs to the
 * driver's thread.
 */
public final class ProcessMemory {
    /** The receive rings that the driver allocates for the process. */
    public final RingBufferPool receivePool;
    /** The process's regions of send rings, by its own numbers. */
    public final Int2ObjectHashMap<SendRegion> sendRegions = new Int2ObjectHashMap<>();

    private final AttachmentTerms terms;
    private final ProcessPages pages;
    private final DriverMemory driver;
    private final IntSupplier descriptors;
    private final IntConsumer forgotten;
    private final Int2ObjectHashMap<ReceiveRegion> receiveRegions = new Int2ObjectHashMap<>();
    private Iterator<SendRegion> regionsToRemove;
    private int mappedRegions;

    /** Bytes that are mapped, including those of removed regions that are still in use. */
    private long sendMemory;

    /** Bytes of the driver page, and of other pages that the driver allocates for the process. */
    private long pageBytes;

    private static final class ReceiveRegion {
        final SharedRegion region;
        final DeviceMapping mapping;
        boolean announced;

        ReceiveRegion(SharedRegion region, DeviceMapping mapping) {
            this.region = region;
            this.mapping = mapping;
        }
    }

    /** Keeps the account of the pool's regions. */
    private final class ReceiveRegions implements RingBufferPool.Listener {
        @Override
        public void created(int number, SharedRegion region) throws IOException {
            int open = descriptors.getAsInt();
            if (open >= terms.limits().descriptors()) {
                throw new QuotaExceededException("the process already has " + open + " descriptors");
            }
            receiveRegions.put(number, new ReceiveRegion(region, driver.map(region, DeviceMapping.Access.WRITE)));
        }

        @Override
        public void allocating(long bytes) throws IOException {
            driver.take(terms.use(), terms.identity(), bytes);
            countReceiveMemory(bytes);
        }

        @Override
        public void notAllocated(long bytes) {
            driver.give(terms.use(), terms.identity(), bytes);
            countReceiveMemory(0);
        }

        @Override
        public void dropped(int number, SharedRegion region, long allocated) {
            ReceiveRegion dropped = receiveRegions.remove(number);
            dropped.mapping.close();
            driver.give(terms.use(), terms.identity(), allocated);
            countReceiveMemory(0);
            if (dropped.announced) {
                forgotten.accept(number);
            }
        }
    }

    /**
     * Takes ownership of the pages, which were charged and mapped.
     *
     * @param terms of the attachment
     * @param pages of the process
     * @param driver charged for the driver's allocations
     * @param descriptors counts all that the driver has open for the process
     * @param forgotten gets the numbers of receive regions that the process may unmap
     */
    ProcessMemory(
            AttachmentTerms terms,
            ProcessPages pages,
            DriverMemory driver,
            IntSupplier descriptors,
            IntConsumer forgotten) {
        this.terms = terms;
        this.pages = pages;
        this.driver = driver;
        this.descriptors = descriptors;
        this.forgotten = forgotten;
        this.sendMemory = pages.lib().size();
        terms.counters().sendMemory(sendMemory);
        this.pageBytes = pages.driver().size();
        terms.counters().receiveMemory(pageBytes);
        this.receivePool = driver.receivePool(
                "pd-receive-" + terms.cid(), terms.limits().receiveMemory() - pageBytes, new ReceiveRegions());
    }

    /**
     * Maps another region of send rings for the device; takes ownership of the region, which is charged to the
     * container.
     *
     * @param number by which the process knows it
     * @param region mapped, and checked
     * @throws IOException if the device cannot map it
     */
    public void addSendRegion(int number, SharedRegion region) throws IOException {
        DeviceMapping mapping;
        try {
            mapping = driver.map(region, DeviceMapping.Access.READ);
        } catch (IOException | RuntimeException e) {
            region.close();
            terms.use().giveSendMemory(region.size());
            throw e;
        }
        mapped(region.size());
        sendRegions.put(number, new SendRegion(region, mapping, unused -> unmapped(unused, unused.size())));
    }

    /**
     * Counts memory of the process's that the driver maps, which is charged to the container.
     *
     * @param bytes of an object
     */
    public void mapped(long bytes) {
        mappedRegions++;
        sendMemory += bytes;
        terms.counters().sendMemory(sendMemory);
    }

    /**
     * Unmaps memory of the process's that no command of the device uses any more.
     *
     * @param memory closed later
     * @param bytes of it
     */
    public void unmapped(AutoCloseable memory, long bytes) {
        mappedRegions--;
        sendMemory -= bytes;
        terms.use().giveSendMemory(bytes);
        terms.counters().sendMemory(sendMemory);
        driver.closeSoon(memory);
    }

    /**
     * The memory of the process's that the driver maps.
     *
     * @return in bytes, including removed regions that are still in use
     */
    public long sendMemory() {
        return sendMemory;
    }

    /**
     * Takes memory of the driver's for another page that the process reads.
     *
     * @param bytes how much
     * @throws IOException if that exceeds a quota
     */
    public void allocatingPage(long bytes) throws IOException {
        long used = pageBytes + receivePool.allocatedBytes();
        if (used + bytes > terms.limits().receiveMemory()) {
            throw new QuotaExceededException(
                    "quota of receive memory: " + used + " of " + terms.limits().receiveMemory() + " bytes in use");
        }
        driver.take(terms.use(), terms.identity(), bytes);
        pageBytes += bytes;
        countReceiveMemory(0);
    }

    /**
     * Gives such a page back.
     *
     * @param page closed later; null if it was not made
     * @param bytes as they were taken
     */
    public void freePage(SharedRegion page, long bytes) {
        driver.give(terms.use(), terms.identity(), bytes);
        pageBytes -= bytes;
        countReceiveMemory(0);
        if (page != null) {
            driver.closeSoon(page);
        }
    }

    private void countReceiveMemory(long more) {
        terms.counters().receiveMemory(pageBytes + receivePool.allocatedBytes() + more);
    }

    /** The number of objects of which the driver has a descriptor, without the two pages. */
    int regions() {
        return mappedRegions + receiveRegions.size();
    }

    /**
     * The device address of a receive region.
     *
     * @param region its number
     * @return as the device gave it
     */
    public long receiveAddress(int region) {
        return receiveRegions.get(region).mapping.address();
    }

    /**
     * A receive region.
     *
     * @param region its number
     * @return owned by this
     */
    public SharedRegion receiveRegion(int region) {
        return receiveRegions.get(region).region;
    }

    /**
     * Whether the region's descriptor must be sent to the process.
     *
     * @param region its number
     * @return true only at the first call
     */
    public boolean announce(int region) {
        ReceiveRegion entry = receiveRegions.get(region);
        boolean first = !entry.announced;
        entry.announced = true;
        return first;
    }

    /**
     * Closes a region, which the device no longer uses.
     *
     * @return false if there was none left
     */
    boolean closeSome() {
        if (receivePool.closeOne()) {
            return true;
        }
        if (regionsToRemove == null) {
            regionsToRemove = sendRegions.values().iterator();
        }
        if (regionsToRemove.hasNext()) {
            regionsToRemove.next().remove();
            return true;
        }
        return false;
    }

    /** Has both pages closed, after everything else. */
    void closePages() {
        driver.closeSoon(pages.lib());
        driver.closeSoon(pages.driver());
    }
}
