// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.active.operation.OperationStatus;
import io.pipedevice.driver.data.AttachedProcess;
import java.util.ArrayList;
import java.util.List;

/** The regions of a process, its own and those that it has found. Belongs to the driver's thread. */
public final class RegionHandles extends Handles<RegisteredRegion> {
    private final Names<RegisteredRegion> names;
    private final Rights rights;

    /** The regions of the process, until they are released. */
    private final List<RegisteredRegion> regions = new ArrayList<>();

    /**
     * Begins without regions.
     *
     * @param changed runs when a region has ended, or rights may have changed
     */
    RegionHandles(AttachedProcess process, Names<RegisteredRegion> names, Rights rights, Runnable changed) {
        super(process, changed);
        this.names = names;
        this.rights = rights;
    }

    /**
     * Enters a region that the process has registered.
     *
     * @param region of the process, for which there is {@link #hasRoom room}
     * @return its handle
     */
    Handle<RegisteredRegion> register(RegisteredRegion region) {
        regions.add(region);
        return enter(region, true);
    }

    /**
     * Closes a region of the process.
     *
     * @param handle of a region of its own
     * @param then runs when no operation uses the region any more
     */
    void deregister(Handle<RegisteredRegion> handle, Runnable then) {
        names.withdraw(handle.target);
        handle.target.close(() -> {
            regions.remove(handle.target);
            then.run();
        });
        release(handle);
    }

    /** The status of an operation on a part of a region. */
    int check(int number, int right, long offset, int length) {
        Handle<RegisteredRegion> handle = handle(number);
        if (handle == null) {
            return OperationStatus.NO_REGION;
        }
        if (!handle.target.isOpen()) {
            return OperationStatus.GONE;
        }
        if ((handle.rights(rights) & right) == 0) {
            return OperationStatus.DENIED;
        }
        return handle.target.has(offset, length) ? OperationStatus.OK : OperationStatus.RANGE;
    }

    /**
     * The status of an operation that uses a part of a region of the process as its buffer.
     *
     * @param number any value
     * @param offset any value
     * @param length any value
     * @return one of {@link OperationStatus}
     */
    public int checkBuffer(int number, long offset, int length) {
        Handle<RegisteredRegion> handle = handle(number);
        boolean usable = handle != null
                && handle.target.owner == process
                && handle.target.isOpen()
                && handle.target.has(offset, length);
        return usable ? OperationStatus.OK : OperationStatus.BUFFER;
    }

    /** Ends the regions of the process, and gives up those of others, because it is gone. */
    void leave() {
        releaseAll();
        for (RegisteredRegion region : regions) {
            names.withdraw(region);
            region.close(() -> {});
        }
    }

    /** Whether all regions of the process, which is gone, were released. */
    boolean areReleased() {
        for (int i = 0; i < regions.size(); i++) {
            if (!regions.get(i).isReleased()) {
                return false;
            }
        }
        return true;
    }
}
