// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import java.util.concurrent.TimeUnit;

/**
 * A limit on a rate: the bytes that may be sent now grow with time, up to a burst. When they are used up, nothing may
 * be sent until the end of a pause, in which the sender can sleep. The pause is 4 ms, or the time of 64 KB, but not
 * more than 50 ms; a burst is 50 ms, or two pauses if these are longer.
 *
 * <p>Not thread safe: guarded by its owner.
 */
public final class TokenBucket {
    /** The rate that means no limit. */
    public static final long UNLIMITED = 0;

    /** A burst must last until a thread that slept for a pause runs again, late as it may be on a loaded machine. */
    private static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(4);

    /** Fewer bytes are not worth a pause, unless they take longer than a burst. */
    private static final long MIN_PAUSE = 64 << 10;

    private final double bytesPerNs;
    private final double burst;
    private final double pause;

    /**
     * Not a whole number, so that frequent calls lose no fractions. Negative after more was taken than was available.
     */
    private double tokens;

    private long filledAtNs;

    /** Whether the tokens were used up, and the pause is not over. */
    private boolean paused;

    /**
     * Creates a bucket that holds the bytes of one pause.
     *
     * @param bytesPerSecond the rate, {@link #UNLIMITED} for none
     * @param nowNs the time, in nanoseconds
     */
    public TokenBucket(long bytesPerSecond, long nowNs) {
        bytesPerNs = bytesPerSecond / 1e9;
        pause = pauseOf(bytesPerNs);
        burst = burstOf(bytesPerNs);
        tokens = pause;
        filledAtNs = nowNs;
    }

    private static double pauseOf(double bytesPerNs) {
        return Math.max(1, Math.max(bytesPerNs * PAUSE_NS, Math.min(MIN_PAUSE, bytesPerNs * BURST_NS)));
    }

    private static double burstOf(double bytesPerNs) {
        return Math.max(2 * pauseOf(bytesPerNs), bytesPerNs * BURST_NS);
    }

    /**
     * The most bytes that may be sent at once.
     *
     * @param bytesPerSecond a rate, more than 0
     * @return more than 0
     */
    public static long burst(long bytesPerSecond) {
        return (long) Math.ceil(burstOf(bytesPerSecond / 1e9));
    }

    /**
     * The number of bytes that may be sent now.
     *
     * @param nowNs the time, in nanoseconds
     * @return 0 or more; 0 until the end of a pause
     */
    public long available(long nowNs) {
        if (bytesPerNs == UNLIMITED) {
            return Long.MAX_VALUE;
        }
        tokens = Math.min(burst, tokens + (nowNs - filledAtNs) * bytesPerNs);
        filledAtNs = nowNs;
        paused = paused ? tokens < pause : tokens < 1;
        return paused ? 0 : (long) tokens;
    }

    /**
     * Takes bytes that are being sent. Bytes that were not available delay later ones.
     *
     * @param bytes 0 or more
     */
    public void take(long bytes) {
        tokens -= bytes;
        paused |= tokens < 1;
    }

    /**
     * The time until the end of the pause.
     *
     * @param nowNs the time, in nanoseconds
     * @return in nanoseconds; 0 if bytes are available now
     */
    public long delayNs(long nowNs) {
        return available(nowNs) > 0 ? 0 : (long) Math.ceil((pause - tokens) / bytesPerNs);
    }
}
