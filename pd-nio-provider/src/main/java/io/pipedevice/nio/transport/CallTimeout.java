// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

/** The time that a call may wait, from this object's creation on. Belongs to the thread of the call. */
public final class CallTimeout {
    private final long start = System.nanoTime();
    private final long timeoutNs;
    private final String what;

    /**
     * Begins to measure.
     *
     * @param timeoutNs {@link Transport#FOREVER} for no limit
     * @param what begins the exception's message
     */
    public CallTimeout(long timeoutNs, String what) {
        this.timeoutNs = timeoutNs;
        this.what = what;
    }

    /**
     * Returns the timeout of a socket.
     *
     * @param timeoutMillis 0 for no limit
     * @return in nanoseconds; {@link Transport#FOREVER} without a limit
     */
    public static long ofMillis(int timeoutMillis) {
        return timeoutMillis == 0 ? Transport.FOREVER : TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    /**
     * Returns how much of a timeout is left.
     *
     * @param timeoutMillis 0 for no limit
     * @param startNs when it began, of {@link System#nanoTime}
     * @return in milliseconds, at least 1; 0 for no limit
     */
    public static int leftMillis(int timeoutMillis, long startNs) {
        long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        return timeoutMillis == 0 ? 0 : (int) Math.max(1, timeoutMillis - passed);
    }

    /**
     * Returns the time that is left.
     *
     * @return more than 0; {@link Transport#FOREVER} without a limit
     * @throws SocketTimeoutException if no time is left
     */
    public long left() throws SocketTimeoutException {
        long left = rest();
        if (left <= 0) {
            throw new SocketTimeoutException(what + " timed out");
        }
        return left;
    }

    /**
     * Returns the time that is left.
     *
     * @return negative if the time is over; {@link Transport#FOREVER} without a limit
     */
    public long rest() {
        return timeoutNs == Transport.FOREVER ? timeoutNs : timeoutNs - (System.nanoTime() - start);
    }
}
