// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.SharedQuota;
import io.pipedevice.linux.ThreadClock;
import io.pipedevice.wait.OccasionalThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Verifies programs on a thread of its own, which exists while there are any. Containers take turns: each has one
 * program verified, and then the next one. The processor time of a verification is bounded, and charged to the process
 * that registers. One user cannot fill the queue. Belongs to the driver's thread.
 */
final class VerifierThread implements AutoCloseable {
    private static final int MOST_WAITING = 64;

    /** After this time those that wait are looked at again. */
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ThreadPoolExecutor thread;
    private final SharedQuota places = new SharedQuota(MOST_WAITING);

    /** Of the verifying thread. */
    private final ThreadClock clock = new ThreadClock();

    private final Runnable signal;
    private final Consumer<Verification> abandon;

    /** Waiting verifications by container, in the order of turns. A container without any has no entry. */
    private final LinkedHashMap<String, ArrayDeque<Verification>> waiting = new LinkedHashMap<>();

    /** Whether the verifying thread has one. */
    private boolean busy;

    private long lookedNs = System.nanoTime();

    /** Written by the verifying thread. */
    private final ConcurrentLinkedQueue<Verification> done = new ConcurrentLinkedQueue<>();

    /**
     * Begins without a thread.
     *
     * @param signal wakes the driver's thread, on any thread
     * @param abandon gets a verification whose message is not handled any more
     */
    VerifierThread(Runnable signal, Consumer<Verification> abandon) {
        this.signal = signal;
        this.abandon = abandon;
        this.thread = OccasionalThread.create("pd-verifier", new LinkedBlockingQueue<>());
    }

    /** Begins; returns false if the user has too many programs that wait. */
    boolean add(Verification verification) {
        Identity identity = verification.process.identity;
        if (!places.take(identity.uid(), identity.networkNamespace(), 1)) {
            return false;
        }
        waiting.computeIfAbsent(identity.container(), key -> new ArrayDeque<>()).add(verification);
        next();
        return true;
    }

    /** Begins with the next one, unless the thread has one. */
    private void next() {
        if (busy || waiting.isEmpty()) {
            return;
        }
        Map.Entry<String, ArrayDeque<Verification>> turn = waiting.pollFirstEntry();
        Verification verification = turn.getValue().poll();
        if (!turn.getValue().isEmpty()) {
            waiting.putLast(turn.getKey(), turn.getValue());
        }
        busy = true;
        thread.execute(() -> {
            verification.run(clock);
            done.add(verification);
            signal.run();
        });
    }

    /** Has the messages handled whose programs were verified, or have waited for too long; returns how many. */
    int finish() {
        int count = 0;
        for (Verification each = done.poll(); each != null; each = done.poll()) {
            busy = false;
            each.process.share.ran(each.cpuNs());
            finish(each);
            count++;
        }
        // One verification may take so long that the next ones must be answered before it ends.
        if (count > 0 || (hasWaiting() && System.nanoTime() - lookedNs >= LOOK_NS)) {
            lookedNs = System.nanoTime();
            count += endOverdue();
            next();
        }
        return count;
    }

    /** Whether programs wait for their turn; then {@link #finish} is called again and again. */
    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    private void finish(Verification one) {
        Identity identity = one.process.identity;
        places.give(identity.uid(), identity.networkNamespace(), 1);
        if (!one.finish()) {
            abandon.accept(one);
        }
    }

    /**
     * Ends those that nothing waits for any more, and those that have waited for too long: a client that gets no answer
     * gives up more than this program, its attachment with all connections.
     */
    private int endOverdue() {
        List<Verification> overdue = new ArrayList<>();
        for (ArrayDeque<Verification> ofContainer : waiting.values()) {
            ofContainer.removeIf(each -> {
                boolean ends = each.process.isGone() || each.isOverdue();
                if (ends) {
                    overdue.add(each);
                }
                return ends;
            });
        }
        waiting.values().removeIf(ArrayDeque::isEmpty);
        overdue.forEach(this::finish);
        return overdue.size();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
