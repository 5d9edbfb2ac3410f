// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenBucketTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    void limitsNothingWithoutARate() {
        TokenBucket bucket = new TokenBucket(TokenBucket.UNLIMITED, 0);
        bucket.take(Integer.MAX_VALUE);
        assertEquals(Long.MAX_VALUE, bucket.available(1));
    }

    @Test
    void givesTheRateWhateverTheStepsOfTime() {
        long seed = System.nanoTime();
        System.out.println("TokenBucketTest seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        long rate = 50_000_000;
        TokenBucket bucket = new TokenBucket(rate, 0);
        long first = bucket.available(0);
        long taken = 0;
        long now = 0;
        while (now < 2 * SECOND) {
            now += 1 + random.nextInt(3_000_000);
            long available = bucket.available(now);
            int take = (int) Math.min(available, random.nextInt(200_000));
            bucket.take(take);
            taken += take;
            assertTrue(taken <= first + rate * (now / 1e9) + 1, "more than the rate was given");
        }
    }

    @Test
    void whatWasTakenBeyondTheRateIsPaidBackBeforeMoreIsAvailable() {
        long rate = 1_000_000;
        TokenBucket bucket = new TokenBucket(rate, 0);
        bucket.take(bucket.available(0) + 1_000_000);
        assertEquals(0, bucket.available(SECOND / 2));
        assertTrue(bucket.delayNs(SECOND / 2) > SECOND / 2);
        assertEquals(0, bucket.available(SECOND));
        assertEquals(50_000, bucket.available(SECOND + SECOND / 20));
    }

    @Test
    void neverHoldsMoreThanABurst() {
        long rate = 100_000_000;
        TokenBucket bucket = new TokenBucket(rate, 0);
        assertEquals(rate / 20, bucket.available(100 * SECOND));
    }

    @Test
    void losesNothingHoweverOftenItIsRead() {
        long rate = 1_250_000;
        TokenBucket bucket = new TokenBucket(rate, 0);
        bucket.take(bucket.available(0));
        long taken = 0;
        long now = 0;
        for (; now <= SECOND; now += 1500) {
            int available = (int) bucket.available(now);
            bucket.take(available);
            taken += available;
        }
        now += bucket.delayNs(now);
        double earned = rate * (now / 1e9);
        assertEquals(earned, (double) taken + bucket.available(now), 2);
    }

    @Test
    void givesTheRateIfEachPauseEndsLate() {
        for (long rate : new long[] {100_000, 10_000_000, 5_000_000_000L}) {
            TokenBucket bucket = new TokenBucket(rate, 0);
            bucket.take(bucket.available(0));
            long taken = 0;
            long now = 0;
            while (now < 10 * SECOND) {
                now += 2 * bucket.delayNs(now);
                int available = (int) bucket.available(now);
                bucket.take(available);
                taken += available;
            }
            double earned = rate * (now / 1e9);
            assertEquals(1, taken / earned, 1e-3);
        }
    }

    /** The path device would pause for 6.5 s at 10 kB/s if a pause were as long as 64 KB take. */
    @ParameterizedTest
    @CsvSource({"10_000, 50, 100", "1_000_000, 50, 100", "5_000_000_000, 4, 50"})
    void aPauseAndABurstAreShort(String bytesPerSecond, long pauseMs, long burstMs) {
        long rate = Long.parseLong(bytesPerSecond.replace("_", ""));
        TokenBucket bucket = new TokenBucket(rate, 0);
        bucket.take(bucket.available(0));
        assertEquals(pauseMs, TimeUnit.NANOSECONDS.toMillis(bucket.delayNs(0)));
        long burst = burstMs * rate / 1000;
        assertEquals(burst, bucket.available(100 * SECOND));
        assertTrue(Math.abs(burst - TokenBucket.burst(rate)) <= 1);
    }

    @Test
    void reportsHowLongToWait() {
        TokenBucket bucket = new TokenBucket(1_000_000, 0);
        bucket.take(bucket.available(0));
        long delay = bucket.delayNs(0);
        assertTrue(delay > 0);
        assertTrue(bucket.delayNs(delay - 1000) > 0);
        assertEquals(0, bucket.delayNs(delay));
    }
}
