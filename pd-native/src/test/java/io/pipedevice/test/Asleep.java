// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** Runs blocking calls, each in its own thread. */
public final class Asleep {
    /** The prefix of the names of the threads. */
    public static final String NAME = "asleep-";

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    /** A thread that did not run between this number of looks is asleep. */
    private static final int CALM_LOOKS = 4;

    private Asleep() {}

    /**
     * Starts a call, and returns when its thread sleeps in the kernel; fails if the call ends instead.
     *
     * @param call which blocks, in a platform thread
     * @return to get what becomes of it
     */
    public static <T> FutureTask<T> start(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        String name = NAME + NUMBERS.incrementAndGet();
        Thread.ofPlatform().daemon().name(name).start(task);
        String[] last = {""};
        int[] calm = {0};
        Awaitility.await(name + " to sleep").pollInterval(Duration.ofMillis(2)).until(() -> {
            if (task.isDone()) {
                throw new AssertionError("it should be blocked: " + task);
            }
            String now = sleepOf(name);
            calm[0] = !now.isEmpty() && now.equals(last[0]) ? calm[0] + 1 : 0;
            last[0] = now;
            return calm[0] >= CALM_LOOKS;
        });
        return task;
    }

    /** The kernel's count of a thread's sleeps, if it sleeps now; otherwise an empty string. */
    private static String sleepOf(String name) throws IOException {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                List<String> status = status(task);
                if (status.contains("Name:\t" + name)) {
                    return status.stream()
                            .filter(line -> line.startsWith("voluntary_ctxt_switches"))
                            .filter(line -> status.contains("State:\tS (sleeping)"))
                            .findAny()
                            .orElse("");
                }
            }
        }
        return "";
    }

    /** The kernel's status of a thread; empty if the thread ended before the file was opened or read. */
    private static List<String> status(Path task) {
        try {
            return Files.readAllLines(task.resolve("status"));
        } catch (IOException e) {
            return List.of();
        }
    }

    /**
     * Does the same in a virtual thread, which is parked when this returns.
     *
     * @param call which blocks
     * @return to get what becomes of it
     */
    public static <T> FutureTask<T> startVirtual(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = Thread.ofVirtual().start(task);
        Awaitility.await("a virtual thread to park").until(() -> {
            if (task.isDone()) {
                throw new AssertionError("it should be blocked: " + task);
            }
            return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
        });
        return task;
    }
}
