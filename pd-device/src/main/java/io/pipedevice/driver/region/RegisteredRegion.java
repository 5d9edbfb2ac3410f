// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.share.ProcessCounters.Gathered;
import io.pipedevice.linux.Fd;
import io.pipedevice.memory.LentRegion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Memory of a process on which the driver operates for others. It is mapped for the device as a source and as a
 * destination, until it was closed and no operation that has begun uses it any more. Belongs to the driver's thread.
 */
public final class RegisteredRegion extends Shared {
    private final LentRegion memory;
    private final MemorySegment bytes;
    private final long size;
    private final DeviceMapping source;
    private final DeviceMapping destination;
    private final Chores chores;
    private boolean released;
    private int underWay;
    private Runnable whenReleased = () -> {};

    /**
     * Maps a region for the device; takes ownership of its memory, which was charged to the owner.
     *
     * @param owner has the memory
     * @param memory mapped, and checked
     * @param size of the region, which the memory exceeds by less than a page
     * @param device maps it
     * @param chores releases it
     * @throws IOException if the device cannot map it; the memory is still the caller's
     */
    RegisteredRegion(AttachedProcess owner, LentRegion memory, long size, Device device, Chores chores)
            throws IOException {
        super(owner);
        this.memory = memory;
        this.bytes = memory.memory();
        this.size = size;
        this.chores = chores;
        this.source = device.map(bytes, DeviceMapping.Access.READ);
        try {
            this.destination = device.map(bytes, DeviceMapping.Access.WRITE);
        } catch (IOException | RuntimeException e) {
            source.close();
            throw e;
        }
        owner.memory.mapped(memory.size());
        count(1);
    }

    /**
     * The size.
     *
     * @return in bytes
     */
    public long size() {
        return size;
    }

    /**
     * The descriptor, which no process can map writable any more.
     *
     * @return owned by the region
     */
    Fd fd() {
        return memory.fd();
    }

    @Override
    protected int rights() {
        return RegionMessage.OPERATE;
    }

    /**
     * The bytes.
     *
     * @return for the driver's thread, until the region was closed
     */
    public MemorySegment bytes() {
        return bytes;
    }

    /** Device address of a part that is read. */
    long source(long offset) {
        return source.address() + offset;
    }

    /** Device address of a part that is written. */
    long destination(long offset) {
        return destination.address() + offset;
    }

    /**
     * Whether a part lies in it.
     *
     * @param offset any value
     * @param length any value
     * @return false also of an empty part
     */
    boolean has(long offset, int length) {
        return length > 0 && offset >= 0 && offset <= size - length;
    }

    /** An operation that uses the memory begins. */
    void begin() {
        underWay++;
    }

    /** An operation that uses the memory has ended. */
    void ended() {
        underWay--;
        releaseIfUnused();
    }

    /**
     * Lets no operation begin any more, and releases the memory when none uses it.
     *
     * @param then runs after the memory was released, which may be at once
     */
    void close(Runnable then) {
        whenReleased = then;
        if (end()) {
            releaseIfUnused();
        }
    }

    private void releaseIfUnused() {
        if (!isOpen() && underWay == 0) {
            chores.add(now -> {
                release();
                return false;
            });
        }
    }

    private void count(int regions) {
        owner.counters.count(Gathered.REGIONS, regions);
        owner.counters.count(Gathered.REGION_BYTES, regions * size);
    }

    private void release() {
        source.close();
        destination.close();
        owner.memory.unmapped(memory, memory.size());
        count(-1);
        released = true;
        whenReleased.run();
    }

    /**
     * Whether the memory was released.
     *
     * @return true some time after {@link #close}
     */
    boolean isReleased() {
        return released;
    }

    @Override
    public String toString() {
        return "region " + name + " of " + owner;
    }
}
