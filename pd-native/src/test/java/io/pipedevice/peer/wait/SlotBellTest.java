// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.peer.protocol.LinkMemory;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SlotBellTest {
    private static final int RUNG = 64;
    private static final long FOREVER = Long.MAX_VALUE;
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int ROUNDS = 20_000;

    private final LinkMemory memory = new LinkMemory(Arena.global().allocate(4096, 4096));
    private final SlotBell bell = new SlotBell(memory, RUNG);
    private volatile int published;
    private volatile boolean armed;

    /** Sleeps as a waiting thread does, until more is published. */
    private int await(int taken, long nanos) throws PdException {
        try {
            while (true) {
                bell.prepare();
                armed = true;
                VarHandle.fullFence();
                int now = published;
                if (now != taken) {
                    return now;
                }
                bell.sleep(nanos);
            }
        } finally {
            armed = false;
            bell.rest();
        }
    }

    private FutureTask<Integer> startSleeper() {
        FutureTask<Integer> sleeper = new FutureTask<>(() -> {
            int taken = 0;
            while (taken >= 0 && taken < ROUNDS) {
                taken = await(taken, taken % 2 == 0 ? FOREVER : MINUTE_NS);
            }
            return taken;
        });
        Thread.ofPlatform().start(sleeper);
        return sleeper;
    }

    private static void delay(SplittableRandom random) {
        for (int i = random.nextInt(3000); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    @Test
    void noRingOfAPeerIsLost() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        FutureTask<Integer> sleeper = startSleeper();
        for (int i = 1; i <= ROUNDS; i++) {
            delay(random);
            published = i;
            VarHandle.fullFence();
            if (armed) {
                SlotBell.ring(memory, RUNG);
            }
        }
        assertTrue(sleeper.get() == ROUNDS);
    }

    @Test
    void noSignalOfAnotherThreadIsLost() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        FutureTask<Integer> sleeper = startSleeper();
        for (int i = 1; i <= ROUNDS; i++) {
            delay(random);
            published = i;
            bell.signal();
        }
        assertTrue(sleeper.get() == ROUNDS);
    }

    @Test
    void aSleepEndsAfterItsTime() throws Exception {
        bell.prepare();
        long start = System.nanoTime();
        bell.sleep(TimeUnit.MILLISECONDS.toNanos(20));
        assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(20));
        bell.rest();
    }

    @Test
    void aSignalToAThreadThatIsAwakeReturnsAtOnce() {
        bell.signal();
        bell.prepare();
        bell.rest();
        bell.signal();
    }

    @Test
    void ringsWithoutNeedOnlyWakeTheThread() throws Exception {
        FutureTask<Integer> sleeper = startSleeper();
        for (int i = 0; i < 1000; i++) {
            SlotBell.ring(memory, RUNG);
        }
        published = ROUNDS;
        bell.signal();
        assertTrue(sleeper.get() == ROUNDS);
    }
}
