// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Parsing of files of proc(5). */
class ProcFilesTest {
    private static final String ROLLUP = """
            55c9d0e3f000-7ffd2b5f2000 ---p 00000000 00:00 0                          [rollup]
            Rss:               43480 kB
            Pss:               41000 kB
            Pss_Anon:          30000 kB
            Pss_File:           1000 kB
            Pss_Shmem:         10000 kB
            """;

    private static final String MEMINFO = """
            MemTotal:       24684096 kB
            Shmem:              2000 kB
            Slab:               3000 kB
            SReclaimable:       1000 kB
            KernelStack:         100 kB
            PageTables:           10 kB
            Percpu:                1 kB
            HugePages_Total:      64
            HugePages_Free:       60
            Hugepagesize:       2048 kB
            """;

    private static final List<Integer> SELF =
            List.of((int) ProcessHandle.current().pid());

    @Test
    void sharedMemoryIsCountedOnceForTheMachineAndNotForTheProcess() {
        assertEquals(31_000 << 10, MemoryUse.ofProcess(ROLLUP));
        assertEquals((2000 + 4 * 2048) << 10, MemoryUse.shared(MEMINFO));
        assertEquals(3111 << 10, MemoryUse.kernel(MEMINFO));
    }

    @Test
    void thisProcessUsesMemory() throws Exception {
        MemoryUse use = MemoryUse.of(SELF);
        assertTrue(use.processes() > 1 << 20 && use.kernel() > 1 << 20, use::toString);
        assertEquals(new MemoryUse(0, 0, 0), use.since(use));
    }

    @Test
    void timesOfThreadsAreAddedUp() {
        ThreadTimes before = new ThreadTimes();
        before.add("1", 1_000_000_000L);
        before.add("2", 500_000_000L);
        ThreadTimes after = new ThreadTimes();
        after.add("1", 1_250_000_000L);
        after.add("3", 1_000_000_000L);
        assertEquals(1.25, after.secondsSince(before), 1e-9);
    }

    @Test
    void thisProcessUsesTime() throws Exception {
        ThreadTimes before = ThreadTimes.of(SELF);
        long until = System.nanoTime() + 20_000_000;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        assertTrue(ThreadTimes.of(SELF).secondsSince(before) > 0);
    }
}
