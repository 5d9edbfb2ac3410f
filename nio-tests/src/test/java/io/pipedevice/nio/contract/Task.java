// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** Work on a thread of its own, whose result the test asks for. */
final class Task<T> {
    private static final long PATIENCE = 30;
    private static final int CALM_LOOKS = 5;
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final FutureTask<T> work;
    private final Thread thread;
    private volatile boolean interruptedAtEnd;

    Task(ThreadKind kind, Callable<T> body) {
        work = new FutureTask<>(() -> {
            try {
                return body.call();
            } finally {
                interruptedAtEnd = Thread.currentThread().isInterrupted();
            }
        });
        // The kernel keeps 15 characters of a thread's name.
        thread = kind.start("task-" + COUNT.incrementAndGet(), work);
    }

    void interrupt() {
        thread.interrupt();
    }

    /** The task's result, or its exception as the cause of an assertion. */
    T result() throws InterruptedException {
        return resultWithin(PATIENCE);
    }

    /** The same for a task that may take {@code seconds} seconds. */
    T resultWithin(long seconds) throws InterruptedException {
        try {
            return work.get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("the task failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw hangs(e);
        }
    }

    /** The exception that ended the task; its type must be exactly this one. */
    <X extends Throwable> X failure(Class<X> type) throws InterruptedException {
        try {
            return fail("the task ended with " + work.get(PATIENCE, TimeUnit.SECONDS) + ", not with " + type);
        } catch (ExecutionException e) {
            assertEquals(type, e.getCause().getClass(), () -> "" + e.getCause());
            return type.cast(e.getCause());
        } catch (TimeoutException e) {
            throw hangs(e);
        }
    }

    /**
     * Expects the exception that ends a thread which reads or writes for ever when its channel is closed. A call that
     * is blocked fails with an AsynchronousCloseException, unless it finds room for its byte as it wakes: then the next
     * one fails.
     */
    void channelWasClosed() {
        Throwable e = assertThrowsExactly(AssertionError.class, this::result).getCause();
        assertTrue(e instanceof ClosedChannelException, () -> "" + e);
        assertFalse(e instanceof ClosedByInterruptException, "another thread's interrupt");
    }

    /** Whether the thread's interrupt status was set when the work ended. */
    boolean interruptedAtEnd() {
        return interruptedAtEnd;
    }

    boolean isDone() {
        return work.isDone();
    }

    /** Waits until the thread has ended, with any result. */
    boolean join(Duration patience) throws InterruptedException {
        return thread.join(patience);
    }

    StackTraceElement[] stack() {
        return thread.getStackTrace();
    }

    /**
     * Waits until the thread sleeps in a call of a method. A thread cannot be asked whether it is blocked in a system
     * call, so this checks several times that it stays at one place and does not run.
     */
    void awaitBlockedIn(String method) {
        Object[] last = {null};
        int[] calm = {0};
        Awaitility.await("a thread that is blocked in " + method)
                .atMost(Duration.ofSeconds(PATIENCE))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> {
                    if (work.isDone()) {
                        throw new AssertionError("the task ended instead of blocking: " + outcome());
                    }
                    StackTraceElement[] now = stack();
                    boolean same = Arrays.equals(now, (StackTraceElement[]) last[0]);
                    calm[0] = same && isIn(method, now) && sleeps() ? calm[0] + 1 : 0;
                    last[0] = now;
                    return calm[0] >= CALM_LOOKS;
                });
    }

    private static boolean isIn(String method, StackTraceElement[] stack) {
        return Arrays.stream(stack).anyMatch(frame -> frame.getMethodName().equals(method));
    }

    private boolean sleeps() throws IOException {
        if (thread.isVirtual()) {
            Thread.State state = thread.getState();
            return state == Thread.State.WAITING
                    || state == Thread.State.TIMED_WAITING
                    || state == Thread.State.RUNNABLE;
        }
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path one : threads) {
                if (read(one.resolve("comm")).strip().equals(thread.getName())) {
                    return read(one.resolve("stat")).contains(") S ");
                }
            }
        }
        return false;
    }

    /** The content of the kernel's file about a thread; empty if the thread has ended meanwhile. */
    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    private Object outcome() {
        return work.state() == Future.State.FAILED ? work.exceptionNow() : work.resultNow();
    }

    private AssertionError hangs(TimeoutException e) {
        AssertionError error = new AssertionError("the task hangs", e);
        error.setStackTrace(stack());
        return error;
    }
}
