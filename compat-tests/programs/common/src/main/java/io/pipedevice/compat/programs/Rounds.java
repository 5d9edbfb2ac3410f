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

/**
 * The same work again and again, in several threads, for as long as the test wants. For each line that comes in it waits
 * until some more rounds are done, and says so; the line {@code stop} ends it. A round that fails is a check that fails.
 */
final class Rounds {
    private static final int MORE = 8;

    private final Checks checks;
    private final Round round;
    private final AtomicLong done = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** What was done and not yet told; after a failure nobody waits for it. */
    private final Semaphore news = new Semaphore(0);

    private volatile boolean stopped;

    private Rounds(Checks checks, Round round) {
        this.checks = checks;
        this.round = round;
    }

    /** One piece of work. */
    interface Round {
        /** Does it. No two calls have the same number, which stands for what is sent. */
        void run(long number) throws Exception;
    }

    static void run(Checks checks, int threads, Round round) throws IOException, InterruptedException {
        new Rounds(checks, round).run(threads);
    }

    private void run(int count) throws IOException, InterruptedException {
        AtomicLong next = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(Thread.ofPlatform().daemon().name("rounds " + i).start(() -> repeat(next)));
        }
        Console.ready();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null && !line.equals("stop"); line = lines.readLine()) {
            news.drainPermits();
            checks.run(line, () -> {
                news.acquire(MORE);
                check();
            });
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

    private void repeat(AtomicLong next) {
        while (!stopped && failure.get() == null) {
            try {
                round.run(next.getAndIncrement());
                done.incrementAndGet();
                news.release();
            } catch (Exception | AssertionError e) {
                failure.compareAndSet(null, e);
                news.release(MORE);
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
