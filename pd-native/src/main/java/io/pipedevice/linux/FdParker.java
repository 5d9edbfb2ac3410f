// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.util.concurrent.locks.LockSupport;

/**
 * Parks a virtual thread until a descriptor is readable, so that its carrier can run other threads meanwhile. Used by
 * one thread at a time. The owner closes it before the descriptor.
 */
public final class FdParker implements AutoCloseable {
    private final FdWatch watch;
    private volatile boolean readable;
    private volatile Thread parked;

    private FdParker(Fd fd) throws LinuxException {
        watch = FdWatch.open(fd, Epoll.ONESHOT, this::unpark);
    }

    /**
     * Prepares to wait for a descriptor.
     *
     * @param fd the descriptor; the caller keeps ownership
     * @return the parker, for the caller to close
     * @throws LinuxException as {@link FdWatch#open}
     */
    public static FdParker open(Fd fd) throws LinuxException {
        return new FdParker(fd);
    }

    private void unpark(int events) {
        readable = true;
        LockSupport.unpark(parked);
    }

    /**
     * Parks the calling thread until the descriptor is readable or has an error, the timeout expires, or the thread is
     * interrupted. Does not clear the interrupt status.
     *
     * @param nanos the timeout, {@link Long#MAX_VALUE} for ever
     * @throws LinuxException EBADF if the descriptor is closed
     */
    public void await(long nanos) throws LinuxException {
        long start = System.nanoTime();
        parked = Thread.currentThread();
        try {
            // A late event of an earlier wait only makes this wait end early.
            watch.modify(Epoll.IN | Epoll.ONESHOT);
            long left = nanos;
            while (!readable && left > 0 && !Thread.currentThread().isInterrupted()) {
                if (nanos == Long.MAX_VALUE) {
                    LockSupport.park(this);
                } else {
                    LockSupport.parkNanos(this, left);
                    left = nanos - (System.nanoTime() - start);
                }
            }
            readable = false;
        } finally {
            parked = null;
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
