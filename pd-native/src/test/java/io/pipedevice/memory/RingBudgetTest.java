// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RingBudgetTest {
    private static final int KB64 = 64 << 10;
    private static final int MB = 1 << 20;
    private static final long HELD_NS = 10_000;

    private final ArrayDeque<Runnable> later = new ArrayDeque<>();
    private final RingBudget budget = new RingBudget(8 * MB, later::add);
    private final List<String> woken = new ArrayList<>();

    private RingBudget.Waiter waiter(String name) {
        return () -> woken.add(name);
    }

    private void runLater() {
        while (!later.isEmpty()) {
            later.poll().run();
        }
    }

    @Test
    void theDefaultIsAnEighthOfTheMemoryAndSixteenMegabytesAtLeast() {
        assertEquals(50L << 20, RingBudget.configured(null, 400L << 20));
        assertEquals(16L << 20, RingBudget.configured(null, 64L << 20));
    }

    @Test
    void theBudgetIsASizeOrAPercentage() {
        assertEquals(3L << 20, RingBudget.configured("3m", 400L << 20));
        assertEquals(2L << 30, RingBudget.configured(" 2G ", 400L << 20));
        assertEquals(100L << 20, RingBudget.configured("25%", 400L << 20));
        assertEquals(1L << 20, RingBudget.configured("1%", 1L << 20));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "0%", "101%", "-1%", "12.5%", "many", "0", "1023k", "-5m", "9999999999999g"})
    void anotherValueIsRefusedWithTheAllowedOnes(String value) {
        String message = assertThrows(IllegalArgumentException.class, () -> RingBudget.configured(value, 400L << 20))
                .getMessage();
        assertEquals(
                "pipedevice.rings.max = " + value
                        + "; allowed: 1m and more, with k, m or g, or 1% to 100% of the memory limit",
                message);
    }

    @Test
    void aRingTakesAnEighthOfWhatIsFreeSoThatTheOthersGrowToo() {
        assertEquals(MB, budget.takePart(4 * MB, KB64, null));
        assertEquals(512 << 10, budget.takePart(4 * MB, KB64, null));
        int rings = 2;
        while (budget.takePart(4 * MB, KB64, null) > 0) {
            rings++;
        }
        assertTrue(rings > 20, rings + " connections have larger rings");
        assertTrue(budget.used() > 7 * MB, budget.used() + " bytes");
        assertTrue(budget.take(400 << 10), "something is left for the first rings of others");
        assertFalse(budget.take(400 << 10));
        budget.add(400 << 10);
        assertEquals(0, budget.takePart(KB64, KB64, null));
    }

    @Test
    void whatIsGivenBackWakesThoseThatFindMemoryInTheirTurn() {
        budget.add(8 * MB - 8 * KB64 + 1);
        assertEquals(0, budget.takePart(MB, KB64, waiter("a")));
        assertEquals(0, budget.takePart(MB, KB64, waiter("b")));
        assertEquals(0, budget.takePart(4 * MB, MB, waiter("large")));
        runLater();
        assertEquals(List.of(), woken);
        budget.release(1);
        assertEquals(1, later.size());
        later.poll().run();
        assertEquals(List.of("a"), woken);
        assertEquals(KB64, budget.takePart(MB, KB64, null));
        runLater();
        assertEquals(List.of("a"), woken);
        budget.release(8 * MB - 8 * KB64);
        runLater();
        assertEquals(List.of("a", "b"), woken, "for the large one there is not enough yet");
        budget.release(KB64);
        runLater();
        assertEquals(List.of("a", "b", "large"), woken);
        assertEquals(0, budget.used());
    }

    @Test
    void whatOneDoesNotTakeIsForTheNext() {
        budget.add(8 * MB);
        budget.takePart(MB, KB64, waiter("a"));
        budget.takePart(MB, KB64, waiter("b"));
        budget.release(8 * KB64);
        runLater();
        assertEquals(List.of("a", "b"), woken);
    }

    @Test
    void aRemovedWaiterIsNotWoken() {
        budget.add(8 * MB);
        RingBudget.Waiter waiter = waiter("a");
        budget.takePart(MB, KB64, waiter);
        budget.forget(waiter);
        budget.release(8 * MB);
        runLater();
        assertEquals(List.of(), woken);
    }

    @Test
    void theMonitorSeesWhatIsInUseAndWhatWasRefused() {
        long[] seen = new long[3];
        budget.add(5);
        budget.monitor(new RingBudget.Monitor() {
            @Override
            public void most(long most) {
                seen[0] = most;
            }

            @Override
            public void used(long change) {
                seen[1] += change;
            }

            @Override
            public void refused() {
                seen[2]++;
            }
        });
        budget.add(7);
        budget.release(2);
        budget.takePart(4 * MB, 4 * MB, null);
        budget.take(9 * MB);
        assertEquals(8 * MB, seen[0]);
        assertEquals(10, seen[1]);
        assertEquals(2, seen[2]);
    }

    /** Each thread has at most one ring, and waits for one if it is refused, as a stream that nobody reads does. */
    @Test
    void nothingIsLostBetweenThreads() throws Exception {
        int threads = 8;
        int rounds = 500;
        RingBudget shared = new RingBudget(9 * KB64);
        AtomicInteger waits = new AtomicInteger();
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<Void>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Random random = new Random(i);
                Callable<Void> task = () -> {
                    Semaphore memory = new Semaphore(0);
                    for (int round = 0; round < rounds; round++) {
                        long taken = shared.takePart(KB64 << random.nextInt(3), KB64, memory::release);
                        if (taken == 0) {
                            waits.incrementAndGet();
                            memory.acquire();
                        } else {
                            assertTrue(shared.used() <= shared.most());
                            LockSupport.parkNanos(HELD_NS);
                            shared.release(taken);
                        }
                    }
                    return null;
                };
                all.add(executor.submit(task));
            }
            for (Future<Void> each : all) {
                each.get();
            }
        }
        assertEquals(0, shared.used());
        assertTrue(waits.get() > 0, "no thread had to wait");
    }
}
