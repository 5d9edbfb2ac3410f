// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What a process has of what can leak.
 *
 * @param descriptors open files
 * @param threads of it
 * @param rings mappings of shared memory
 * @param residentKb memory in use, in 1024 bytes
 */
record ProcessUse(long descriptors, long threads, long rings, long residentKb) {
    static ProcessUse of(long pid) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        int number = Math.toIntExact(pid);
        return new ProcessUse(
                ProcessFacts.openFds(number),
                count(process.resolve("task")),
                ProcessFacts.maps(number).stream()
                        .filter(map -> map.path().contains("memfd:"))
                        .count(),
                residentKb(process));
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
                + residentKb / 1024 + " MB resident";
    }
}
