// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.lib.PdException;
import io.pipedevice.memory.LentRegion;
import java.lang.foreign.MemorySegment;

/**
 * Memory of this process that is registered with the driver. This process reads and writes it directly. Other processes
 * that find it by its name operate on it through the driver, as far as they have rights. It is also where the bytes of
 * this process's own operations come from and go to.
 *
 * <p>Thread safe. What the driver writes appears in the memory at any time: eight aligned bytes appear at once, longer
 * copies in any order until their completion.
 */
public final class Region implements Target, AutoCloseable {
    private final RegionExchange exchange;
    private final LentRegion memory;
    private final int handle;
    private final long size;
    private volatile String name;
    private boolean closed;

    Region(RegionExchange exchange, LentRegion memory, int handle, long size) {
        this.exchange = exchange;
        this.memory = memory;
        this.handle = handle;
        this.size = size;
    }

    /**
     * The memory. Offsets of operations count from its beginning.
     *
     * @return alive until {@link #close}
     */
    public MemorySegment memory() {
        return memory.memory().asSlice(0, size);
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public int handle() {
        return handle;
    }

    /**
     * Gives rights, in place of those that the same subject had. Operations that have begun are not ended.
     *
     * @param grant the rights; none withdraws them
     * @throws PdException if the driver refuses it or is gone
     */
    public void grant(Grant grant) throws PdException {
        exchange.grant(handle, grant);
    }

    /**
     * Lets other processes find the region, by a name that no other region of this user and container has.
     *
     * @param newName 1 to 64 bytes of UTF-8
     * @throws PdException EEXIST if the name is taken; or if the driver is gone
     */
    public void publish(String newName) throws PdException {
        exchange.publish(handle, newName);
        name = newName;
    }

    /**
     * Deregisters the region, and frees the memory. Waits until no operation that has begun uses it; operations that
     * would begin later end with {@link Status#GONE}. A second call does nothing.
     */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            exchange.deregister(handle);
            memory.close();
        }
    }

    @Override
    public String toString() {
        return name == null ? "region " + handle : "region " + name;
    }
}
