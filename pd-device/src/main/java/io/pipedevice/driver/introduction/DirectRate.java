// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import io.pipedevice.peer.ring.SendRings;
import io.pipedevice.wait.TokenBucket;
import java.util.concurrent.TimeUnit;

/**
 * The rate at which one process may send on direct connections, and whether it keeps to it. A leaky bucket has the
 * bytes that were read of the process's links; it leaks a little faster than the rate, and holds what the process may
 * send at once. Bytes are read some time after they were sent: those that were sent since the last reading leak for all
 * that time. Belongs to the driver's thread.
 */
final class DirectRate {
    /** How much faster than the rate the bucket leaks. */
    private static final double TOLERANCE = 1.1;

    /** After a change, as long as this the larger rate is tolerated: the process learns of it a little later. */
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(3);

    /** Links are not always read in the same order. */
    private static final long DISORDER_NS = TimeUnit.MILLISECONDS.toNanos(250);

    /** A block is sent as a whole. */
    private static final long BLOCK = SendRings.MAX_SIZE;

    private static final long UNLIMITED = 0;

    /** In bytes per second. */
    private long rate;

    /** The rate that is tolerated until {@link #settledNs}, at least the other. */
    private long earlier;

    private long settledNs;

    /** Negative after a pause; infinite if only the next bytes say how much could leak. */
    private double level = Double.NEGATIVE_INFINITY;

    private long leakedNs;

    /** Whether all bytes in the bucket were sent since the rate is settled. */
    private boolean settled = true;

    long bytesPerSecond() {
        return rate;
    }

    /**
     * Changes the rate.
     *
     * @param most bytes per second; 0 for no limit
     */
    void set(long most, long nowNs) {
        if (most == rate) {
            return;
        }
        boolean before = settled || nowNs - settledNs >= 0;
        earlier = larger(most, larger(rate, before ? rate : earlier));
        rate = most;
        settledNs = nowNs + SETTLE_NS;
        settled = false;
        level = Double.NEGATIVE_INFINITY;
    }

    private static long larger(long one, long other) {
        return one == UNLIMITED || other == UNLIMITED ? UNLIMITED : Math.max(one, other);
    }

    /**
     * Counts bytes of one link.
     *
     * @param bytes sent between the two times
     * @param sinceNs before the last reading of the link
     * @param nowNs after this one
     * @return whether the process has sent much more than it may; the next call begins anew
     */
    boolean sent(long bytes, long sinceNs, long nowNs) {
        if (!settled && sinceNs - settledNs >= 0) {
            settled = true;
            level = Double.NEGATIVE_INFINITY;
        }
        long tolerated = settled ? rate : earlier;
        if (tolerated == UNLIMITED) {
            return false;
        }
        double perNs = TOLERANCE * tolerated / TimeUnit.SECONDS.toNanos(1);
        level = Math.max(level - (nowNs - leakedNs) * perNs, -(nowNs - sinceNs + DISORDER_NS) * perNs) + bytes;
        leakedNs = nowNs;
        boolean tooMuch = level > TokenBucket.burst(tolerated) + BLOCK;
        if (tooMuch) {
            level = Double.NEGATIVE_INFINITY;
        }
        return tooMuch;
    }
}
