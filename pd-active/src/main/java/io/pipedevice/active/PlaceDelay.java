// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

/**
 * How long the calls of one function wait at one place, measured in windows, and when a place without calls is probed.
 * A probe is up to three calls, one after the other, of which the fastest counts: the first one wakes the threads of
 * the place. After a probe that was very slow, the next one is later. Used by one thread.
 */
final class PlaceDelay {
    private static final int WINDOWS = 5;
    private static final int SLOW_WINDOWS = 3;
    private static final int WINDOW_BITS = (1 << WINDOWS) - 1;

    /** Windows from one probe to the next. */
    private static final int PROBE_WINDOWS = 4;

    /** The same after probes that were very slow. */
    private static final int MOST_PROBE_WINDOWS = 32;

    private static final int PROBE_CALLS = 3;

    /** Windows for which what was measured is believed. */
    private static final int KNOWN_WINDOWS = 20;

    /** Windows for which a place is left alone that has refused a call. */
    private static final int REFUSED_WINDOWS = 100;

    /** In the last window in which the place had calls. */
    private long delayNs;

    /** Of this window. */
    private long sum;

    /** Of this window. */
    private long least = Long.MAX_VALUE;

    private int count;

    /** Calls of this window that are probes. */
    private int probes;

    /** One bit for each of the last windows: whether the place was slow. */
    private int slow;

    /** The window from which the place may be probed. */
    private long probeAt;

    private int probeWindows = PROBE_WINDOWS;

    /** The window until which the delay is believed. */
    private long knownUntil;

    /** The window until which nothing is believed, because the place has refused a call. */
    private long refusedUntil;

    /** A call has begun, or has not ended for some time. */
    void waited(long ns) {
        sum += ns;
        least = Math.min(least, ns);
        count++;
    }

    /** Lets the next call be a probe, if it is time for one; the place has no calls otherwise. */
    boolean beginProbe(long window) {
        boolean probed = probes == 0 ? window >= probeAt : probes < PROBE_CALLS && count >= probes;
        if (probed) {
            probes++;
            probeAt = window + probeWindows;
        }
        return probed;
    }

    /** Ends a window; {@code window} is the number of the next one. */
    void endWindow(long window, boolean hasShare) {
        if (count > 0 && window > refusedUntil) {
            knownUntil = window + KNOWN_WINDOWS;
            delayNs = hasShare ? sum / count : least;
            slow = (slow << 1 | (delayNs > Steering.SLOW_NS ? 1 : 0)) & WINDOW_BITS;
            if (!hasShare) {
                probeWindows = isVerySlow() ? Math.min(2 * probeWindows, MOST_PROBE_WINDOWS) : PROBE_WINDOWS;
                // A probe that has not ended is not followed by another one.
                probeAt = window + probeWindows;
            }
        }
        sum = 0;
        least = Long.MAX_VALUE;
        count = 0;
        probes = 0;
    }

    /** The place has no calls any more. */
    void left(long window) {
        probeWindows = PROBE_WINDOWS;
        probeAt = window + probeWindows;
    }

    /** The probe was not made, and may be in the next window. */
    void putProbeOff(long window) {
        probes = 0;
        probeAt = window + 1;
    }

    /** The place has refused a call. */
    void refused(long window) {
        knownUntil = 0;
        refusedUntil = window + REFUSED_WINDOWS;
        probes = PROBE_CALLS;
        probeAt = refusedUntil;
    }

    long delayNs() {
        return delayNs;
    }

    /** Whether the delay was measured not long ago. */
    boolean isKnown(long window) {
        return window <= knownUntil;
    }

    /** Whether the place was slow in most of its last windows. */
    boolean isSlow() {
        return Integer.bitCount(slow) >= SLOW_WINDOWS;
    }

    /** Whether the place was slow in one of its last windows. */
    boolean wasSlow() {
        return slow != 0;
    }

    boolean isVerySlow() {
        return delayNs > Steering.VERY_SLOW_NS;
    }
}
