// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LinuxException;
import java.util.concurrent.CountDownLatch;

/** The watching thread of this JVM stands still until this is closed. */
public final class HeldWatch implements AutoCloseable {
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final EventFd busy = EventFd.open();
    private final FdWatch watch;

    public HeldWatch() throws LinuxException, InterruptedException {
        watch = FdWatch.open(busy.fd(), Epoll.IN | Epoll.ONESHOT, events -> stand());
        busy.signal();
        held.await();
    }

    private void stand() {
        held.countDown();
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
        watch.close();
        busy.close();
    }
}
