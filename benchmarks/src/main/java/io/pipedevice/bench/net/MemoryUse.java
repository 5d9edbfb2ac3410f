// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Memory at one moment, in bytes. The kernel's figures for shared memory and for itself are those of the whole machine.
 * So only the difference between two moments is meaningful, and only if no other process allocates meanwhile.
 *
 * @param processes private memory and files, in proportion if several processes share them; without shared memory
 * @param shared shared memory, mapped or not, and huge pages in use
 * @param kernel slab caches, page tables, stacks and similar memory
 */
record MemoryUse(long processes, long shared, long kernel) {
    private static final Set<String> PROCESS = Set.of("Pss_Anon", "Pss_File");
    private static final Set<String> KERNEL =
            Set.of("Slab", "PageTables", "SecPageTables", "KernelStack", "VmallocUsed", "Percpu");

    static MemoryUse of(Iterable<Integer> pids) throws IOException {
        long processes = 0;
        for (int pid : pids) {
            processes += ofProcess(read(Path.of("/proc", Integer.toString(pid), "smaps_rollup")));
        }
        String machine = read(Path.of("/proc/meminfo"));
        return new MemoryUse(processes, shared(machine), sum(machine, KERNEL));
    }

    static long ofProcess(String smapsRollup) {
        return sum(smapsRollup, PROCESS);
    }

    static long shared(String meminfo) {
        long hugePages = value(meminfo, "HugePages_Total") - value(meminfo, "HugePages_Free");
        return sum(meminfo, Set.of("Shmem")) + hugePages * sum(meminfo, Set.of("Hugepagesize"));
    }

    static long kernel(String meminfo) {
        return sum(meminfo, KERNEL);
    }

    MemoryUse since(MemoryUse earlier) {
        return new MemoryUse(processes - earlier.processes, shared - earlier.shared, kernel - earlier.kernel);
    }

    private static long sum(String text, Set<String> names) {
        long kilobytes = 0;
        for (String name : names) {
            kilobytes += value(text, name);
        }
        return kilobytes << 10;
    }

    /** The value of a line such as {@code Slab: 34564 kB}; 0 if there is none. */
    private static long value(String text, String name) {
        for (String line : (Iterable<String>) text.lines()::iterator) {
            if (line.startsWith(name + ":")) {
                return Long.parseLong(line.substring(name.length() + 1).strip().split(" ", 2)[0]);
            }
        }
        return 0;
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }
}
