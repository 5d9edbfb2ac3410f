// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import static io.pipedevice.device.emulator.EmulatorFixture.await;
import static io.pipedevice.device.emulator.EmulatorFixture.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class EngineThreadTest {
    private static final long SECOND = 1_000_000_000L;

    private static DmaEmulator.Context context() {
        return new DmaEmulator.Context();
    }

    private static Thread engine() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(EngineThread.ROLE_NAME))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isParked() {
        Thread engine = engine();
        return engine.getState() == Thread.State.WAITING && LockSupport.getBlocker(engine) != null;
    }

    /** Waits for a completion as a driver does: polls, requests an interrupt, sleeps. */
    private static void takeOne(EmulatorFixture fixture, DeviceLane lane, Semaphore doorbell)
            throws InterruptedException {
        while (!lane.complete(fixture.completion)) {
            if (lane.requestInterrupt()) {
                assertTrue(doorbell.tryAcquire(10, TimeUnit.SECONDS), "the interrupt was lost");
            }
        }
        lane.flushCompletions();
    }

    @Test
    void executesWithoutBeingPolled() throws IOException {
        try (EmulatorFixture fixture = new EmulatorFixture(context()).start()) {
            fixture.submit(fixture.lane(), 0, 1000);
            List<Integer> entries = new ArrayList<>();
            await("1000 completions", () -> {
                assertEquals(0, fixture.emulator.poll());
                return entries.addAll(fixture.completions(fixture.lane())) && entries.size() == 1000;
            });
            assertEquals(range(0, 1000), entries);
            assertThrows(IllegalStateException.class, () -> EngineThread.start(fixture.emulator));
            fixture.stop();
            assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.copy(0, 64, 1)), "polled again");
        }
    }

    @Test
    void usesNoCpuWhenIdle() throws IOException {
        try (EmulatorFixture fixture = new EmulatorFixture(context()).start()) {
            fixture.submit(fixture.lane(), 0, 1);
            await("sleep", EngineThreadTest::isParked);
            long id = engine().threadId();
            long before = ManagementFactory.getThreadMXBean().getThreadCpuTime(id);
            LockSupport.parkNanos(SECOND / 2);
            long used = ManagementFactory.getThreadMXBean().getThreadCpuTime(id) - before;
            assertTrue(used < SECOND / 200, () -> used + " ns in half a second");
        }
    }

    @Test
    void losesNoWakeUpInEitherDirection() throws IOException, InterruptedException {
        long seed = System.nanoTime();
        System.out.println("EngineThreadTest seed " + seed);
        Random random = new Random(seed);
        Semaphore doorbell = new Semaphore(0);
        try (EmulatorFixture fixture = new EmulatorFixture(context().queueDepth(16)).start()) {
            fixture.emulator.onInterrupt(doorbell::release);
            DeviceLane lane = fixture.lane();
            for (int i = 0; i < 20_000; i++) {
                int burst = 1 + random.nextInt(3);
                fixture.submit(lane, 0, burst);
                for (int k = 0; k < burst; k++) {
                    takeOne(fixture, lane, doorbell);
                }
                for (int k = random.nextInt(400); k > 0; k--) {
                    Thread.onSpinWait();
                }
            }
            assertEquals(0, lane.outstanding());
        }
    }

    @Test
    void copiesRandomPiecesCorrectly() throws IOException, InterruptedException {
        long seed = System.nanoTime();
        System.out.println("EngineThreadTest seed " + seed);
        Random random = new Random(seed);
        Semaphore doorbell = new Semaphore(0);
        try (EmulatorFixture fixture = new EmulatorFixture(
                        context().lanes(3).queueDepth(64).cqThreshold(5).sqThreshold(7))
                .start()) {
            fixture.emulator.onInterrupt(doorbell::release);
            int piece = 4096;
            for (int lap = 0; lap < 200; lap++) {
                int count = 1 + random.nextInt(64);
                fixture.destination.fill((byte) 0);
                int[] from = new int[count];
                int[] length = new int[count];
                int[] next = new int[3];
                for (int i = 0; i < count; i++) {
                    from[i] = random.nextInt(EmulatorFixture.SIZE - piece);
                    length[i] = 1 + random.nextInt(piece);
                    long to = fixture.destinationMapping.address() + (long) i * piece;
                    fixture.submit(
                            fixture.emulator.lane(i % 3),
                            fixture.copy(fixture.sourceMapping.address() + from[i], to, length[i], i));
                }
                for (int lane = 0; lane < 3; lane++) {
                    fixture.emulator.lane(lane).flush();
                }
                for (int i = 0; i < count; i++) {
                    int lane = i % 3;
                    takeOne(fixture, fixture.emulator.lane(lane), doorbell);
                    assertEquals(next[lane]++ * 3 + lane, fixture.completion.entrySequence());
                    MemorySegment copied = fixture.destination.asSlice((long) i * piece, length[i]);
                    assertEquals(-1, copied.mismatch(fixture.source.asSlice(from[i], length[i])));
                }
            }
        }
    }

    @Test
    void wakesForAReleasedStallAndForRoomInTheCompletionQueue() throws IOException {
        FaultPlan plan = new FaultPlan();
        try (EmulatorFixture fixture =
                new EmulatorFixture(plan.emulator(context().queueDepth(4))).start()) {
            DeviceLane lane = fixture.lane();
            // A turn that began before the stall would still take commands.
            await("sleep before the stall", EngineThreadTest::isParked);
            plan.stall();
            plan.duplicate(1).duplicate(2).duplicate(3).duplicate(4);
            fixture.submit(lane, 0, 4);
            await("sleep in the stall", EngineThreadTest::isParked);
            assertFalse(lane.complete(fixture.completion));
            plan.release();
            List<Integer> entries = new ArrayList<>();
            await("the duplicates that fit", () -> entries.addAll(fixture.completions(lane)) && entries.size() >= 4);
            await("the rest", () -> {
                entries.addAll(fixture.completions(lane));
                return entries.contains(3);
            });
        }
    }

    @Test
    void resetStopsTheEngineWhileItWorks() throws IOException {
        try (EmulatorFixture fixture = new EmulatorFixture(context()).start()) {
            for (int lap = 0; lap < 500; lap++) {
                fixture.submit(fixture.lane(), 0, 500);
                fixture.emulator.reset();
                boolean wasReset = false;
                for (int i = 0; i < 500; i++) {
                    assertTrue(fixture.lane().complete(fixture.completion));
                    assertEquals(i, fixture.completion.entrySequence());
                    boolean isReset = fixture.completion.tag() == CommandType.STATUS_RESET;
                    assertTrue(isReset || !wasReset, "executed after the reset");
                    wasReset = isReset;
                }
                assertFalse(fixture.lane().complete(fixture.completion));
                fixture.lane().flushCompletions();
            }
        }
    }

    @Test
    void touchesNoMemoryAfterItIsUnmapped() throws IOException {
        try (EmulatorFixture fixture = new EmulatorFixture(context()).start();
                Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(64 << 10);
            MemorySegment expected = arena.allocate(64 << 10);
            for (int lap = 0; lap < 200; lap++) {
                DeviceMapping mapping = fixture.emulator.map(memory, DeviceMapping.Access.WRITE);
                for (int i = 0; i < 100; i++) {
                    fixture.submit(
                            fixture.lane(),
                            fixture.copy(fixture.sourceMapping.address() + 1, mapping.address(), 64 << 10, i));
                }
                fixture.lane().flush();
                mapping.close();
                memory.fill((byte) lap);
                int[] taken = new int[1];
                await("completions", () -> {
                    taken[0] += fixture.completions(fixture.lane()).size();
                    return taken[0] == 100;
                });
                assertEquals(-1, memory.mismatch(expected.fill((byte) lap)));
            }
        }
    }

    @Test
    void survivesMemoryThatIsClosedWhileItCopies() throws IOException {
        try (EmulatorFixture fixture = new EmulatorFixture(context()).start()) {
            for (int lap = 0; lap < 200; lap++) {
                Arena arena = Arena.ofShared();
                try (DeviceMapping mapping =
                        fixture.emulator.map(arena.allocate(64 << 10), DeviceMapping.Access.WRITE)) {
                    for (int i = 0; i < 50; i++) {
                        fixture.submit(
                                fixture.lane(),
                                fixture.copy(fixture.sourceMapping.address(), mapping.address(), 64 << 10, i));
                    }
                    fixture.lane().flush();
                    arena.close();
                    boolean failed = false;
                    for (int i = 0; i < 50; i++) {
                        await("completion", () -> fixture.lane().complete(fixture.completion));
                        boolean failure = fixture.completion.tag() == CommandType.STATUS_ADDRESS;
                        assertTrue(failure || !failed, "executed on closed memory");
                        failed = failure;
                    }
                    fixture.lane().flushCompletions();
                }
            }
        }
    }

    @Test
    void outlivesAHandlerThatThrows() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        Logger logger = Logger.getLogger("io.pipedevice.device");
        logger.setLevel(Level.OFF);
        try (EmulatorFixture fixture = new EmulatorFixture(context()).start()) {
            fixture.emulator.onInterrupt(() -> {
                calls.incrementAndGet();
                throw new IllegalStateException("thrown by a test's interrupt handler");
            });
            for (int i = 1; i <= 3; i++) {
                assertTrue(fixture.lane().requestInterrupt());
                fixture.submit(fixture.lane(), i, 1);
                await("completion", () -> fixture.lane().complete(fixture.completion));
                int expected = i;
                await("handler", () -> calls.get() == expected);
                fixture.lane().flushCompletions();
            }
        } finally {
            logger.setLevel(null);
        }
    }

    @Test
    void endsWithItsEmulator() throws IOException {
        EmulatorFixture fixture = new EmulatorFixture(context());
        EngineThread thread = EngineThread.start(fixture.emulator);
        Thread engine = engine();
        fixture.submit(fixture.lane(), 0, 1000);
        fixture.close();
        await("end", () -> !engine.isAlive());
        thread.close();
        thread.close();
    }
}
