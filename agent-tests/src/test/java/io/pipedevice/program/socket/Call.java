// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program.socket;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A call on a thread of its own, and its outcome as text. */
final class Call {
    private static final long BLOCKED_MILLIS = 60;
    private static final long ENDED_MILLIS = 300;
    private static final long TIMEOUT_S = 20;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CompletableFuture<String> outcome = new CompletableFuture<>();
    private final Thread thread;
    private volatile boolean returned;

    private Call(boolean virtual, Callable<?> action) {
        Thread.Builder builder =
                virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
        thread = builder.start(() -> {
            begun.countDown();
            String result = outcome(action);
            returned = true;
            outcome.complete(result + (Thread.currentThread().isInterrupted() ? ", interrupted" : ""));
        });
    }

    /** Begins a call, which is expected to wait. */
    static Call blocked(boolean virtual, Callable<?> action) throws InterruptedException {
        Call call = new Call(virtual, action);
        call.begun.await();
        Thread.sleep(BLOCKED_MILLIS);
        return call;
    }

    /**
     * Waits until the call runs one of some methods. A slow machine delays a call for any time after it has begun.
     *
     * @param methods class and method, as in the elements of a stack trace
     */
    Call reaches(Set<String> methods) throws InterruptedException {
        for (int i = 0; i < TIMEOUT_S * 1000; i++) {
            if (outcome.isDone() || isIn(methods)) {
                return this;
            }
            Thread.sleep(1);
        }
        throw new IllegalStateException("in none of " + methods);
    }

    private boolean isIn(Set<String> methods) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(each -> methods.contains(each.getClassName() + "." + each.getMethodName()));
    }

    /** The value or the exception of a call, which is made now. */
    static String outcome(Callable<?> action) {
        try {
            return String.valueOf(action.call());
        } catch (Throwable e) {
            // The JVM names the variable that was null, if it can.
            return e.getClass().getSimpleName() + (e instanceof NullPointerException ? "" : " " + e.getMessage());
        }
    }

    Call interrupt() {
        thread.interrupt();
        return this;
    }

    /** Interrupts the thread. False if the call may have returned before, as it does where a thread is delayed. */
    boolean interruptBeforeReturn() {
        thread.interrupt();
        return !returned;
    }

    /**
     * Whether the call still waits.
     *
     * @param ends whether the call is expected to end, and then gets much time to do so
     */
    String isBlocked(boolean ends) throws InterruptedException {
        for (int i = 0; i < (ends ? TIMEOUT_S * 1000 : ENDED_MILLIS) / 10 && !outcome.isDone(); i++) {
            Thread.sleep(10);
        }
        return outcome.isDone() ? "has ended" : "waits";
    }

    String outcome() throws InterruptedException, ExecutionException {
        try {
            return outcome.get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return "still waits";
        }
    }
}
