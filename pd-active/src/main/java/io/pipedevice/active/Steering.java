// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Chooses the places of the calls of one function. For each place it measures how long calls wait, in windows of 10 ms; the
 * age of the oldest call that has not ended counts, too, so that a place that stands still is seen. A place that was slow in
 * three of the last five windows loses a tenth of all calls, or half of its own if it is very slow, to the one where calls wait
 * least. While a place is slow, those without calls get one now and then, so that their delay is known; so does the device
 * while all calls are elsewhere. When the device is no longer slow, calls move back to it. Used by one thread; times are the caller's.
 */
final class Steering {
    /** Length of a window. */
    static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A place where calls wait longer is slow. */
    static final long SLOW_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /** A place where calls wait longer is very slow. */
    static final long VERY_SLOW_NS = 10 * SLOW_NS;

    /** The whole of the shares. */
    static final int ALL = 1000;

    private static final int TENTH = ALL / 10;
    private static final int WINDOWS = 5;
    private static final int SLOW_WINDOWS = 3;
    private static final int WINDOW_BITS = (1 << WINDOWS) - 1;

    /** Windows from one probe of a place to the next. */
    private static final int PROBE_WINDOWS = 4;

    /** Windows for which what was measured at a place is believed. */
    private static final int KNOWN_WINDOWS = 20;

    /** Windows for which a place is left alone that has refused a call. */
    private static final int REFUSED_WINDOWS = 100;

    private static final Place[] PLACES = {Place.CLIENT, Place.DEVICE, Place.HOST};
    private static final int PLACE_COUNT = PLACES.length;
    private static final int DEVICE = 1;

    /** Indexed by place, as all others. */
    private final int[] shares = new int[PLACE_COUNT];

    private final int[] credits = new int[PLACE_COUNT];

    /** The delay in the last window in which the place had calls. */
    private final long[] delays = new long[PLACE_COUNT];

    /** Of this window. */
    private final long[] sums = new long[PLACE_COUNT];

    private final int[] counts = new int[PLACE_COUNT];

    /** One bit for each of the last windows: whether the place was slow. */
    private final int[] slow = new int[PLACE_COUNT];

    /** The window from which a place may be probed. */
    private final long[] probeAt = new long[PLACE_COUNT];

    /** The window until which the delay of a place is believed. */
    private final long[] knownUntil = new long[PLACE_COUNT];

    /** Whether a place with calls was slow in one of the last windows. */
    private boolean anySlow;

    private long window;
    private long windowEnd;

    /** Begins with all calls at the device. */
    Steering(long nowNs) {
        shares[DEVICE] = ALL;
        windowEnd = nowNs + WINDOW_NS;
    }

    private static int index(Place place) {
        return switch (place) {
            case CLIENT -> 0;
            case HOST -> 2;
            default -> DEVICE;
        };
    }

    /** The place of the next call. */
    Place choose() {
        for (int place = 0; place < PLACE_COUNT; place++) {
            boolean asked = anySlow || place == DEVICE;
            if (asked && shares[place] == 0 && window >= probeAt[place]) {
                probeAt[place] = window + PROBE_WINDOWS;
                return PLACES[place];
            }
        }
        int best = DEVICE;
        for (int place = 0; place < PLACE_COUNT; place++) {
            credits[place] += shares[place];
            if (credits[place] > credits[best]) {
                best = place;
            }
        }
        credits[best] -= ALL;
        return PLACES[best];
    }

    /** A call has begun, or has not begun for some time. */
    void waited(Place place, long delayNs) {
        sums[index(place)] += delayNs;
        counts[index(place)]++;
    }

    /** A place has refused a call: it gets none for a while. */
    void refused(Place place) {
        int refused = index(place);
        if (place != Place.DEVICE) {
            shares[DEVICE] += shares[refused];
            shares[refused] = 0;
            credits[refused] = 0;
            knownUntil[refused] = 0;
            probeAt[refused] = window + REFUSED_WINDOWS;
        }
    }

    /** Whether the window is over: then the caller counts the calls that have not ended, and ends it. */
    boolean isOver(long nowNs) {
        return nowNs - windowEnd >= 0;
    }

    /** Ends a window, and moves calls. */
    void endWindow(long nowNs) {
        // After a time without calls there is one window, and not one for each 10 ms.
        windowEnd = nowNs + WINDOW_NS;
        window++;
        for (int place = 0; place < PLACE_COUNT; place++) {
            if (counts[place] > 0) {
                knownUntil[place] = window + KNOWN_WINDOWS;
                delays[place] = sums[place] / counts[place];
                slow[place] = (slow[place] << 1 | (delays[place] > SLOW_NS ? 1 : 0)) & WINDOW_BITS;
            }
        }
        Arrays.fill(sums, 0);
        Arrays.fill(counts, 0);
        anySlow = false;
        for (int place = 0; place < PLACE_COUNT; place++) {
            anySlow |= shares[place] > 0 && slow[place] != 0;
        }
        for (int place = 0; place < PLACE_COUNT; place++) {
            if (shares[place] > 0 && isSlow(place)) {
                leave(place);
                return;
            }
        }
        goBack();
    }

    private boolean isSlow(int place) {
        return Integer.bitCount(slow[place]) >= SLOW_WINDOWS;
    }

    /** Moves calls away from a slow place, if another one is better. */
    private void leave(int place) {
        int best = place;
        for (int other = 0; other < PLACE_COUNT; other++) {
            if (delays[other] < delays[best] && window <= knownUntil[other]) {
                best = other;
            }
        }
        if (best != place && delays[best] <= delays[place] / 3 * 2) {
            move(place, best, delays[place] > VERY_SLOW_NS ? Math.max(TENTH, shares[place] / 2) : TENTH);
        }
    }

    /** Moves calls back to the device, if it is not slow any more. */
    private void goBack() {
        if (Integer.bitCount(slow[DEVICE]) > 0) {
            return;
        }
        for (int place = 0; place < PLACE_COUNT; place++) {
            if (place != DEVICE && shares[place] > 0) {
                move(place, DEVICE, TENTH);
                return;
            }
        }
    }

    private void move(int from, int to, int wanted) {
        int amount = Math.min(wanted, shares[from]);
        shares[from] -= amount;
        shares[to] += amount;
        if (shares[from] == 0) {
            credits[from] = 0;
            probeAt[from] = window + PROBE_WINDOWS;
        }
    }

    /** The share of a place, of {@link #ALL}. */
    int share(Place place) {
        return shares[index(place)];
    }
}
