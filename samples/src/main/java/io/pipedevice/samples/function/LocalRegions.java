// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.function;

import io.pipedevice.active.code.RegionMemory;
import io.pipedevice.active.message.RegionAccess;
import io.pipedevice.active.message.RegionOperation;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Regions in the memory of this process, on which operations are executed at once. Any number of threads use it. */
public final class LocalRegions implements RegionAccess {
    private final MemorySegment[] regions;

    /**
     * Gives access to memory.
     *
     * @param regions in the order in which the function numbers them
     */
    public LocalRegions(List<MemorySegment> regions) {
        this.regions = regions.toArray(MemorySegment[]::new);
    }

    @Override
    public long size(int region) {
        return regions[region].byteSize();
    }

    @Override
    public boolean execute(RegionOperation operation) {
        MemorySegment memory = regions[operation.region()];
        RegionMemory.execute(operation, memory, memory.byteSize());
        return true;
    }
}
