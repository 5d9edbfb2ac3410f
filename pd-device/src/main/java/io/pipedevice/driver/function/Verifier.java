// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.driver.identity.Identity;
import io.pipedevice.driver.share.SharedQuota;
import io.pipedevice.wait.OccasionalThread;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;

/**
 * Verifies programs on a thread of its own, which exists while there are any. One user cannot fill the queue. Belongs to the
 * driver's thread.
 */
final class Verifier implements AutoCloseable {
    private static final int MOST_WAITING = 64;

    private final ThreadPoolExecutor thread;
    private final SharedQuota places = new SharedQuota(MOST_WAITING);
    private final Runnable signal;
    private final Consumer<Verification> abandon;

    /** Written by the verifying thread. */
    private final ConcurrentLinkedQueue<Verification> done = new ConcurrentLinkedQueue<>();

    /**
     * Begins without a thread.
     *
     * @param signal wakes the driver's thread, on any thread
     * @param abandon gets a verification whose message is not handled any more
     */
    Verifier(Runnable signal, Consumer<Verification> abandon) {
        this.signal = signal;
        this.abandon = abandon;
        this.thread = OccasionalThread.create("pd-verifier", new LinkedBlockingQueue<>());
    }

    /** Begins; returns false if the user has too many programs that wait. */
    boolean add(Verification verification) {
        Identity identity = verification.container.identity;
        if (!places.take(identity.uid(), identity.networkNamespace(), 1)) {
            return false;
        }
        thread.execute(() -> {
            verification.run();
            done.add(verification);
            signal.run();
        });
        return true;
    }

    /** Has the messages handled whose programs were verified; returns how many. */
    int finish() {
        int count = 0;
        for (Verification each = done.poll(); each != null; each = done.poll()) {
            Identity identity = each.container.identity;
            places.give(identity.uid(), identity.networkNamespace(), 1);
            if (!each.finish()) {
                abandon.accept(each);
            }
            count++;
        }
        return count;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
