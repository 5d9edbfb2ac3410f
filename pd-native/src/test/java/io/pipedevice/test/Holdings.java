// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import io.pipedevice.linux.ProcessFacts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The resources of a process, from /proc: descriptors of kernel objects, mappings of PipeDevice's memory objects,
 * threads of PipeDevice, shared and private memory in KB, and the part of the heap that is used after a collection, in
 * KB.
 */
public record Holdings(int descriptors, int mappings, int threads, long sharedKb, long ownKb, long heapKb) {
    /** Memory that the collector, the compiler and the allocator may take meanwhile; the heap is resident already. */
    private static final long MORE_OWN_KB = 32 << 10;

    /** Classes and tables that are made when they are first needed. */
    private static final long MORE_HEAP_KB = 6 << 10;

    /**
     * Memory that the two links of an honest peer need: fully used accept rings, 1 MB each, and some batches of 16
     * slots.
     */
    private static final long MORE_SHARED_KB = 2560;

    /** Reads the resources of a process, without its heap. */
    public static Holdings of(long pid) throws IOException {
        Path proc = Path.of("/proc", Long.toString(pid));
        int mappings = (int) ProcessFacts.maps((int) pid).stream()
                .filter(entry -> entry.path().startsWith("/memfd:"))
                .count();
        long shared = 0;
        long own = 0;
        for (String line : Files.readAllLines(proc.resolve("status"))) {
            if (line.startsWith("RssShmem:")) {
                shared = Long.parseLong(line.replaceAll("[^0-9]", ""));
            } else if (line.startsWith("RssAnon:")) {
                own = Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return new Holdings(descriptors(proc), mappings, threads(proc), shared, own, 0);
    }

    /** The kinds of descriptors and mappings and their numbers, for a person. */
    static String describe(long pid) throws IOException {
        Path proc = Path.of("/proc", Long.toString(pid));
        Map<String, Integer> counts = new TreeMap<>();
        Map<String, String> sockets = sockets(proc);
        for (String name : names(proc.resolve("fd"))) {
            String target = target(proc, name);
            counts.merge("fd " + sockets.getOrDefault(target, target.replaceAll("[0-9]{4,}", "N")), 1, Integer::sum);
        }
        for (ProcessFacts.MapEntry entry : ProcessFacts.maps((int) pid)) {
            if (entry.path().startsWith("/memfd:")) {
                counts.merge("mapping " + entry.path() + " " + (entry.end() - entry.start()), 1, Integer::sum);
            }
        }
        return counts.toString();
    }

    /** TCP sockets by the targets of their descriptors: state, local and remote address, as the kernel prints them. */
    private static Map<String, String> sockets(Path proc) throws IOException {
        Map<String, String> all = new TreeMap<>();
        for (String table : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(proc.resolve("net").resolve(table))) {
                String[] words = line.strip().split("\\s+", -1);
                if (words.length > 9) {
                    all.put("socket:[" + words[9] + "]", table + " " + words[3] + " " + words[1] + " " + words[2]);
                }
            }
        }
        return all;
    }

    private static String target(Path proc, String name) {
        try {
            return Files.readSymbolicLink(proc.resolve("fd").resolve(name)).toString();
        } catch (IOException e) {
            // Closed meanwhile.
            return "";
        }
    }

    private static int descriptors(Path proc) throws IOException {
        int count = 0;
        for (String name : names(proc.resolve("fd"))) {
            String target;
            try {
                target =
                        Files.readSymbolicLink(proc.resolve("fd").resolve(name)).toString();
            } catch (IOException e) {
                // Closed meanwhile.
                target = "";
            }
            // Without the JVM's own files, which it opens and closes at any time.
            count += target.contains("memfd:") || target.matches("(socket|pipe|anon_inode):.*") ? 1 : 0;
        }
        return count;
    }

    private static int threads(Path proc) throws IOException {
        int count = 0;
        for (String name : names(proc.resolve("task"))) {
            try {
                count += Files.readString(proc.resolve("task").resolve(name).resolve("comm"))
                                .startsWith("pd-")
                        ? 1
                        : 0;
            } catch (IOException e) {
                // Ended meanwhile.
                count += 0;
            }
        }
        return count;
    }

    private static String[] names(Path directory) throws IOException {
        String[] names = new File(directory.toString()).list();
        if (names == null) {
            throw new IOException("no " + directory);
        }
        return names;
    }

    /** The same without the given number of descriptors, which are kept for later use. */
    public Holdings without(int kept) {
        return new Holdings(descriptors - kept, mappings, threads, sharedKb, ownKb, heapKb);
    }

    /** The same with a heap of which a part is used, as the process says. */
    public Holdings withHeap(long usedKb) {
        return new Holdings(descriptors, mappings, threads, sharedKb, ownKb, usedKb);
    }

    /** The least of both, and the memory of the later one. */
    Holdings least(Holdings later) {
        return new Holdings(
                Math.min(descriptors, later.descriptors),
                Math.min(mappings, later.mappings),
                Math.min(threads, later.threads),
                later.sharedKb,
                later.ownKb,
                later.heapKb);
    }

    /** Whether this is no more than before, within bounds. */
    boolean isWithin(Holdings before) {
        return descriptors <= before.descriptors
                && mappings <= before.mappings
                && threads <= before.threads
                && sharedKb <= before.sharedKb + MORE_SHARED_KB
                && ownKb <= before.ownKb + MORE_OWN_KB
                && heapKb <= before.heapKb + MORE_HEAP_KB;
    }
}
