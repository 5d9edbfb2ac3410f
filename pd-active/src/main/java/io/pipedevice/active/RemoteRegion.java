// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ContainerName;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * A region of another process, or of this one, that was found by its name. Thread safe.
 *
 * <p>Where the driver's policy gives the two processes the path {@code direct}, this process has a read-only mapping of
 * the region, and its own thread reads it. All other operations are the driver's.
 */
public final class RemoteRegion implements Target, Found {
    private final RegionExchange exchange;
    private final String name;
    private final int handle;
    private final long size;
    private final Set<Right> rights;
    private final int ownerUser;
    private final String ownerContainer;
    private final int ownerProcess;

    /** Null where the region is not mapped. */
    private final SharedRegion mapping;

    /**
     * The count of changes for which the driver has permitted a read. Any thread; a stale value costs one operation.
     */
    private volatile long permittedAt;

    private boolean closed;

    RemoteRegion(
            RegionExchange exchange,
            String name,
            int handle,
            long size,
            Set<Right> rights,
            int ownerUser,
            String ownerContainer,
            int ownerProcess,
            SharedRegion mapping,
            long changes) {
        this.exchange = exchange;
        this.name = name;
        this.handle = handle;
        this.size = size;
        this.rights = rights;
        this.ownerUser = ownerUser;
        this.ownerContainer = ownerContainer;
        this.ownerProcess = ownerProcess;
        this.mapping = mapping;
        this.permittedAt = changes;
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
     * The rights that this process had when it found the region.
     *
     * @return those rights
     */
    public Set<Right> rights() {
        return rights;
    }

    /**
     * The user of the owner, which the driver has from the kernel.
     *
     * @return its number
     */
    public int ownerUser() {
        return ownerUser;
    }

    /**
     * The owner's process, which the driver has from the kernel.
     *
     * @return its number in the driver's PID namespace
     */
    public int ownerProcess() {
        return ownerProcess;
    }

    /**
     * The container of the owner, which the driver has from the kernel.
     *
     * @return its ID; for processes without one, the text with which the driver tells them apart, shortened if it has
     *     more than 56 bytes
     */
    public String ownerContainer() {
        return ownerContainer;
    }

    /**
     * The owner, by which the region is found again.
     *
     * @return user and container
     */
    @Override
    public Owner owner() {
        return Owner.of(ownerUser, ownerContainer);
    }

    /**
     * Whether this process reads the region itself.
     *
     * @return whether the policy permits it
     */
    public boolean isDirect() {
        return mapping != null;
    }

    /** The mapped bytes, if they may be read while the count of changes is this one; else null. */
    MemorySegment readable(long changes) {
        return mapping != null && permittedAt == changes ? mapping.memory() : null;
    }

    /** Records that the driver has permitted a read after a count of changes. */
    void permitted(long changes) {
        permittedAt = changes;
    }

    /** Gives the region up. No operation on it may be outstanding. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            exchange.release(handle);
            if (mapping != null) {
                mapping.close();
            }
        }
    }

    @Override
    public String toString() {
        return "region " + name + " of process " + ownerProcess + " in container "
                + ContainerName.shown(ownerContainer);
    }
}
