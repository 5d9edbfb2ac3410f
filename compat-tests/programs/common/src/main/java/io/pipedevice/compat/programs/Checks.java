// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/**
 * The checks of a client. It prints one line for each, and a last one with the least number of bytes that the peers
 * must have exchanged. A check that fails or hangs does not prevent the others.
 */
final class Checks {
    private final long limitSeconds;
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();
    private int failed;

    Checks(Arguments arguments) {
        limitSeconds = arguments.size("limit");
    }

    /** One check. */
    interface Check {
        void run() throws Exception;
    }

    void sent(long bytes) {
        sent.add(bytes);
    }

    void received(long bytes) {
        received.add(bytes);
    }

    /** Requires that a value came back as it was sent, and counts it both ways. */
    void cameBack(byte[] value, byte[] answer) {
        if (!Arrays.equals(value, answer)) {
            throw new AssertionError("a value of " + value.length + " bytes came back changed");
        }
        sent(value.length);
        received(value.length);
    }

    void run(String name, Check check) throws InterruptedException {
        FutureTask<Void> task = new FutureTask<>(() -> {
            check.run();
            return null;
        });
        Thread thread = Thread.ofPlatform().daemon().name(name).start(task);
        try {
            task.get(limitSeconds, TimeUnit.SECONDS);
            System.out.println("OK " + name);
        } catch (ExecutionException e) {
            failed++;
            System.out.println("FAILED " + name + ": " + e.getCause());
            e.getCause().printStackTrace();
        } catch (TimeoutException e) {
            failed++;
            System.out.println("FAILED " + name + ": not done after " + limitSeconds + " s");
            printThreads();
            thread.interrupt();
        }
    }

    private static void printThreads() {
        for (Map.Entry<Thread, StackTraceElement[]> entry :
                Thread.getAllStackTraces().entrySet()) {
            System.err.println(entry.getKey());
            for (StackTraceElement element : entry.getValue()) {
                System.err.println("\tat " + element);
            }
        }
    }

    /** Ends the program when the test has seen what it needs. */
    void end() throws Exception {
        end(() -> {});
    }

    /** Ends the program after a last check. */
    void end(Check last) throws Exception {
        System.out.println("DONE sent=" + sent + " received=" + received + " failed=" + failed);
        Console.awaitEnd();
        last.run();
        System.exit(failed == 0 ? 0 : 1);
    }

    static void same(Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError("expected " + expected + ", but got " + actual);
        }
    }
}
