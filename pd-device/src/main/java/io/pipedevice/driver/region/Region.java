// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.driver.data.Container;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.linux.Fd;
import io.pipedevice.memory.LentRegion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory of a process on which the driver operates for others. It is mapped for the device as a source and as a
 * destination, until it was closed and no operation that has begun uses it any more. Belongs to the driver's thread.
 */
public final class Region {
    private static final int MAX_GRANTS = 64;

    /** The process that has it. */
    public final Container owner;

    private final LentRegion memory;
    private final MemorySegment bytes;
    private final long size;
    private final DeviceMapping source;
    private final DeviceMapping destination;
    private final Chores chores;
    private final List<Grant> grants = new ArrayList<>();

    /** Of the processes that have it or have found it: run when rights change, and at its end. */
    private final List<Runnable> watchers = new ArrayList<>();

    /** {@link RegionTable}: its name; null before it has one. */
    String name;

    /** Grows when rights change, so that they are looked up again. */
    private long version;

    private boolean open = true;
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
    public Region(Container owner, LentRegion memory, long size, Device device, Chores chores) throws IOException {
        this.owner = owner;
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
        owner.mapped(memory.size());
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
    public Fd fd() {
        return memory.fd();
    }

    /**
     * Whether it has a name.
     *
     * @return whether other processes may find it
     */
    public boolean isNamed() {
        return name != null;
    }

    MemorySegment bytes() {
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

    /** Whether operations may begin. */
    boolean isOpen() {
        return open;
    }

    long version() {
        return version;
    }

    /** The rights that the owner gives to a process. */
    int rights(Container process) {
        int rights = 0;
        for (int i = 0; i < grants.size(); i++) {
            if (grants.get(i).covers(process.identity)) {
                rights |= grants.get(i).rights();
            }
        }
        return rights;
    }

    /**
     * Gives rights, in place of those that the same subject had. An operation that has begun is not ended.
     *
     * @param grant the rights; none withdraws them
     * @return false if there are too many grants
     */
    public boolean grant(Grant grant) {
        grants.removeIf(grant::hasSubjectOf);
        if (grant.rights() != 0) {
            if (grants.size() >= MAX_GRANTS) {
                return false;
            }
            grants.add(grant);
        }
        changed();
        return true;
    }

    private void changed() {
        version++;
        watchers.forEach(Runnable::run);
    }

    /** Has something run when rights change, and at the end. */
    void watch(Runnable changed) {
        watchers.add(changed);
    }

    /** Takes back one {@link #watch}. */
    void unwatch(Runnable changed) {
        watchers.remove(changed);
    }

    /** Whether a part lies in it. */
    boolean has(long offset, int length) {
        return length > 0 && offset >= 0 && offset <= size - length;
    }

    /** An operation that uses the memory begins. */
    void begin() {
        underWay++;
    }

    /** An operation that uses the memory has ended. */
    void end() {
        underWay--;
        releaseIfUnused();
    }

    /**
     * Lets no operation begin any more, and releases the memory when none uses it.
     *
     * @param then runs after the memory was released, which may be at once
     */
    public void close(Runnable then) {
        whenReleased = then;
        if (open) {
            open = false;
            changed();
            releaseIfUnused();
        }
    }

    private void releaseIfUnused() {
        if (!open && underWay == 0) {
            chores.add(now -> {
                release();
                return false;
            });
        }
    }

    private void release() {
        source.close();
        destination.close();
        owner.unmapped(memory, memory.size());
        released = true;
        whenReleased.run();
    }

    /**
     * Whether the memory was released.
     *
     * @return true some time after {@link #close}
     */
    public boolean isReleased() {
        return released;
    }

    @Override
    public String toString() {
        return "region " + name + " of " + owner;
    }
}
