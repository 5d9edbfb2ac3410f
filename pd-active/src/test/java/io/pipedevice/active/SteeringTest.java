// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.operation.CallFlags;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Where calls go, by a clock of the test. */
class SteeringTest {
    private static final long FAST = Steering.SLOW_NS / 10;
    private static final long SLOW = Steering.SLOW_NS * 2;
    private static final long VERY_SLOW = Steering.VERY_SLOW_NS * 2;

    private long nowNs;

    /** One for calls that the client cannot run. */
    private Steering withoutClient() {
        Steering steering = new Steering(nowNs);
        steering.refused(Place.CLIENT);
        return steering;
    }

    /** Some windows of calls, which wait as the function says; returns the calls of each place. */
    private Map<Place, Integer> windows(Steering steering, int windows, ToLongFunction<Place> delay) {
        Map<Place, Integer> calls = new EnumMap<>(Place.class);
        for (int i = 0; i < windows; i++) {
            for (int call = 0; call < 1000; call++) {
                Place place = steering.choose();
                steering.waited(place, delay.applyAsLong(place));
                calls.merge(place, 1, Integer::sum);
            }
            nowNs += Steering.WINDOW_NS;
            assertTrue(steering.isOver(nowNs));
            steering.endWindow(nowNs);
        }
        return calls;
    }

    @Test
    void callsStayAtTheDeviceWhileItIsFast() {
        Steering steering = new Steering(nowNs);
        assertEquals(Map.of(Place.DEVICE, 20_000), windows(steering, 20, place -> FAST));
    }

    @Test
    void aTenthLeavesASlowPlaceAfterThreeWindowsAndThenWithEachOne() {
        Steering steering = withoutClient();
        windows(steering, 2, place -> place == Place.DEVICE ? SLOW : FAST);
        assertEquals(Steering.ALL, steering.share(Place.DEVICE));
        windows(steering, 1, place -> place == Place.DEVICE ? SLOW : FAST);
        assertEquals(Steering.ALL / 10, steering.share(Place.HOST));
        windows(steering, 2, place -> place == Place.DEVICE ? SLOW : FAST);
        assertEquals(3 * Steering.ALL / 10, steering.share(Place.HOST));
    }

    @Test
    void halfLeavesAVerySlowPlaceSoThatMostOfItIsElsewhereAfterTenWindows() {
        Steering steering = withoutClient();
        windows(steering, 10, place -> place == Place.DEVICE ? VERY_SLOW : FAST);
        assertTrue(steering.share(Place.HOST) > 9 * Steering.ALL / 10, "host has " + steering.share(Place.HOST));
    }

    @Test
    void callsComeBackWhenTheDeviceIsFastAgain() {
        Steering steering = withoutClient();
        windows(steering, 10, place -> place == Place.DEVICE ? VERY_SLOW : FAST);
        windows(steering, 60, place -> FAST);
        assertEquals(Steering.ALL, steering.share(Place.DEVICE));
    }

    @Test
    void nothingMovesToAPlaceWhereCallsWaitAsLong() {
        Steering steering = new Steering(nowNs);
        windows(steering, 20, place -> SLOW);
        assertEquals(Steering.ALL, steering.share(Place.DEVICE));
    }

    @Test
    void aPlaceThatRefusesGetsNoCallsForAWhile() {
        Steering steering = withoutClient();
        windows(steering, 10, place -> place == Place.DEVICE ? VERY_SLOW : FAST);
        steering.refused(Place.HOST);
        Map<Place, Integer> calls = windows(steering, 20, place -> VERY_SLOW);
        assertEquals(Map.of(Place.DEVICE, 20_000), calls);
    }

    @Test
    void callsAreDividedByTheShares() {
        Steering steering = withoutClient();
        windows(steering, 5, place -> place == Place.DEVICE ? SLOW : FAST);
        int share = steering.share(Place.HOST);
        Map<Place, Integer> calls = windows(steering, 1, place -> FAST);
        assertEquals(share, calls.get(Place.HOST), 1.0);
    }

    @Test
    void theFirstCallsOfAProbeMayBeSlowBecauseTheyWakeTheThreadsOfThePlace() {
        Steering steering = withoutClient();
        int[] probes = {0};
        windows(steering, 3, place -> place == Place.DEVICE ? SLOW : ++probes[0] % 3 == 0 ? FAST : VERY_SLOW);
        assertEquals(Steering.ALL / 10, steering.share(Place.HOST));
    }

    @Test
    void aPlaceThatStandsStillIsProbedWithOneCallAtATimeAndSeldom() {
        Steering steering = withoutClient();
        windows(steering, 10, place -> place == Place.DEVICE ? VERY_SLOW : FAST);
        int probes = 0;
        int outstanding = 0;
        for (int window = 0; window < 200; window++) {
            for (int call = 0; call < 50; call++) {
                Place place = steering.choose();
                if (place == Place.DEVICE) {
                    probes++;
                    outstanding++;
                } else {
                    steering.waited(place, FAST);
                }
            }
            for (int each = 0; each < outstanding; each++) {
                steering.waited(Place.DEVICE, Steering.WINDOW_NS);
            }
            // Each probe ends after half a second.
            outstanding = window % 50 == 0 ? 0 : outstanding;
            nowNs += Steering.WINDOW_NS;
            steering.endWindow(nowNs);
        }
        assertTrue(probes > 0 && probes <= 4, "probes " + probes);
    }

    @Test
    void callsLeaveTheSlowestPlaceFirst() {
        Steering steering = new Steering(nowNs);
        ToLongFunction<Place> delays = place -> place == Place.DEVICE ? SLOW : place == Place.CLIENT ? FAST : VERY_SLOW;
        windows(steering, 5, delays);
        int client = steering.share(Place.CLIENT);
        assertTrue(client > 0, "nothing has left the device");
        windows(steering, 10, place -> place == Place.CLIENT ? SLOW : VERY_SLOW);
        assertTrue(steering.share(Place.CLIENT) > client, "calls stay at the device, which is slower");
    }

    @Test
    void theEndsOfEarlierCallsDoNotUndoARefusal() {
        Steering steering = withoutClient();
        windows(steering, 10, place -> place == Place.DEVICE ? VERY_SLOW : FAST);
        steering.waited(Place.HOST, FAST);
        steering.refused(Place.HOST);
        for (int i = 0; i < 5; i++) {
            steering.waited(Place.HOST, FAST);
            assertEquals(Map.of(Place.DEVICE, 1000), windows(steering, 1, place -> VERY_SLOW));
        }
    }

    @Test
    void aPlaceWhereACallHadNoTimeToBeginIsSlowHoweverShortTheTimeWas() {
        OutstandingCall call = new OutstandingCall();
        call.limit = CallFlags.limit(5000);
        CallCompletion end = new CallCompletion();
        end.status = Status.TIME;
        end.delayNs = 5000;
        assertTrue(call.waitedNs(end) > Steering.VERY_SLOW_NS);
        end.delayNs = 3000;
        assertEquals(3000, call.waitedNs(end));
        end.status = Status.OK;
        end.delayNs = 6000;
        assertEquals(6000, call.waitedNs(end));
    }
}
