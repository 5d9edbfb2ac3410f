// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

/**
 * The locks of a socket channel: one held through a whole read, one through a whole write, both by what changes how the
 * channel works. And the close of its rings, which takes place when nobody holds either.
 */
final class ChannelLocks {
    private final TurnLock read = new TurnLock();
    private final TurnLock write = new TurnLock();

    /** Set under both locks. */
    private volatile boolean closed;

    /** What ends the output; taken under the write lock. */
    private volatile Runnable outputEnd;

    TurnLock read() {
        return read;
    }

    TurnLock write() {
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

    void unlockBoth() {
        write.unlock();
        read.unlock();
    }

    boolean areHeldByCurrentThread() {
        return read.isHeldByCurrentThread() && write.isHeldByCurrentThread();
    }

    /**
     * Closes, once, if no other thread reads or writes, so that none is stopped in the middle of a copy. If one does it
     * must call this when it has given its lock back. Never blocks.
     */
    void closeWhenIdle(Runnable close) {
        while (!closed && read.tryLock()) {
            try {
                tryClose(close);
            } finally {
                read.unlock();
            }
            if (write.isLocked()) {
                // Its holder comes here after us. One that left while we held the read lock could not, so look again.
                return;
            }
        }
    }

    /** Ends the output when no thread is in the middle of a write, now or when the one that is has left. Never blocks. */
    void endWhenNobodyWrites(Runnable end) {
        outputEnd = end;
        endIfWanted();
    }

    /** To be called by who has given the write lock back. */
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
                    closed = true;
                    close.run();
                }
            } finally {
                write.unlock();
            }
        }
    }
}
