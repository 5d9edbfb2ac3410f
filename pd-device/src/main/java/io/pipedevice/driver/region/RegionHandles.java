// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.driver.data.Container;
import io.pipedevice.operation.OperationStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The regions of a process, its own and those that it has found, by the numbers with which it names them. A number has a
 * generation, so that one that was given up means nothing for a long time. Belongs to the driver's thread.
 */
public final class RegionHandles {
    /** Most handles of a process. */
    private static final int MAX_HANDLES = 4096;

    private static final int GENERATION_SHIFT = 16;
    private static final int MAX_GENERATION = 0x7FFF;

    /** The process. */
    final Container container;

    private final RegionTable table;
    private final Runnable changed;

    /** Indexed by the low half of a handle. */
    private final List<RegionHandle> handles = new ArrayList<>();

    private final List<Integer> generations = new ArrayList<>();
    private final ArrayDeque<Integer> freed = new ArrayDeque<>();

    /** How many handles the process has of each region, which it watches once. */
    private final Map<Region, Integer> watched = new HashMap<>();

    /** Those of the process, until they are released. */
    private final List<Region> regions = new ArrayList<>();

    /**
     * Begins without regions.
     *
     * @param changed runs when a region has ended, or rights may have changed
     */
    RegionHandles(Container container, RegionTable table, Runnable changed) {
        this.container = container;
        this.table = table;
        this.changed = changed;
    }

    /**
     * Enters a region that the process has registered.
     *
     * @param region of the process, for which there is {@link #hasRoom room}
     * @return its handle
     */
    public RegionHandle register(Region region) {
        regions.add(region);
        return enter(region, true);
    }

    /**
     * Whether there is room for another handle.
     *
     * @return false if there are too many
     */
    public boolean hasRoom() {
        return !freed.isEmpty() || handles.size() < MAX_HANDLES;
    }

    /**
     * Enters a region that the process has found, and for which there is {@link #hasRoom room}.
     *
     * @param region of any process
     * @return its handle
     */
    public RegionHandle enter(Region region) {
        return enter(region, false);
    }

    private RegionHandle enter(Region region, boolean owners) {
        int index;
        if (handles.size() < MAX_HANDLES && freed.isEmpty()) {
            index = handles.size();
            handles.add(null);
            generations.add(0);
        } else {
            index = freed.remove();
        }
        int generation = generations.get(index) % MAX_GENERATION + 1;
        generations.set(index, generation);
        RegionHandle handle = new RegionHandle(container, region, generation << GENERATION_SHIFT | index, owners);
        handles.set(index, handle);
        if (watched.merge(region, 1, Integer::sum) == 1) {
            region.watch(changed);
        }
        return handle;
    }

    private static int index(int number) {
        return number & (1 << GENERATION_SHIFT) - 1;
    }

    /**
     * The region that the process means.
     *
     * @param number any value
     * @return the handle, or null if there is none of that number
     */
    public RegionHandle handle(int number) {
        int index = index(number);
        RegionHandle handle = index < handles.size() ? handles.get(index) : null;
        return handle != null && handle.number == number ? handle : null;
    }

    /**
     * Gives a handle up.
     *
     * @param handle of this process
     */
    public void release(RegionHandle handle) {
        int index = index(handle.number);
        handles.set(index, null);
        freed.add(index);
        if (watched.merge(handle.region, -1, Integer::sum) == 0) {
            watched.remove(handle.region);
            handle.region.unwatch(changed);
        }
    }

    /**
     * Closes a region of the process.
     *
     * @param handle of a region of its own
     * @param then runs when no operation uses the region any more
     */
    public void deregister(RegionHandle handle, Runnable then) {
        table.withdraw(handle.region);
        handle.region.close(() -> {
            regions.remove(handle.region);
            then.run();
        });
        release(handle);
    }

    /** The status of an operation on a part of a region. */
    int check(int number, int right, long offset, int length) {
        RegionHandle handle = handle(number);
        if (handle == null) {
            return OperationStatus.NO_REGION;
        }
        if (!handle.region.isOpen()) {
            return OperationStatus.GONE;
        }
        if ((handle.rights(table) & right) == 0) {
            return OperationStatus.DENIED;
        }
        return handle.region.has(offset, length) ? OperationStatus.OK : OperationStatus.RANGE;
    }

    /** The status of an operation that uses a part of a region of the process as its buffer. */
    int checkBuffer(int number, long offset, int length) {
        RegionHandle handle = handle(number);
        boolean usable = handle != null
                && handle.region.owner == container
                && handle.region.isOpen()
                && handle.region.has(offset, length);
        return usable ? OperationStatus.OK : OperationStatus.BUFFER;
    }

    /** Ends the regions of the process, and gives up those of others, because it is gone. */
    void leave() {
        for (int i = 0; i < handles.size(); i++) {
            RegionHandle handle = handles.get(i);
            if (handle != null) {
                release(handle);
            }
        }
        for (Region region : regions) {
            table.withdraw(region);
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
