// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/**
 * The resources that this process holds, according to the kernel and the JVM.
 *
 * @param descriptors sockets, shared memory, and descriptors for waiting; not the files that the JVM opens at any time
 * @param threads platform threads of Java code
 * @param shared bytes of shared memory that are mapped
 * @param direct bytes in direct buffers
 */
record Resources(long descriptors, long threads, long shared, long direct) {
    private static final int LOOKS_PER_STIR = 10;

    /**
     * Native memory for calls of the C library that is kept for good: as much as there were calls at the same time, and
     * the thread that stirs may make the first one of its kind.
     */
    private static final long KEPT_DIRECT = 16 << 10;

    /** An action that takes resources and gives them back. */
    interface Stirring {
        void run() throws IOException;
    }

    static Resources now() throws IOException {
        return new Resources(countDescriptors(), countThreads(), mapped(), directBytes());
    }

    /** These resources and some more, which may be kept for later. */
    Resources withSpare(long spareDescriptors, long spareShared) {
        return new Resources(descriptors + spareDescriptors, threads, shared + spareShared, direct);
    }

    /**
     * Waits until this process holds no more of anything than these resources.
     *
     * @param stir is run now and then, because a process learns only at its next request what its driver has taken back
     */
    void awaitReturn(Stirring stir) {
        int[] looks = {0};
        Awaitility.await().pollInterval(Duration.ofMillis(100)).untilAsserted(() -> {
            if (++looks[0] % LOOKS_PER_STIR == 0) {
                stir.run();
            }
            // A direct buffer is given back when its object is collected.
            System.gc();
            Resources now = now();
            assertTrue(
                    now.descriptors <= descriptors
                            && now.threads <= threads
                            && now.shared <= shared
                            && now.direct <= direct + KEPT_DIRECT,
                    () -> now + " instead of " + this);
        });
    }

    private static long countThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                // Do not count the thread that repeats this check.
                .filter(thread -> !thread.getName().startsWith("awaitility"))
                .count();
    }

    private static long countDescriptors() throws IOException {
        long count = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path one : all) {
                String target = target(one);
                if (target.startsWith("socket:") || target.startsWith("anon_inode:") || target.contains("memfd:")) {
                    count++;
                }
            }
        }
        return count;
    }

    private static String target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException e) {
            return "closed meanwhile";
        }
    }

    private static long mapped() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("memfd:"))
                .mapToLong(Resources::size)
                .sum();
    }

    private static long size(String mapping) {
        int dash = mapping.indexOf('-');
        int end = mapping.indexOf(' ');
        return Long.parseUnsignedLong(mapping, dash + 1, end, 16) - Long.parseUnsignedLong(mapping, 0, dash, 16);
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
