// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Chooses the places of the calls of one function. For each place it measures how long calls wait, in windows of 10 ms;
 * the age of a call that has not ended counts, too, so that a place that stands still is seen. A place that was slow in
 * three of the last five windows loses a tenth of all calls, or half of its own if it is very slow, to the one where
 * calls wait least. While a place is slow, those without calls are {@linkplain PlaceDelay probed} now and then; so is
 * the device while all calls are elsewhere. When the device is no longer slow, calls move back to it. Used by one
 * thread; times are the caller's.
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
    private static final Place[] PLACES = {Place.CLIENT, Place.DEVICE, Place.HOST};
    private static final int PLACE_COUNT = PLACES.length;
    private static final int DEVICE = 1;

    /** Indexed by place, as all others. */
    private final int[] shares = new int[PLACE_COUNT];

    private final int[] credits = new int[PLACE_COUNT];
    private final PlaceDelay[] delays = new PlaceDelay[PLACE_COUNT];

    /** Whether a place with calls was slow in one of the last windows. */
    private boolean anySlow;

    private long window;
    private long windowEnd;

    /** Begins with all calls at the device. */
    Steering(long nowNs) {
        Arrays.setAll(delays, place -> new PlaceDelay());
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
            if (asked && shares[place] == 0 && delays[place].beginProbe(window)) {
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

    /** A call has begun, or has not ended for some time. */
    void waited(Place place, long delayNs) {
        delays[index(place)].waited(delayNs);
    }

    /** A place has refused a call: it gets none for a while. */
    void refused(Place place) {
        int refused = index(place);
        if (place != Place.DEVICE) {
            shares[DEVICE] += shares[refused];
            shares[refused] = 0;
            credits[refused] = 0;
            delays[refused].refused(window);
        }
    }

    /** The place that was chosen cannot be probed yet. */
    void putProbeOff(Place place) {
        delays[index(place)].putProbeOff(window);
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
        anySlow = false;
        for (int place = 0; place < PLACE_COUNT; place++) {
            delays[place].endWindow(window, shares[place] > 0);
            anySlow |= shares[place] > 0 && delays[place].wasSlow();
        }
        int slowest = slowest();
        if (slowest >= 0) {
            leave(slowest);
        } else {
            goBack();
        }
    }

    /** The place with calls where they wait longest, if it is slow; -1 if none is. */
    private int slowest() {
        int slowest = -1;
        for (int place = 0; place < PLACE_COUNT; place++) {
            boolean slow = shares[place] > 0 && delays[place].isSlow();
            if (slow && (slowest < 0 || delays[place].delayNs() > delays[slowest].delayNs())) {
                slowest = place;
            }
        }
        return slowest;
    }

    /** Moves calls away from a slow place, if another one is better. */
    private void leave(int place) {
        int best = place;
        for (int other = 0; other < PLACE_COUNT; other++) {
            if (delays[other].delayNs() < delays[best].delayNs() && delays[other].isKnown(window)) {
                best = other;
            }
        }
        if (best != place && delays[best].delayNs() <= delays[place].delayNs() / 3 * 2) {
            move(place, best, delays[place].isVerySlow() ? Math.max(TENTH, shares[place] / 2) : TENTH);
        }
    }

    /** Moves calls back to the device, if it is not slow any more. */
    private void goBack() {
        if (delays[DEVICE].wasSlow()) {
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
            delays[from].left(window);
        }
    }

    /** The share of a place, of {@link #ALL}. */
    int share(Place place) {
        return shares[index(place)];
    }
}
