// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.SpinMode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpinPolicyTest {
    private static final long UNMEASURED_NS = 50_000;
    private static final long MOST_NS = UNMEASURED_NS + UNMEASURED_NS / 2;

    private long costNs = UNMEASURED_NS;

    private final Spinners spinners = new Spinners(1);

    private int threads;
    private final Processors processors = new Processors(() -> threads, 2);

    /** A policy that no real preemption of the test changes. */
    private final SpinPolicy adaptive =
            SpinPolicy.byCost(SpinMode.ADAPTIVE, () -> costNs, Long.MAX_VALUE, spinners, processors);

    private int looks;

    @AfterEach
    void clearProperty() {
        System.clearProperty(SpinMode.PROPERTY);
    }

    private boolean never() {
        looks++;
        return false;
    }

    /** A condition that fails the given number of times; after one failure the spin has not checked its budget yet. */
    private SpinPolicy.Look after(int count) {
        looks = 0;
        return () -> ++looks > count;
    }

    @Test
    void aSpinThatDoesNotPayHalvesTheNext() {
        assertEquals(MOST_NS, adaptive.budgetNs());
        assertFalse(adaptive.spin(this::never, 16, Long.MAX_VALUE));
        assertEquals(MOST_NS / 2, adaptive.budgetNs());
        for (int i = 0; i < 20; i++) {
            assertFalse(adaptive.spin(this::never, 16, Long.MAX_VALUE));
        }
        assertEquals(MOST_NS >> 5, adaptive.budgetNs());
    }

    @Test
    void oneThatPaysDoublesIt() {
        adaptive.spin(this::never, 16, Long.MAX_VALUE);
        adaptive.spin(this::never, 16, Long.MAX_VALUE);
        assertTrue(adaptive.spin(after(1), 16, Long.MAX_VALUE));
        assertEquals(MOST_NS / 2, adaptive.budgetNs());
        assertTrue(adaptive.spin(after(1), 16, Long.MAX_VALUE));
        assertTrue(adaptive.spin(after(1), 16, Long.MAX_VALUE));
        assertEquals(MOST_NS, adaptive.budgetNs(), "never more than about what a wake-up costs");
    }

    @Test
    void aSpinAmongTooManyEndsSoonAndChangesNothing() {
        costNs = TimeUnit.SECONDS.toNanos(10);
        SpinPolicy policy = SpinPolicy.byCost(SpinMode.ADAPTIVE, () -> costNs, Long.MAX_VALUE, spinners, processors);
        long before = policy.budgetNs();
        spinners.enter(System.nanoTime());
        long begin = System.nanoTime();
        assertFalse(policy.spin(this::never, 16, Long.MAX_VALUE));
        assertTrue(System.nanoTime() - begin < costNs);
        assertEquals(before, policy.budgetNs());
    }

    @Test
    void whileOtherThreadsWantTheProcessorsSpinsInVainBecomeSeldom() {
        threads = 3;
        int spins = 0;
        for (int i = 0; i < 1000; i++) {
            looks = 0;
            assertFalse(adaptive.spin(this::never, 16, Long.MAX_VALUE));
            spins += looks > 2 ? 1 : 0;
        }
        assertTrue(spins < 1000 / ShortSpin.SELDOM + 8, spins + " spins");
        assertTrue(spins >= 1000 / ShortSpin.SELDOM - 1, spins + " spins");
        assertEquals(MOST_NS, adaptive.budgetNs());
    }

    @Test
    void whileOtherThreadsWantTheProcessorsSpinsThatPayGoOn() {
        threads = 3;
        for (int i = 0; i < 1000; i++) {
            assertFalse(adaptive.spin(this::never, 16, Long.MAX_VALUE));
        }
        int paid = 0;
        for (int i = 0; i < 10 * ShortSpin.SELDOM; i++) {
            paid += adaptive.spin(after(3), 16, Long.MAX_VALUE) ? 1 : 0;
        }
        assertTrue(paid > 7 * ShortSpin.SELDOM, paid + " spins");
    }

    @Test
    void aSpinWhileOtherThreadsWantTheProcessorsIsShort() {
        threads = 3;
        costNs = TimeUnit.SECONDS.toNanos(10);
        SpinPolicy policy = SpinPolicy.byCost(SpinMode.ADAPTIVE, () -> costNs, Long.MAX_VALUE, spinners, processors);
        long begin = System.nanoTime();
        assertFalse(policy.spin(this::never, 16, Long.MAX_VALUE));
        assertTrue(looks > 2, looks + " looks");
        assertTrue(System.nanoTime() - begin < costNs);
    }

    @Test
    void aSpinEndsWhenOtherThreadsWantTheProcessors() {
        costNs = TimeUnit.SECONDS.toNanos(10);
        SpinPolicy policy = SpinPolicy.byCost(SpinMode.ADAPTIVE, () -> costNs, Long.MAX_VALUE, spinners, processors);
        long before = policy.budgetNs();
        long begin = System.nanoTime();
        assertFalse(policy.spin(
                () -> {
                    threads = 3;
                    return false;
                },
                16,
                Long.MAX_VALUE));
        assertTrue(System.nanoTime() - begin < costNs);
        assertEquals(before, policy.budgetNs());
    }

    @Test
    void aSpinIsCountedOnlyWhileItLasts() {
        for (int i = 0; i < 10; i++) {
            assertFalse(adaptive.spin(this::never, 16, Long.MAX_VALUE));
        }
        long now = System.nanoTime();
        spinners.enter(now);
        assertFalse(spinners.isCrowded(now));
    }

    @Test
    void readinessBeforeTheSpinLeavesTheSpinBudget() {
        adaptive.spin(this::never, 16, Long.MAX_VALUE);
        assertTrue(adaptive.spin(after(0), 16, Long.MAX_VALUE));
        assertEquals(MOST_NS / 2, adaptive.budgetNs());
    }

    @Test
    void aSleepThatASpinWouldHaveSavedGivesBackMoreThanWasLost() {
        adaptive.spin(this::never, 16, Long.MAX_VALUE);
        adaptive.spin(this::never, 16, Long.MAX_VALUE);
        adaptive.slept(UNMEASURED_NS + MOST_NS);
        assertEquals(MOST_NS / 4, adaptive.budgetNs());
        adaptive.slept(UNMEASURED_NS + MOST_NS - 1);
        assertEquals(MOST_NS, adaptive.budgetNs());
    }

    @Test
    void theBoundIsAboutWhatAWakeUpCosts() {
        costNs = 8000;
        assertTrue(adaptive.spin(after(1), 16, Long.MAX_VALUE));
        assertEquals(12_000, adaptive.budgetNs());
    }

    @Test
    void aConfiguredSpinShrinksAndGrowsWithinItsBound() {
        SpinPolicy upTo = SpinPolicy.upTo(MOST_NS);
        assertFalse(upTo.spin(this::never, 8, Long.MAX_VALUE));
        assertEquals(MOST_NS / 2, upTo.budgetNs());
        for (int i = 0; i < 10; i++) {
            assertTrue(upTo.spin(after(1), 8, Long.MAX_VALUE));
        }
        assertEquals(MOST_NS, upTo.budgetNs());
    }

    @Test
    void aConfiguredSpinGrowsAfterASleepThatALongerSpinWouldHaveSaved() {
        SpinPolicy upTo = SpinPolicy.upTo(MOST_NS);
        assertTrue(upTo.measures());
        for (int i = 0; i < 3; i++) {
            assertFalse(upTo.spin(this::never, 8, Long.MAX_VALUE));
        }
        assertEquals(MOST_NS / 8, upTo.budgetNs());
        upTo.slept(2 * MOST_NS);
        assertEquals(MOST_NS / 8, upTo.budgetNs());
        upTo.slept(2 * MOST_NS - 1);
        assertEquals(MOST_NS / 2, upTo.budgetNs());
    }

    @Test
    void aConfiguredSpinOfNoTimeIsOneLook() {
        assertFalse(SpinPolicy.upTo(0).spin(this::never, 8, Long.MAX_VALUE));
        assertEquals(1, looks);
    }

    @Test
    void aThreadOnItsPeersProcessorLooksOnce() {
        assertFalse(adaptive.spin(new NeverButHere(), 16, Long.MAX_VALUE));
        assertEquals(1, looks);
        assertEquals(MOST_NS, adaptive.budgetNs(), "says nothing about spins");
    }

    @Test
    void aSpinThatWasPreemptedIsTheLastForAWhile() throws InterruptedException {
        SpinPolicy sensitive =
                SpinPolicy.byCost(SpinMode.ADAPTIVE, () -> costNs, SpinPolicy.PREEMPTED_NS, spinners, processors);
        long begin = System.nanoTime();
        assertFalse(sensitive.spin(new Preempted(), 16, Long.MAX_VALUE));
        looks = 0;
        assertFalse(sensitive.spin(this::never, 16, Long.MAX_VALUE));
        boolean isPause = System.nanoTime() - begin < 10_000_000;
        assertTrue(looks == 1 || !isPause, looks + " looks");
        do {
            Thread.sleep(5);
            looks = 0;
            assertFalse(sensitive.spin(this::never, 16, Long.MAX_VALUE));
        } while (looks == 1);
    }

    /** Plays a preemption: the kernel seems to run another thread between two looks. */
    private static final class Preempted implements SpinPolicy.Look {
        private int looks;

        @Override
        public boolean isReady() {
            if (++looks == 3) {
                long end = System.nanoTime() + 1_000_000;
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
            }
            return false;
        }
    }

    @Test
    void slowLooksAreFew() {
        adaptive.spin(
                () -> {
                    looks++;
                    long end = System.nanoTime() + 50_000;
                    while (System.nanoTime() < end) {
                        Thread.onSpinWait();
                    }
                    return false;
                },
                16,
                Long.MAX_VALUE);
        assertTrue(looks <= 3, looks + " looks of 50 us within " + MOST_NS + " ns");
    }

    private final class NeverButHere implements SpinPolicy.Look {
        @Override
        public boolean isReady() {
            return never();
        }

        @Override
        public boolean sharesProcessor() {
            return true;
        }
    }

    @Test
    void forbiddenIsOneLook() {
        assertFalse(SpinPolicy.byCost(SpinMode.NEVER, () -> costNs).spin(this::never, 16, Long.MAX_VALUE));
        assertEquals(1, looks);
    }

    @Test
    void alwaysIsUntilThereIsSomething() {
        SpinPolicy always = SpinPolicy.byCost(SpinMode.ALWAYS, () -> costNs);
        assertTrue(always.spin(after(50_000), 16, Long.MAX_VALUE));
        assertFalse(always.spin(this::never, 16, 1));
    }

    @Test
    void thePropertyChooses() {
        assertEquals(
                Runtime.getRuntime().availableProcessors() == 1 ? SpinMode.NEVER : SpinMode.ADAPTIVE,
                SpinMode.configured());
        System.setProperty(SpinMode.PROPERTY, "always");
        assertEquals(SpinMode.ALWAYS, SpinMode.configured());
        System.setProperty(SpinMode.PROPERTY, "never");
        assertEquals(SpinMode.NEVER, SpinMode.configured());
    }

    @Test
    void refusalNamesThePropertyAndWhatIsAllowed() {
        System.setProperty(SpinMode.PROPERTY, "Always");
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, SpinMode::configured);
        assertEquals("pipedevice.spin = Always; allowed: adaptive, never, always", e.getMessage());
    }
}
