// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.fpga;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.device.model.FpgaModel;
import io.pipedevice.device.model.ModelFaults;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class FpgaDeviceTest {
    private static final int PAGE = FpgaFixture.PAGE;
    private static final int LANES = 4;
    private static final int DEPTH = 32;

    /** A submitted command with its expected result. */
    private static final class Expected {
        int entry;
        long source;
        long destination;
        int length;
        int status;
    }

    @Test
    void anyMixOfCommandsIsCompletedInTheOrderOfItsLane() throws IOException {
        long seed = System.nanoTime();
        System.out.println("any mix of commands: seed " + seed);
        Random random = new Random(seed);
        try (FpgaFixture fixture = new FpgaFixture(
                new FpgaModel.Context()
                        .lanes(LANES)
                        .pipelines(3)
                        .queueDepth(DEPTH)
                        .seed(seed),
                new FpgaDevice.Context().threshold(1 + random.nextInt(DEPTH)))) {
            ArrayDeque<Expected>[] lanes = lanes();
            int[] submitted = new int[LANES];
            for (int i = 0; i < 20_000; i++) {
                int lane = random.nextInt(LANES);
                if (lanes[lane].size() < DEPTH) {
                    Expected next = next(fixture, random, lane, submitted[lane]++);
                    assertTrue(fixture.device
                            .lane(lane)
                            .submit(fixture.copy(next.source, next.destination, next.length, next.entry)));
                    lanes[lane].add(next);
                } else {
                    assertFalse(fixture.device.lane(lane).submit(fixture.command));
                    fixture.device.lane(lane).flush();
                }
                if (random.nextInt(8) == 0) {
                    fixture.device.lane(lane).flush();
                    take(fixture, lane, lanes[lane], random.nextInt(DEPTH));
                }
            }
            for (int lane = 0; lane < LANES; lane++) {
                int last = lane;
                fixture.device.lane(lane).flush();
                FpgaFixture.await("the rest", () -> {
                    take(fixture, last, lanes[last], DEPTH);
                    return lanes[last].isEmpty();
                });
                assertEquals(0, fixture.device.lane(lane).outstanding());
                assertFalse(fixture.device.lane(lane).complete(fixture.completion));
            }
            fixture.device.poll();
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static ArrayDeque<Expected>[] lanes() {
        ArrayDeque<Expected>[] lanes = new ArrayDeque[LANES];
        for (int i = 0; i < LANES; i++) {
            lanes[i] = new ArrayDeque<>();
        }
        return lanes;
    }

    /** Chooses a command whose destination no outstanding command shares. */
    private static Expected next(FpgaFixture fixture, Random random, int lane, int sequence) {
        Expected next = new Expected();
        next.entry = sequence & 0xFFFF;
        next.length = 1 + random.nextInt(PAGE);
        next.source = fixture.from.address() + random.nextInt(FpgaFixture.SIZE - PAGE);
        next.destination = fixture.to.address() + (long) (lane * DEPTH + sequence % DEPTH) * PAGE;
        switch (random.nextInt(20)) {
            case 0 -> {
                next.length = random.nextBoolean() ? 0 : PAGE + 1;
                next.status = CommandType.STATUS_LENGTH;
            }
            case 1 -> {
                next.source = fixture.from.address() + FpgaFixture.SIZE - next.length + 1;
                next.status = CommandType.STATUS_ADDRESS;
            }
            case 2 -> {
                next.source = fixture.to.address();
                next.status = CommandType.STATUS_ADDRESS;
            }
            case 3 -> {
                next.destination = random.nextLong() & -1L << 40;
                next.status = CommandType.STATUS_ADDRESS;
            }
            default -> {}
        }
        return next;
    }

    private static void take(FpgaFixture fixture, int lane, ArrayDeque<Expected> expected, int most) {
        DeviceLane from = fixture.device.lane(lane);
        for (int i = 0; i < most && from.complete(fixture.completion); i++) {
            Expected next = expected.remove();
            Command completion = fixture.completion;
            assertEquals(CommandType.COMPLETED, completion.type());
            assertEquals(next.entry, completion.entrySequence());
            assertEquals(next.source, completion.source());
            assertEquals(next.destination, completion.destination());
            assertEquals(next.length, completion.length());
            assertEquals(next.status, completion.tag());
            if (next.status == CommandType.STATUS_OK) {
                long read = next.source - fixture.from.address();
                long written = next.destination - fixture.to.address();
                assertEquals(
                        -1,
                        MemorySegment.mismatch(
                                fixture.source,
                                read,
                                read + next.length,
                                fixture.destination,
                                written,
                                written + next.length));
            }
        }
        from.flushCompletions();
    }

    @Test
    void whatAResetEndsHasACompletionInOrder() throws IOException {
        long seed = System.nanoTime();
        System.out.println("resets: seed " + seed);
        Random random = new Random(seed);
        try (FpgaFixture fixture = new FpgaFixture(
                new FpgaModel.Context().queueDepth(DEPTH).seed(seed), new FpgaDevice.Context().threshold(4))) {
            DeviceLane lane = fixture.lane();
            int next = 0;
            int done = 0;
            int ended = 0;
            for (int round = 0; round < 100; round++) {
                int count = random.nextInt(DEPTH - (next - done) + 1);
                fixture.submit(lane, next, count);
                next += count;
                for (int i = random.nextInt(DEPTH); i > 0 && lane.complete(fixture.completion); i--) {
                    assertEquals(done++ % 65536, fixture.completion.entrySequence());
                    ended += fixture.completion.tag() == CommandType.STATUS_RESET ? 1 : 0;
                }
                if (random.nextBoolean()) {
                    lane.flushCompletions();
                }
                fixture.device.reset();
                assertEquals(next - done, lane.outstanding());
            }
            while (done < next) {
                assertTrue(lane.complete(fixture.completion), "every command has a completion after a reset");
                assertEquals(done++ % 65536, fixture.completion.entrySequence());
            }
            assertEquals(0, lane.outstanding());
            assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.from.address(), fixture.to.address(), 5));
            System.out.println("resets: ended " + ended + " of " + next);
        }
    }

    @Test
    void anInterruptComesForEachWish() throws Exception {
        try (FpgaFixture fixture = new FpgaFixture()) {
            assertTrue(fixture.lane().requestInterrupt(), "nothing is outstanding, and nothing will come");
            for (int i = 0; i < 200; i++) {
                fixture.submit(fixture.lane(), i, 1);
                if (fixture.lane().requestInterrupt()) {
                    assertTrue(fixture.interrupts.tryAcquire(30, TimeUnit.SECONDS), "an interrupt");
                }
                assertEquals(i, fixture.await(fixture.lane()).entrySequence());
                fixture.interrupts.drainPermits();
            }
        }
    }

    @Test
    void interruptsThatAreLostAreCounted() throws Exception {
        try (FpgaFixture fixture = new FpgaFixture()) {
            fixture.faults.loseInterrupts(Integer.MAX_VALUE);
            FpgaFixture.await("a lost interrupt", () -> {
                fixture.submit(fixture.lane(), 0, 1);
                if (fixture.lane().requestInterrupt()) {
                    assertFalse(tryAcquire(fixture));
                    fixture.lane().cancelInterrupt();
                }
                fixture.await(fixture.lane());
                return fixture.device.health().getFirst().get(DeviceHealth.Event.LOST_INTERRUPT) > 0;
            });
        }
    }

    private static boolean tryAcquire(FpgaFixture fixture) {
        try {
            return fixture.interrupts.tryAcquire(20, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void memoryThatWasUnmappedIsRefused() throws IOException {
        try (FpgaFixture fixture = new FpgaFixture()) {
            DeviceMapping again = fixture.device.map(fixture.source, DeviceMapping.Access.READ);
            assertEquals(CommandType.STATUS_OK, fixture.execute(again.address(), fixture.to.address(), 100));
            again.close();
            assertEquals(CommandType.STATUS_ADDRESS, fixture.execute(again.address(), fixture.to.address(), 100));
            FpgaFixture.await("the error interrupt", () -> {
                fixture.device.poll();
                return fixture.device.health().getFirst().get(DeviceHealth.Event.ERROR) > 0;
            });
            assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.from.address(), fixture.to.address(), 100));
        }
    }

    @Test
    void onlyWholePagesAreMapped() throws IOException {
        try (FpgaFixture fixture = new FpgaFixture()) {
            for (MemorySegment memory : new MemorySegment[] {
                fixture.source.asSlice(1, PAGE), fixture.source.asSlice(0, 100), MemorySegment.ofArray(new byte[PAGE])
            }) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> fixture.device
                                .map(memory, DeviceMapping.Access.READ)
                                .close());
            }
        }
    }

    @Test
    void aDeviceThatStoppedComesBackByAReset() throws IOException {
        for (ModelFaults.Kind kind : new ModelFaults.Kind[] {ModelFaults.Kind.STALL, ModelFaults.Kind.HANG}) {
            try (FpgaFixture fixture =
                    new FpgaFixture(new FpgaModel.Context(), new FpgaDevice.Context().threshold(1))) {
                fixture.faults.at(3, kind);
                fixture.submit(fixture.lane(), 0, 5);
                for (int i = 0; i < 2; i++) {
                    assertEquals(
                            CommandType.STATUS_OK, fixture.await(fixture.lane()).tag());
                }
                // A reset before that would leave the fault for the next command.
                FpgaFixture.await("the fault", fixture.faults::isStopped);
                fixture.device.reset();
                for (int i = 2; i < 5; i++) {
                    assertTrue(fixture.lane().complete(fixture.completion));
                    assertEquals(i, fixture.completion.entrySequence());
                    assertEquals(CommandType.STATUS_RESET, fixture.completion.tag());
                }
                assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.from.address(), fixture.to.address(), 9));
            }
        }
    }

    @Test
    void aDeviceThatIsGoneIsLost() throws IOException {
        try (FpgaFixture fixture = new FpgaFixture()) {
            fixture.faults.stop(ModelFaults.Kind.VANISH);
            fixture.submit(fixture.lane(), 0, 5);
            IOException lost = assertThrows(IOException.class, fixture.device::reset);
            assertTrue(lost.getMessage().contains("is gone"), lost::getMessage);
        }
        ModelFaults faults = new ModelFaults();
        faults.stop(ModelFaults.Kind.VANISH);
        IOException absent = assertThrows(
                IOException.class,
                () -> new FpgaDevice(new FpgaModel(new FpgaModel.Context().faults(faults)), new FpgaDevice.Context()));
        assertTrue(absent.getMessage().contains("does not answer"), absent::getMessage);
    }
}
