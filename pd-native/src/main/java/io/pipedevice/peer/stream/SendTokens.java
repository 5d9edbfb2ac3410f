// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import java.util.concurrent.TimeUnit;

/**
 * The bytes that may be sent now at some rate. They grow with time, up to a burst. When they are used up, nothing may be
 * sent until there are enough for a pause in which threads can sleep. Guarded by its owner.
 */
final class SendTokens {
    /** A burst must last until a thread that slept for a pause runs again, late as it may be on a loaded machine. */
    private static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(4);

    /** Fewer bytes are not worth a pause, unless they take longer than a burst. */
    private static final long MIN_PAUSE = 64 << 10;

    private final double bytesPerNs;
    private final double burst;
    private final double pause;

    /** Not a whole number: tokens that are asked for often must not lose the fractions. Negative after a large block. */
    private double tokens;

    private long filledAtNs;

    /** Whether they were used up, and a pause is not over. */
    private boolean paused;

    /** There is enough for a pause. */
    SendTokens(long bytesPerSecond, long nowNs) {
        bytesPerNs = bytesPerSecond / 1e9;
        pause = pauseOf(bytesPerNs);
        burst = burstOf(bytesPerNs);
        tokens = pause;
        filledAtNs = nowNs;
    }

    private static double pauseOf(double bytesPerNs) {
        return Math.max(1, Math.max(bytesPerNs * PAUSE_NS, Math.min(MIN_PAUSE, bytesPerNs * BURST_NS)));
    }

    /** The most bytes that may be sent at once after a pause. */
    static double burstOf(double bytesPerNs) {
        return Math.max(2 * pauseOf(bytesPerNs), bytesPerNs * BURST_NS);
    }

    /** The bytes that may be sent now; 0 until the end of a pause. */
    long available(long nowNs) {
        tokens = Math.min(burst, tokens + (nowNs - filledAtNs) * bytesPerNs);
        filledAtNs = nowNs;
        paused = paused ? tokens < pause : tokens < 1;
        return paused ? 0 : (long) tokens;
    }

    /** Takes bytes, also more than there are. */
    void take(long bytes) {
        tokens -= bytes;
        paused |= tokens < 1;
    }

    /** The time until the end of the pause, after {@link #available} has returned 0. */
    long pauseNs() {
        return (long) Math.ceil((pause - tokens) / bytesPerNs);
    }
}
