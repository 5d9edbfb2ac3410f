// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.FdWatch;
import java.util.concurrent.CountDownLatch;

/** Blocks the watching thread of this JVM. */
public final class HeldWatch {
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);

    private HeldWatch() {}

    /** The code that runs meanwhile. */
    @FunctionalInterface
    public interface Body {
        void run() throws Exception;
    }

    /** Runs code while the watching thread is blocked. */
    public static void during(Body body) throws Exception {
        HeldWatch watch = new HeldWatch();
        try (EventFd busy = EventFd.open()) {
            FdWatch standing = FdWatch.open(busy.fd(), Epoll.IN | Epoll.ONESHOT, events -> watch.stand());
            try {
                busy.signal();
                watch.held.await();
                body.run();
            } finally {
                standing.close();
            }
        } finally {
            watch.over.countDown();
        }
    }

    private void stand() {
        held.countDown();
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
