// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Predicate;

/** Regions in this process, whose operations are executed at once, or when the run has stopped. */
final class LocalRegions implements RegionAccess {
    private final MemorySegment[] regions;

    /** Which operations are executed later. */
    private final Predicate<RegionOperation> later;

    LocalRegions(Predicate<RegionOperation> later, MemorySegment... regions) {
        this.later = later;
        this.regions = regions;
    }

    /** Regions of a length, whose bytes are 0. */
    static LocalRegions of(int regions, int length) {
        MemorySegment[] all = new MemorySegment[regions];
        for (int i = 0; i < regions; i++) {
            all[i] = MemorySegment.ofArray(new long[length / Long.BYTES]);
        }
        return new LocalRegions(operation -> false, all);
    }

    MemorySegment region(int index) {
        return regions[index];
    }

    @Override
    public long size(int region) {
        return regions[region].byteSize();
    }

    @Override
    public boolean execute(RegionOperation operation) {
        if (later.test(operation)) {
            return false;
        }
        complete(operation);
        return true;
    }

    /** Executes an operation for which a run has waited, or not. */
    void complete(RegionOperation operation) {
        MemorySegment region = regions[operation.region() % Math.max(1, regions.length)];
        int status = operation.statusIn(region.byteSize());
        operation.status(status);
        if (status == OperationStatus.OK) {
            execute(operation, region);
        }
    }

    private static void execute(RegionOperation operation, MemorySegment region) {
        long offset = operation.offset();
        switch (operation.code()) {
            case RegionOperation.YIELD -> {}
            case OperationCode.READ -> operation.copyFrom(region);
            case OperationCode.WRITE -> operation.copyTo(region);
            default -> {
                long old = region.get(ValueLayout.JAVA_LONG, offset);
                operation.value(old);
                region.set(ValueLayout.JAVA_LONG, offset, changed(operation, old));
            }
        }
    }

    private static long changed(RegionOperation operation, long old) {
        return switch (operation.code()) {
            case OperationCode.PUT -> operation.operand();
            case OperationCode.COMPARE_AND_SWAP -> old == operation.operand() ? operation.second() : old;
            case OperationCode.FETCH_AND_ADD -> old + operation.operand();
            default -> old;
        };
    }
}
