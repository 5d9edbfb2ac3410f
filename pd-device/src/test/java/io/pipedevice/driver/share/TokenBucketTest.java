// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

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
        long burst = bucket.available(0);
        long taken = 0;
        long now = 0;
        while (now < 2 * SECOND) {
            now += 1 + random.nextInt(3_000_000);
            long available = bucket.available(now);
            int take = (int) Math.min(available, random.nextInt(200_000));
            bucket.take(take);
            taken += take;
            assertTrue(taken <= burst + rate * (now / 1e9) + 1, "more than the rate was given");
        }
    }

    @Test
    void neverHoldsMoreThanABurst() {
        TokenBucket bucket = new TokenBucket(1_000_000, 0);
        long burst = bucket.available(0);
        assertEquals(burst, bucket.available(100 * SECOND));
    }

    @Test
    void saysHowLongToWait() {
        TokenBucket bucket = new TokenBucket(1_000_000, 0);
        bucket.take((int) bucket.available(0));
        long delay = bucket.delayNs();
        assertTrue(delay > 0);
        bucket.available(delay);
        assertTrue(bucket.delayNs() <= 1000, "still " + bucket.delayNs());
    }
}
