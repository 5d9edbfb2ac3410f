// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * The same work again and again, in several threads, for as long as the test wants. For each line that comes in it waits
 * until every thread has done some more rounds, and says so: one whose connection hangs is not covered by the others. The
 * line {@code stop} ends it. A round that fails is a check that fails.
 */
final class Rounds {
    /** Of each thread: the last of them began after the line had come. */
    private static final int MORE = 2;

    private final Checks checks;
    private final Round round;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** What each thread has done and not yet told; after a failure nobody waits for it. */
    private final List<Semaphore> news;

    private volatile boolean stopped;

    private Rounds(Checks checks, int threads, Round round) {
        this.checks = checks;
        this.round = round;
        news = Stream.generate(() -> new Semaphore(0)).limit(threads).toList();
    }

    /** One piece of work. */
    interface Round {
        /** Does it. No two calls have the same number, which stands for what is sent. */
        void run(long number) throws Exception;
    }

    static void run(Checks checks, int threads, Round round) throws IOException, InterruptedException {
        new Rounds(checks, threads, round).run();
    }

    private void run() throws IOException, InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (Semaphore its : news) {
            threads.add(Thread.ofPlatform()
                    .daemon()
                    .name("rounds " + threads.size())
                    .start(() -> repeat(its)));
        }
        Console.ready();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null && !line.equals("stop"); line = lines.readLine()) {
            checks.run(line, this::awaitMore);
            System.out.println("PROGRESS " + done);
        }
        stopped = true;
        checks.run("every round ended well", () -> {
            for (Thread thread : threads) {
                thread.join();
            }
            check();
        });
    }

    private void awaitMore() throws InterruptedException {
        news.forEach(Semaphore::drainPermits);
        check();
        for (Semaphore one : news) {
            one.acquire(MORE);
        }
        check();
    }

    private void repeat(Semaphore its) {
        while (!stopped && failure.get() == null) {
            try {
                round.run(next.getAndIncrement());
                done.incrementAndGet();
                its.release();
            } catch (Throwable e) {
                // Whatever it is, an error of the JVM too: a thread must not end without a word.
                failure.compareAndSet(null, e);
                news.forEach(one -> one.release(MORE));
            }
        }
    }

    private void check() {
        Throwable why = failure.get();
        if (why != null) {
            throw new AssertionError(why);
        }
    }
}
