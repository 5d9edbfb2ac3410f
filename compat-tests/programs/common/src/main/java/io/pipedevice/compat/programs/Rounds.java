// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Repeats the same work in several threads, for as long as the test wants. For each input line it waits until every
 * thread has done some more rounds, and reports that, so that a thread whose connection hangs is detected. The line
 * {@code stop} ends it. A round that fails is a check that fails. But between the lines {@code server ends} and
 * {@code server is back} a round that is cut off is tried again, and there must be such a round.
 */
final class Rounds {
    /** Rounds of each thread; the last of them began after the line had arrived. */
    private static final int MORE = 2;

    private static final String SERVER_ENDS = "server ends";
    private static final String SERVER_IS_BACK = "server is back";
    private static final long PAUSE_MS = 20;

    private final Checks checks;
    private final Round round;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong cutOff = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** The rounds that each thread has done and not yet reported; after a failure no thread waits for them. */
    private final List<Semaphore> unreported;

    private volatile boolean stopped;
    private volatile boolean serverMayEnd;

    private Rounds(Checks checks, int threads, Round round) {
        this.checks = checks;
        this.round = round;
        unreported = Stream.generate(() -> new Semaphore(0)).limit(threads).toList();
    }

    /** One piece of work. */
    interface Round {
        /** Does the work. The number determines the data; no two calls have the same, unless the first was cut off. */
        void run(long number) throws Exception;
    }

    static void run(Checks checks, int threads, Round round) throws IOException, InterruptedException {
        new Rounds(checks, threads, round).run();
    }

    private void run() throws IOException, InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (Semaphore own : unreported) {
            threads.add(Thread.ofPlatform()
                    .daemon()
                    .name("rounds " + threads.size())
                    .start(() -> repeat(own)));
        }
        Console.ready();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null && !line.equals("stop"); line = lines.readLine()) {
            String order = line;
            checks.run(order, () -> obey(order));
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

    private void obey(String line) throws InterruptedException {
        if (line.equals(SERVER_ENDS)) {
            cutOff.set(0);
            serverMayEnd = true;
        }
        awaitMore();
        if (line.equals(SERVER_IS_BACK)) {
            serverMayEnd = false;
            Checks.same(true, cutOff.get() > 0);
        }
    }

    private void awaitMore() throws InterruptedException {
        unreported.forEach(Semaphore::drainPermits);
        check();
        for (Semaphore one : unreported) {
            one.acquire(MORE);
        }
        check();
    }

    private void repeat(Semaphore own) {
        while (!stopped && failure.get() == null) {
            try {
                complete(next.getAndIncrement());
                done.incrementAndGet();
                own.release();
            } catch (Throwable e) {
                // Any failure, even an error of the JVM: a thread must not end silently.
                failure.compareAndSet(null, e);
                unreported.forEach(one -> one.release(MORE));
            }
        }
    }

    private void complete(long number) throws Exception {
        boolean complete = false;
        while (!complete) {
            try {
                round.run(number);
                complete = true;
            } catch (Exception e) {
                if (!serverMayEnd || !isCutOff(e)) {
                    throw e;
                }
                cutOff.incrementAndGet();
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            }
        }
    }

    /** Whether the only failure is that the connection is gone, or cannot be made. */
    private static boolean isCutOff(Throwable why) {
        boolean is = false;
        for (Throwable cause = why; cause != null; cause = cause.getCause()) {
            if (cause instanceof Error) {
                return false;
            }
            is |= cause instanceof IOException;
        }
        return is;
    }

    private void check() {
        Throwable why = failure.get();
        if (why != null) {
            throw new AssertionError(why);
        }
    }
}
