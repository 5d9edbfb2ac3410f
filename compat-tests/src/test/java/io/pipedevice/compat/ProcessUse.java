// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A process's use of resources that can leak.
 *
 * @param descriptors open files
 * @param threads threads
 * @param rings mappings of shared memory
 * @param heapKb size of the live objects, in 1024 bytes
 * @param residentKb memory in use, in 1024 bytes
 */
record ProcessUse(long descriptors, long threads, long rings, long heapKb, long residentKb) {
    /** The resources of a JVM. */
    static ProcessUse of(long pid) throws IOException, InterruptedException {
        // This comes first: at the first command a JVM starts a thread for the answers.
        long heapKb = heapKb(pid);
        Path process = Path.of("/proc", Long.toString(pid));
        int number = Math.toIntExact(pid);
        return new ProcessUse(
                ProcessFacts.openFds(number),
                count(process.resolve("task")),
                ProcessFacts.maps(number).stream()
                        .filter(map -> map.path().contains("memfd:"))
                        .count(),
                heapKb,
                residentKb(process));
    }

    /** The heap in use after a full collection. */
    private static long heapKb(long pid) throws IOException, InterruptedException {
        return Command.jcmd(pid, "GC.class_histogram")
                .lines()
                .filter(line -> line.matches("Total +[0-9]+ +[0-9]+"))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)) >> 10)
                .findFirst()
                .orElseThrow(() -> new IOException("no histogram of " + pid));
    }

    private static long count(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.count();
        }
    }

    private static long residentKb(Path process) throws IOException {
        return Files.readString(process.resolve("status"))
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow(() -> new IOException(process + " has no memory"));
    }

    @Override
    public String toString() {
        return descriptors + " descriptors, " + threads + " threads, " + rings + " mappings of shared memory, "
                + heapKb / 1024 + " MB of objects, " + residentKb / 1024 + " MB resident";
    }
}
