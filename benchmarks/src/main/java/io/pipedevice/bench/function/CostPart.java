// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.active.message.RegionAccess;
import io.pipedevice.active.message.RegionOperation;
import io.pipedevice.samples.function.LocalCalls;
import io.pipedevice.samples.function.LocalRegions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Counts the operations of calls, and their bytes: what goes to and from a client that runs the functions itself. */
final class CostPart {
    static final String PART = "cost";
    static final String OPERATIONS = "operations";
    static final String BYTES = "bytes-of-operations";
    static final String MESSAGES = "bytes-of-messages";

    private static final int CALLS = 50_000;

    private CostPart() {}

    /** Counts an application's, in the memory of this process. */
    static void measure(Application application, long keys, FunctionFigures figures) {
        try (Arena arena = Arena.ofShared()) {
            List<MemorySegment> regions = application.sizes(keys).stream()
                    .map(size -> arena.allocate(size, Long.BYTES))
                    .toList();
            application.fill(regions, keys);
            CountingRegions access = new CountingRegions(new LocalRegions(regions));
            List<LocalCalls> functions = application.compiled().stream()
                    .map(each -> new LocalCalls(each, access))
                    .toList();
            Workload workload = application.workload(keys);
            for (int call = 0; call < CALLS; call++) {
                LocalCalls function = functions.get(workload.next());
                workload.write(function.message());
                long result = function.call();
                workload.check(function.message(), result);
            }
            figures.add(key(application, OPERATIONS), access.operations / (double) CALLS);
            figures.add(key(application, BYTES), access.bytes / (double) CALLS);
            figures.add(key(application, MESSAGES), 2.0 * application.messageLength());
        }
    }

    static FunctionFigures.Key key(Application application, String metric) {
        return new FunctionFigures.Key(PART, application.toString(), "", "", metric);
    }

    /** Counts what functions do. */
    private static final class CountingRegions implements RegionAccess {
        private final RegionAccess regions;
        private long operations;
        private long bytes;

        CountingRegions(RegionAccess regions) {
            this.regions = regions;
        }

        @Override
        public long size(int region) {
            return regions.size(region);
        }

        @Override
        public boolean execute(RegionOperation operation) {
            operations++;
            bytes += operation.length();
            return regions.execute(operation);
        }
    }
}
