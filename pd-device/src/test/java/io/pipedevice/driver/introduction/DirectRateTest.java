// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.introduction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.wait.TokenBucket;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectRateTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long RATE = 25_000_000;

    private final DirectRate rate = new DirectRate();
    private long nowNs = -77;

    /** A reading of what was sent at some rate since the last one. */
    private boolean send(double bytesPerSecond, long ns) {
        long since = nowNs;
        nowNs += ns;
        return rate.sent((long) (bytesPerSecond * ns / SECOND_NS), since, nowNs);
    }

    private void settle(long bytesPerSecond) {
        rate.set(bytesPerSecond, nowNs);
        nowNs += 3 * SECOND_NS;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 125_000, RATE, 5_000_000_000L})
    void aProcessThatKeepsToItsRateIsNeverCut(long bytesPerSecond) {
        settle(bytesPerSecond);
        Random random = new Random(7);
        for (int i = 0; i < 1000; i++) {
            // A pause, a burst, and the rate, in any order and read at any time.
            long ns = random.nextLong(10 * SECOND_NS);
            assertFalse(send((double) bytesPerSecond, ns));
            long idle = random.nextLong(10 * SECOND_NS);
            nowNs += idle;
            long burst =
                    Math.min(TokenBucket.burst(bytesPerSecond), (long) (bytesPerSecond * (double) idle / SECOND_NS));
            assertFalse(rate.sent(burst, nowNs, nowNs + 1));
        }
    }

    @Test
    void severalLinksShareTheRate() {
        settle(RATE);
        for (int i = 0; i < 100; i++) {
            long since = nowNs;
            nowNs += 8 * SECOND_NS;
            for (int j = 0; j < 4; j++) {
                assertFalse(rate.sent(2 * RATE, since + j, nowNs + j));
            }
        }
    }

    @Test
    void aProcessThatSendsAFifthMoreIsCutAfterAWhile() {
        settle(RATE);
        int seconds = 0;
        while (!send(1.2 * RATE, SECOND_NS)) {
            assertTrue(++seconds < 10);
        }
        assertTrue(seconds >= 1);
    }

    @Test
    void whatWasSentSoonAfterAChangeIsJudgedByTheLargerRate() {
        settle(4 * RATE);
        rate.set(RATE, nowNs);
        for (int i = 0; i < 3; i++) {
            assertFalse(send(4 * RATE, SECOND_NS));
        }
        assertFalse(send(0.0, SECOND_NS));
        assertTrue(send(4 * RATE, 3 * SECOND_NS));
    }

    @Test
    void nothingIsTooMuchWithoutALimitAndSoonAfterIt() {
        assertFalse(send(1e12, SECOND_NS));
        rate.set(RATE, nowNs);
        assertFalse(send(1e12, SECOND_NS));
        rate.set(0, nowNs);
        assertFalse(send(1e12, 100 * SECOND_NS));
        assertEquals(0, rate.bytesPerSecond());
    }
}
