// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.active.message.RegionAccess;
import io.pipedevice.active.message.RegionOperation;
import io.pipedevice.samples.function.LocalRegions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads use one table, as several places do. Each value has a checksum, and says which PUT wrote it. */
@Timeout(60)
final class ConcurrentTableTest {
    private static final int THREADS = 6;

    @Test
    void noPutIsLostAndNoValueIsTorn() throws Exception {
        int keys = 4;
        int rounds = 3000;
        TableLayout layout = TableLayout.of(keys * (THREADS + 1L), THREADS, 8, CheckedValue.LENGTH);
        List<MemorySegment> regions = LocalTable.regions(layout);
        List<long[]> lastOfShared = inThreads(thread -> {
            LocalTable table = new LocalTable(layout, new InterruptedRegions(new LocalRegions(regions)));
            long[] last = new long[keys];
            for (int round = 1; round <= rounds; round++) {
                int key = ThreadLocalRandom.current().nextInt(keys);
                put(table, CheckedValue.key(THREADS, key), thread, round);
                last[key] = round;
                put(table, CheckedValue.key(thread, round % keys), thread, round);
                byte[] own = table.get(CheckedValue.key(thread, round % keys));
                assertEquals(CheckedValue.stamp(thread, round), CheckedValue.check(own));
                byte[] shared = table.get(
                        CheckedValue.key(THREADS, ThreadLocalRandom.current().nextInt(keys)));
                if (shared != null) {
                    CheckedValue.check(shared);
                }
            }
            return last;
        });
        LocalTable table = new LocalTable(layout, regions);
        for (int key = 0; key < keys; key++) {
            long stamp = CheckedValue.check(table.get(CheckedValue.key(THREADS, key)));
            int thread = CheckedValue.writer(stamp);
            assertEquals(
                    CheckedValue.stamp(thread, lastOfShared.get(thread)[key]), stamp, "not the last PUT of anyone");
        }
    }

    @Test
    void threadsThatPutTheSameNewKeysMakeOneEntryOfEach() throws Exception {
        int keys = 3000;
        TableLayout layout = TableLayout.of(keys, THREADS, 8, CheckedValue.LENGTH);
        List<MemorySegment> regions = LocalTable.regions(layout);
        inThreads(thread -> {
            LocalTable table = new LocalTable(layout, new InterruptedRegions(new LocalRegions(regions)));
            for (int key = 0; key < keys; key++) {
                put(table, CheckedValue.key(0, key), thread, key);
            }
            return null;
        });
        assertEquals(keys, entries(regions.get(0), 0) + entries(regions.get(1), TableLayout.LINE));
    }

    private static void put(LocalTable table, byte[] key, int writer, long number) {
        long result;
        do {
            result = table.put(key, CheckedValue.of(writer, number));
        } while (result == TableFunction.BUSY);
        assertEquals(TableFunction.OK, result);
    }

    private static int entries(MemorySegment buckets, long from) {
        int entries = 0;
        for (long offset = from; offset < buckets.byteSize(); offset += Long.BYTES) {
            if (offset % TableLayout.LINE != 0 && buckets.get(ValueLayout.JAVA_LONG, offset) != 0) {
                entries++;
            }
        }
        return entries;
    }

    /** Lets other threads run before every second operation: virtual ones take turns at once. */
    private record InterruptedRegions(RegionAccess access) implements RegionAccess {
        @Override
        public long size(int region) {
            return access.size(region);
        }

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // more turns are better, and none is needed
        public boolean execute(RegionOperation operation) {
            if (ThreadLocalRandom.current().nextBoolean()) {
                Thread.yield();
            }
            return access.execute(operation);
        }
    }

    /** What one thread does. */
    private interface Work {
        long[] run(int thread) throws Exception;
    }

    private static List<long[]> inThreads(Work work) throws Exception {
        List<Callable<long[]>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            tasks.add(() -> work.run(thread));
        }
        List<long[]> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<long[]> each : threads.invokeAll(tasks)) {
                results.add(each.get());
            }
        }
        return results;
    }
}
