// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The memory that is available to this process: that of the system, or the limit of its control group. Stateless. */
final class HostMemory {
    private static final Path SYSTEM = Path.of("/proc/meminfo");
    private static final List<Path> LIMITS =
            List.of(Path.of("/sys/fs/cgroup/memory.max"), Path.of("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    private static final long UNKNOWN = 4L << 30;
    private static final long LEAST = 64L << 20;

    private HostMemory() {}

    /** Half of the available memory, in bytes. */
    static long half() {
        long bytes = total();
        for (Path limit : LIMITS) {
            bytes = Math.min(bytes, limit(limit));
        }
        return Math.max(bytes / 2, LEAST);
    }

    /** The limit in a file. The value "max" and a missing file mean that there is no limit. */
    private static long limit(Path file) {
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (IOException | NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    private static long total() {
        try {
            String line = Files.readAllLines(SYSTEM).get(0);
            return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
        } catch (IOException | RuntimeException e) {
            return UNKNOWN;
        }
    }
}
