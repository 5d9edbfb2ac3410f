// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that takes memory until the machine has only a number of megabytes left, keeps it so for a number of
 * milliseconds, and ends. Meanwhile it gives memory back if other processes need some.
 */
final class Hog {
    private static final long PIECE_MB = 64;
    private static final long PAUSE_MS = 5;

    private final long leaveMb;
    private final Deque<Fd> taken = new ArrayDeque<>();

    private Hog(long leaveMb) {
        this.leaveMb = leaveMb;
    }

    static JavaCommand command(long leaveMb, long millis) {
        return new JavaCommand(
                "Hog",
                List.of(
                        JavaCommand.NATIVE_ACCESS,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Hog.class.getName(),
                        Long.toString(leaveMb),
                        Long.toString(millis)));
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        // If too little is left, the kernel kills this process before any other.
        Files.writeString(Path.of("/proc/self/oom_score_adj"), "1000");
        Hog hog = new Hog(Long.parseLong(args[0]));
        hog.take();
        hog.keep(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[1])));
    }

    /**
     * Allocates files in memory, and does not write them: to fill pages takes ten times as long as to allocate them.
     */
    private void take() throws IOException {
        while (spareMb() >= PIECE_MB) {
            Fd piece = Memory.memfd("hog", Memory.PageSize.NORMAL);
            taken.push(piece);
            Memory.allocate(piece, 0, PIECE_MB << 20);
        }
    }

    private void keep(long nanos) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            if (spareMb() < 0 && !taken.isEmpty()) {
                taken.pop().close();
            } else {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            }
        }
    }

    private long spareMb() throws IOException {
        return availableMb() - leaveMb;
    }

    private static long availableMb() throws IOException {
        return Files.readString(Path.of("/proc/meminfo"))
                .lines()
                .filter(line -> line.startsWith("MemAvailable:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10)
                .findFirst()
                .orElseThrow(() -> new IOException("no MemAvailable"));
    }
}
