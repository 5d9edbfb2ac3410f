// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

/** A channel that closes like {@link PdSocketChannel}, with a counter in place of its rings. */
final class ClosingChannel {
    final ChannelLocks locks = new ChannelLocks();
    private volatile boolean open = true;

    /** Number of times that the rings were closed; written under both locks. */
    private int closes;

    /** Makes a read or write; returns whether the rings were closed during it. */
    boolean use(HandOffLock lock) {
        lock.lock();
        try {
            return open && closes != 0;
        } finally {
            lock.unlock();
            left();
        }
    }

    /** Called by a thread that has released its lock. */
    void left() {
        if (!open) {
            locks.closeWhenIdle(this::closeRings);
        }
    }

    /** Marks the channel as closed. From now on each thread that leaves tries to close the rings. */
    void closed() {
        open = false;
    }

    void close() {
        closed();
        locks.closeWhenIdle(this::closeRings);
    }

    private void closeRings() {
        closes++;
    }

    int closes() {
        return closes;
    }
}
