// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** Helpers for the tests of selectors. */
final class Selecting {
    /** Longer than any event that a test waits for takes. */
    static final long TIMEOUT_MILLIS = 10_000;

    private Selecting() {}

    /** Starts a select in another thread, and returns when it waits. */
    static <T> FutureTask<T> blocked(Thread.Builder kind, Callable<T> select) throws InterruptedException {
        return new Blocked<>(kind, select).task;
    }

    static <T> T get(FutureTask<T> task) throws Exception {
        return task.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** A select that waits in a thread of its own, which a test may interrupt. */
    static final class Blocked<T> {
        final FutureTask<T> task;
        final Thread thread;

        Blocked(Thread.Builder kind, Callable<T> select) throws InterruptedException {
            CountDownLatch begun = new CountDownLatch(1);
            task = new FutureTask<>(() -> {
                begun.countDown();
                return select.call();
            });
            thread = kind.start(task);
            begun.await();
            if (thread.isVirtual()) {
                Awaitility.await().until(() -> waits(thread));
            } else {
                // The JVM reports a thread in epoll_wait(2) as runnable: give it time to get there.
                Thread.sleep(50);
            }
        }

        private static boolean waits(Thread thread) {
            return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
        }
    }

    static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count);
    }

    static void drain(ReadableByteChannel channel) throws IOException {
        ByteBuffer buffer = bytes(1024);
        while (channel.read(buffer) > 0) {
            buffer.clear();
        }
    }

    /** A pipe whose source is registered for reading. */
    static Pipe pipe(Selector selector) throws IOException {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        pipe.source().register(selector, SelectionKey.OP_READ);
        return pipe;
    }
}
