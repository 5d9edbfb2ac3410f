// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import static io.pipedevice.device.emulator.EmulatorFixture.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.DeviceLane;
import io.pipedevice.queue.CommandType;
import io.pipedevice.test.Together;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class FaultPlanTest {
    private final FaultPlan plan = new FaultPlan();

    private EmulatorFixture fixture(int lanes) throws IOException {
        return new EmulatorFixture(
                plan.emulator(new DmaEmulator.Context().lanes(lanes).queueDepth(16)));
    }

    @Test
    void anEmptyPlanIsADeviceThatWorks() throws IOException {
        try (EmulatorFixture fixture = fixture(1)) {
            fixture.submit(fixture.lane(), 0, 16);
            fixture.run();
            assertEquals(range(0, 16), fixture.completions(fixture.lane()));
            assertEquals(
                    -1,
                    fixture.source.asSlice(0, 16 * 64).mismatch(fixture.destination.asSlice(0, 16 * 64)),
                    "content");
        }
    }

    @Test
    void failsTheCommandThatIsCountedFromNow() throws IOException {
        try (EmulatorFixture fixture = fixture(1)) {
            assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.copy(0, 64, 0)));
            plan.fail(2, CommandType.STATUS_DEVICE).fail(3, 77);
            assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.copy(0, 64, 0)));
            assertEquals(CommandType.STATUS_DEVICE, fixture.execute(fixture.copy(64, 64, 0)));
            assertEquals(77, fixture.execute(fixture.copy(64, 64, 0)));
            assertEquals(0, fixture.destination.getAtIndex(java.lang.foreign.ValueLayout.JAVA_LONG, 8), "not executed");
            assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.copy(64, 64, 0)));
        }
    }

    @Test
    void faultsThatSeveralThreadsPlanHappenOnceEach() throws Exception {
        int each = 20_000;
        Together.run(thread -> {
            for (int i = thread + 1; i <= Together.THREADS * each; i += Together.THREADS) {
                plan.fail(i, i);
            }
        });
        for (int i = 1; i <= Together.THREADS * each; i++) {
            assertEquals(i, plan.take().value);
        }
        assertEquals(FaultPlan.Kind.NONE, plan.take().kind);
    }

    @Test
    void losesACompletionAlsoAcrossAReset() throws IOException {
        try (EmulatorFixture fixture = fixture(1)) {
            plan.lose(2);
            fixture.submit(fixture.lane(), 0, 3);
            fixture.run();
            fixture.emulator.reset();
            assertEquals(List.of(0, 2), fixture.completions(fixture.lane()));
            assertEquals(0, fixture.lane().outstanding(), "lost commands are not outstanding after a reset");
        }
    }

    @Test
    void completesTwice() throws IOException {
        try (EmulatorFixture fixture = fixture(1)) {
            plan.duplicate(2);
            fixture.submit(fixture.lane(), 0, 3);
            fixture.run();
            assertEquals(List.of(0, 1, 1, 2), fixture.completions(fixture.lane()));
            assertEquals(0, fixture.lane().outstanding());
        }
    }

    @Test
    void aFullCompletionQueueStallsTheLaneAndLosesNothing() throws IOException {
        try (EmulatorFixture fixture = fixture(2)) {
            DeviceLane lane = fixture.lane();
            plan.duplicate(1).duplicate(2).duplicate(3);
            fixture.submit(lane, 0, 3);
            fixture.run();
            List<Integer> entries = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                assertTrue(lane.complete(fixture.completion));
                entries.add(fixture.completion.entrySequence());
            }
            lane.flushCompletions();
            fixture.submit(lane, 3, 16);
            fixture.submit(fixture.emulator.lane(1), 0, 1);
            fixture.run();
            assertEquals(range(0, 1), fixture.completions(fixture.emulator.lane(1)), "the other lane continues");
            assertFalse(lane.requestInterrupt());
            for (List<Integer> more = fixture.completions(lane); !more.isEmpty(); more = fixture.completions(lane)) {
                entries.addAll(more);
                fixture.run();
            }
            List<Integer> expected = new ArrayList<>(List.of(0, 0, 1, 1, 2, 2));
            expected.addAll(range(3, 16));
            assertEquals(expected, entries);
        }
    }

    @Test
    void completesAWrongEntry() throws IOException {
        try (EmulatorFixture fixture = fixture(1)) {
            plan.misdirect(1, 0xABCD);
            assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.copy(0, 64, 1)));
            assertEquals(0xABCD, fixture.completion.entrySequence());
        }
    }

    @Test
    void completesOutOfOrder() throws IOException {
        try (EmulatorFixture fixture = fixture(1)) {
            plan.holdBack(1).holdBack(4).holdBack(5);
            fixture.submit(fixture.lane(), 0, 5);
            fixture.run();
            assertEquals(List.of(1, 0, 2, 3), fixture.completions(fixture.lane()));
            fixture.emulator.reset();
            assertEquals(List.of(4), fixture.completions(fixture.lane()));
        }
    }

    @Test
    void delaysEveryCommand() throws IOException {
        try (EmulatorFixture fixture = fixture(1)) {
            plan.delay(3);
            fixture.submit(fixture.lane(), 0, 2);
            for (int i = 0; i < 3; i++) {
                assertNotEquals(0, fixture.emulator.poll(), "not idle while a command waits");
                assertEquals(List.of(), fixture.completions(fixture.lane()));
            }
            assertFalse(fixture.lane().requestInterrupt());
            fixture.emulator.poll();
            assertEquals(List.of(0), fixture.completions(fixture.lane()));
            fixture.emulator.reset();
            assertTrue(fixture.lane().complete(fixture.completion));
            assertEquals(CommandType.STATUS_RESET, fixture.completion.tag());
            assertEquals(1, fixture.completion.entrySequence());
            assertEquals(0, fixture.emulator.poll());
        }
    }

    @Test
    void servesLanesInRandomOrderButEachInItsOwn() throws IOException {
        try (EmulatorFixture fixture = fixture(4)) {
            plan.shuffleLanes(42);
            boolean overtaken = false;
            for (int lap = 0; lap < 20; lap++) {
                for (int lane = 0; lane < 4; lane++) {
                    fixture.submit(fixture.emulator.lane(lane), 0, 8);
                }
                fixture.emulator.poll();
                int first = fixture.emulator.lane(0).outstanding();
                List<Integer> ofLast = fixture.completions(fixture.emulator.lane(3));
                List<Integer> ofFirst = fixture.completions(fixture.emulator.lane(0));
                overtaken |= first != 0 && ofLast.size() > ofFirst.size();
                fixture.run();
                ofLast.addAll(fixture.completions(fixture.emulator.lane(3)));
                ofFirst.addAll(fixture.completions(fixture.emulator.lane(0)));
                assertEquals(range(0, 8), ofFirst);
                assertEquals(range(0, 8), ofLast);
                assertEquals(range(0, 8), fixture.completions(fixture.emulator.lane(1)));
                assertEquals(range(0, 8), fixture.completions(fixture.emulator.lane(2)));
            }
            assertTrue(overtaken);
        }
    }

    @Test
    void stallsUntilReleased() throws IOException {
        AtomicInteger interrupts = new AtomicInteger();
        try (EmulatorFixture fixture = fixture(1)) {
            fixture.emulator.onInterrupt(interrupts::incrementAndGet);
            plan.stallAt(2);
            fixture.submit(fixture.lane(), 0, 3);
            fixture.run();
            assertTrue(plan.isStopped());
            assertEquals(List.of(0), fixture.completions(fixture.lane()));
            assertTrue(fixture.lane().requestInterrupt(), "nothing to poll for: the driver may sleep");
            assertEquals(0, interrupts.get());
            plan.release();
            assertEquals(1, interrupts.get(), "and is woken");
            fixture.run();
            assertEquals(List.of(1, 2), fixture.completions(fixture.lane()));
        }
    }

    @Test
    void aResetEndsAStall() throws IOException {
        try (EmulatorFixture fixture = fixture(1)) {
            plan.stall();
            fixture.submit(fixture.lane(), 0, 3);
            fixture.run();
            fixture.emulator.reset();
            assertEquals(range(0, 3), fixture.completions(fixture.lane()));
            assertEquals(CommandType.STATUS_RESET, fixture.completion.tag());
            assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.copy(0, 64, 0)));
        }
    }

    @Test
    void diesForEver() throws IOException {
        try (EmulatorFixture fixture = fixture(1)) {
            plan.dieAt(2);
            fixture.submit(fixture.lane(), 0, 3);
            fixture.run();
            assertEquals(List.of(0), fixture.completions(fixture.lane()));
            plan.release();
            assertEquals(0, fixture.emulator.poll());
            assertThrows(IOException.class, fixture.emulator::reset);
            assertEquals(0, fixture.emulator.poll());
            assertEquals(List.of(), fixture.completions(fixture.lane()));
            fixture.sourceMapping.close();
        }
    }

    @Test
    void aPlanBelongsToOneEmulator() throws IOException {
        try (EmulatorFixture fixture = fixture(1)) {
            assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.copy(0, 64, 0)));
            assertThrows(IllegalStateException.class, () -> plan.emulator(new DmaEmulator.Context()));
            assertThrows(IllegalArgumentException.class, () -> plan.fail(0, CommandType.STATUS_DEVICE));
        }
    }
}
