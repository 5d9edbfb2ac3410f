// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.transport.CallTimeout;
import io.pipedevice.nio.transport.Transport;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

/** Takes a lock within the timeout of a call, in the sockets of java.net. An interrupt does not end the wait. */
final class TimedLock {
    private TimedLock() {}

    /** An attempt to take a lock. */
    @FunctionalInterface
    interface Attempt {
        /** Waits for the lock; whether it has it. */
        boolean take(long time, TimeUnit unit) throws InterruptedException;
    }

    /**
     * Takes a lock.
     *
     * @param timeoutNs {@link Transport#FOREVER} for no limit
     * @param what begins the exception's message
     * @return the time that is left for the call
     */
    static long take(Attempt lock, long timeoutNs, String what) throws SocketTimeoutException {
        CallTimeout timeout = new CallTimeout(timeoutNs, what);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (lock.take(timeout.left(), TimeUnit.NANOSECONDS)) {
                        return Math.max(1, timeout.rest());
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
