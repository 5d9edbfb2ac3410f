// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.driver.policy.DataPath;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/** Compares calls of one function with calls of the functions of many tenants, at the same low rate. */
final class TenantPart {
    static final String PART = "tenants";
    static final int TENANTS = 128;

    private static final Application APPLICATION = Application.TABLE_GET;
    private static final long KEYS = 1000;
    private static final double RATE = 5000;

    /** So long that the JVM has compiled the functions of all tenants. */
    private static final double WARM_UP_SECONDS = 5;

    private static final int WARM_UP_CALLS = 32;
    private static final int FUNCTIONS = APPLICATION.functions(0).size();

    private final FunctionFigures figures;
    private final double seconds;

    TenantPart(FunctionFigures figures, double seconds) {
        this.figures = figures;
        this.seconds = seconds;
    }

    /** Measures at a place. */
    void measure(FunctionPlace place) throws IOException {
        try (FunctionSite site =
                        FunctionSite.start(APPLICATION, KEYS, TENANTS, DataPath.DEVICE, FunctionSite.Idle.SPINS);
                Port port = site.port(place, FunctionSite.SLOTS)) {
            for (int tenants : new int[] {TENANTS, 1}) {
                TenantWorkload workload = new TenantWorkload(APPLICATION.workload(KEYS), tenants);
                new ClosedLoop(port, workload, WARM_UP_CALLS)
                        .run(WARM_UP_SECONDS * tenants / TENANTS + seconds, LoadPart.histogram());
            }
            for (int tenants : new int[] {1, TENANTS}) {
                TenantWorkload workload = new TenantWorkload(APPLICATION.workload(KEYS), tenants);
                Histogram times = LoadPart.histogram();
                new OpenLoop(port, workload, false)
                        .run(RATE, 2 * seconds, (intended, ended, ranAt) -> times.recordValue(ended - intended));
                for (double percentile : LoadPart.PERCENTILES) {
                    figures.add(
                            key(place, tenants, LoadPart.percentile(percentile)),
                            times.getValueAtPercentile(percentile) / 1e3);
                }
            }
        }
    }

    static FunctionFigures.Key key(FunctionPlace place, int tenants, String metric) {
        return LoadPart.key(PART, APPLICATION, place, Integer.toString(tenants), metric);
    }

    /** Asks a tenant at random each time. */
    private static final class TenantWorkload implements Workload {
        private final Workload workload;
        private final int tenants;
        private final SplittableRandom random = new SplittableRandom(1);

        TenantWorkload(Workload workload, int tenants) {
            this.workload = workload;
            this.tenants = tenants;
        }

        @Override
        public int next() {
            return random.nextInt(tenants) * FUNCTIONS + workload.next();
        }

        @Override
        public void write(MemorySegment message) {
            workload.write(message);
        }

        @Override
        public void check(MemorySegment message, long result) {
            workload.check(message, result);
        }
    }
}
