// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.transport.TransportGuard;

/**
 * The locks of a socket channel: a read holds one throughout, a write the other, and a change of the channel's state
 * both. The transport is closed when no thread holds them. Thread safe.
 */
final class ChannelLocks implements TransportGuard {
    private final HandOffLock read = new HandOffLock();
    private final HandOffLock write = new HandOffLock();

    /** Set under both locks. */
    private volatile boolean closed;

    /** The pending end of the output; taken under the write lock. */
    private volatile Runnable outputEnd;

    HandOffLock read() {
        return read;
    }

    HandOffLock write() {
        return write;
    }

    /** Whether a platform thread reads or writes; the answer may be old. */
    boolean hasPlatformThread() {
        return read.isPlatformThreads() || write.isPlatformThreads();
    }

    /** Whether any thread reads or writes; the answer may be old. */
    boolean isInUse() {
        return read.isLocked() || write.isLocked();
    }

    void lockBoth() {
        read.lock();
        write.lock();
    }

    /** Takes both locks if no thread has one of them. */
    boolean tryLockBoth() {
        if (!read.tryLock()) {
            return false;
        }
        if (write.tryLock()) {
            return true;
        }
        read.unlock();
        return false;
    }

    void unlockBoth() {
        write.unlock();
        read.unlock();
    }

    boolean areHeldByCurrentThread() {
        return read.isHeldByCurrentThread() && write.isHeldByCurrentThread();
    }

    /** {@inheritDoc} The caller may hold the locks itself. */
    @Override
    public void closeWhenIdle(Runnable close) {
        while (!closed && read.tryLock()) {
            try {
                tryClose(close);
            } finally {
                read.unlock();
            }
            if (write.isLocked()) {
                // The writer calls this method when it leaves. A writer that left while this thread held the read lock
                // could not close: try again.
                return;
            }
        }
    }

    @Override
    public void endWhenNobodyWrites(Runnable end) {
        outputEnd = end;
        endIfWanted();
    }

    /** Runs the pending end of the output, if there is one. Called by each thread that has released the write lock. */
    void endIfWanted() {
        while (outputEnd != null && write.tryLock()) {
            try {
                Runnable end = outputEnd;
                outputEnd = null;
                if (end != null && !closed) {
                    end.run();
                }
            } finally {
                write.unlock();
            }
        }
    }

    private void tryClose(Runnable close) {
        if (write.tryLock()) {
            try {
                if (!closed) {
                    // The thread that left has perhaps not run the pending end of the output yet.
                    endIfWanted();
                    closed = true;
                    close.run();
                }
            } finally {
                write.unlock();
            }
        }
    }
}
