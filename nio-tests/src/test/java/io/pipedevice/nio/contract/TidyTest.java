// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.AfterEach;

/** A test that afterwards closes what it has opened, and waits for its threads to end. */
abstract class TidyTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Deque<AutoCloseable> opened = new ConcurrentLinkedDeque<>();
    private final List<Task<?>> tasks = new ArrayList<>();

    @AfterEach
    void leaveNothingBehind() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        for (Task<?> task : tasks) {
            assertTrue(task.join(PATIENCE), () -> "a thread is left in " + List.of(task.stack()));
        }
    }

    /** Closes something after the test. */
    final <T extends AutoCloseable> T closeLater(T resource) {
        opened.push(resource);
        return resource;
    }

    /** Runs something on a thread that ends before the test does. */
    final <T> Task<T> start(ThreadKind kind, Callable<T> body) {
        Task<T> task = new Task<>(kind, body);
        tasks.add(task);
        return task;
    }

    final <T> Task<T> start(Callable<T> body) {
        return start(ThreadKind.PLATFORM, body);
    }
}
