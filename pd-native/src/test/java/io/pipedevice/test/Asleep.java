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

/** Calls that block, in threads of their own. */
public final class Asleep {
    /** How the names of the threads begin. */
    public static final String NAME = "asleep-";

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    /** Looks at a thread between which it has not run. */
    private static final int CALM_LOOKS = 4;

    private Asleep() {}

    /**
     * Starts a call, and returns when its thread sleeps in the kernel; fails if it ends instead.
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
        Awaitility.await(name + " to sleep").pollInterval(Duration.ofMillis(4)).until(() -> {
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

    /** How often a thread has gone to sleep, if it sleeps; else an empty string. */
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

    /** What the kernel says of a thread; nothing if that has ended, before the file was opened or before it was read. */
    private static List<String> status(Path task) {
        try {
            return Files.readAllLines(task.resolve("status"));
        } catch (IOException e) {
            return List.of();
        }
    }

    /**
     * The same in a virtual thread, which is parked when this returns.
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
