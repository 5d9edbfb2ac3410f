// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.share;

import java.util.concurrent.TimeUnit;

/**
 * The rate limit of a container: a bucket of bytes that fills at the rate and holds at most a burst. Belongs to the
 * driver's thread.
 */
public final class TokenBucket {
    /** The rate that means no limit. */
    public static final long UNLIMITED = 0;

    private static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long MIN_BURST = 64 << 10;

    private final long bytesPerSecond;
    private final long burst;
    private long tokens;
    private long filledAtNs;

    /**
     * Creates a full bucket.
     *
     * @param bytesPerSecond the rate, {@link #UNLIMITED} for none
     * @param nowNs the time
     */
    public TokenBucket(long bytesPerSecond, long nowNs) {
        this.bytesPerSecond = bytesPerSecond;
        this.burst = Math.max(MIN_BURST, (long) (bytesPerSecond * (double) BURST_NS / 1e9));
        this.tokens = burst;
        this.filledAtNs = nowNs;
    }

    /**
     * Number of bytes that may be sent now.
     *
     * @param nowNs the time
     * @return 0 or more
     */
    public long available(long nowNs) {
        if (bytesPerSecond == UNLIMITED) {
            return Long.MAX_VALUE;
        }
        double earned = (nowNs - filledAtNs) * (double) bytesPerSecond / 1e9;
        if (earned >= 1) {
            tokens = Math.min(burst, tokens + (long) earned);
            filledAtNs = nowNs;
        }
        return Math.max(0, tokens);
    }

    /**
     * Takes bytes that are being sent.
     *
     * @param bytes at most the available number
     */
    public void take(int bytes) {
        if (bytesPerSecond != UNLIMITED) {
            tokens -= bytes;
        }
    }

    /**
     * Nanoseconds until enough bytes for a worthwhile copy may be sent.
     *
     * @return 0 if they may be sent now
     */
    public long delayNs() {
        long wanted = Math.min(burst, MIN_BURST) - tokens;
        return wanted <= 0 ? 0 : (long) (wanted * 1e9 / bytesPerSecond);
    }
}
