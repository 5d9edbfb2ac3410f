// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.share;

import java.util.concurrent.TimeUnit;

/**
 * The rate limit of a container: a bucket of bytes that fills at the rate and holds at most a burst. When it is empty,
 * the container waits until there is enough for {@link #PAUSE_NS}, in which the driver can sleep. Belongs to the
 * driver's thread.
 */
public final class TokenBucket {
    /** The rate that means no limit. */
    public static final long UNLIMITED = 0;

    /** A burst must last until a driver that slept for a pause runs again, late as it may be on a loaded machine. */
    private static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(4);

    /** Fewer bytes are not worth a pause. */
    private static final long MIN_PAUSE = 64 << 10;

    private final double bytesPerNs;
    private final double burst;
    private final double pause;

    /** Not a whole number: a bucket that is asked often must not lose the fractions. */
    private double tokens;

    private long filledAtNs;

    /**
     * Creates a bucket that holds enough for a pause.
     *
     * @param bytesPerSecond the rate, {@link #UNLIMITED} for none
     * @param nowNs the time
     */
    public TokenBucket(long bytesPerSecond, long nowNs) {
        this.bytesPerNs = bytesPerSecond / 1e9;
        this.pause = Math.max(MIN_PAUSE, bytesPerNs * PAUSE_NS);
        this.burst = Math.max(2 * pause, bytesPerNs * BURST_NS);
        this.tokens = pause;
        this.filledAtNs = nowNs;
    }

    /**
     * Number of bytes that may be sent now.
     *
     * @param nowNs the time
     * @return 0 or more
     */
    public long available(long nowNs) {
        if (bytesPerNs == UNLIMITED) {
            return Long.MAX_VALUE;
        }
        tokens = Math.min(burst, tokens + (nowNs - filledAtNs) * bytesPerNs);
        filledAtNs = nowNs;
        return (long) Math.max(0, tokens);
    }

    /**
     * Takes bytes that are being sent. More than are available are paid back before others are.
     *
     * @param bytes 0 or more
     */
    public void take(int bytes) {
        tokens -= bytes;
    }

    /**
     * Time until the end of a pause that begins when the bucket is empty.
     *
     * @param nowNs the time
     * @return in nanoseconds; 0 if there is enough in the bucket now
     */
    public long delayNs(long nowNs) {
        if (available(nowNs) >= pause) {
            return 0;
        }
        return (long) Math.ceil((pause - tokens) / bytesPerNs);
    }
}
