// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import static io.pipedevice.device.emulator.EmulatorFixture.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.DeviceCapabilities;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class DmaEmulatorTest {
    private static DmaEmulator.Context context() {
        return new DmaEmulator.Context();
    }

    @Test
    void copiesAndReturnsTheCommandAsItsCompletion() throws IOException {
        try (EmulatorFixture fixture = new EmulatorFixture(context())) {
            long from = fixture.sourceMapping.address() + 1;
            long to = fixture.destinationMapping.address() + 3;
            assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.copy(from, to, 64 << 10, 0xFFFF)));
            assertEquals(
                    -1,
                    fixture.source.asSlice(1, 64 << 10).mismatch(fixture.destination.asSlice(3, 64 << 10)),
                    "content");
            assertEquals(0, fixture.destination.get(java.lang.foreign.ValueLayout.JAVA_BYTE, (64 << 10) + 3));
            assertEquals(from, fixture.completion.source());
            assertEquals(to, fixture.completion.destination());
            assertEquals(64 << 10, fixture.completion.length());
            assertEquals(7, fixture.completion.containerId());
            assertEquals(8, fixture.completion.connectionId());
            assertEquals(9, fixture.completion.tableId());
            assertEquals(0xFFFF, fixture.completion.entrySequence());
        }
    }

    @Test
    void reportsItsCapabilities() throws IOException {
        try (EmulatorFixture fixture =
                new EmulatorFixture(context().lanes(3).queueDepth(256).maxTransfer(8 << 10))) {
            assertEquals(new DeviceCapabilities(8 << 10, 1, 3, 256, false), fixture.emulator.capabilities());
            assertSame(fixture.emulator.lane(2), fixture.emulator.lane(2));
            assertThrows(IndexOutOfBoundsException.class, () -> fixture.emulator.lane(3));
        }
    }

    @Test
    void refusesParametersOutOfRange() {
        assertThrows(
                IllegalArgumentException.class, () -> new DmaEmulator(context().lanes(0)));
        assertThrows(
                IllegalArgumentException.class, () -> new DmaEmulator(context().lanes(DmaEmulator.MAX_LANES + 1)));
        assertThrows(
                IllegalArgumentException.class, () -> new DmaEmulator(context().queueDepth(1000)));
        assertThrows(
                IllegalArgumentException.class,
                () -> new DmaEmulator(context().queueDepth(16).sqThreshold(17)));
        assertThrows(
                IllegalArgumentException.class,
                () -> new DmaEmulator(context().queueDepth(16).cqThreshold(-1)));
        assertThrows(
                IllegalArgumentException.class, () -> new DmaEmulator(context().maxTransfer(4095)));
        assertThrows(
                IllegalArgumentException.class, () -> new DmaEmulator(context().maxTransfer((1 << 20) + 1)));
    }

    @Test
    void completesInTheOrderOfSubmission() throws IOException {
        try (EmulatorFixture fixture = new EmulatorFixture(context())) {
            fixture.submit(fixture.lane(), 0, 1000);
            assertEquals(1000, fixture.lane().outstanding());
            fixture.run();
            assertEquals(range(0, 1000), fixture.completions(fixture.lane()));
            assertEquals(0, fixture.lane().outstanding());
        }
    }

    @Test
    void hasAtMostItsDepthOutstanding() throws IOException {
        try (EmulatorFixture fixture = new EmulatorFixture(context().queueDepth(8))) {
            DeviceLane lane = fixture.lane();
            fixture.submit(lane, 0, 8);
            assertFalse(lane.submit(fixture.copy(0, 1, 8)));
            fixture.run();
            assertFalse(lane.submit(fixture.copy(0, 1, 8)), "a completion that was not taken counts");
            assertTrue(lane.complete(fixture.completion));
            lane.flushCompletions();
            fixture.submit(lane, 8, 1);
            assertFalse(lane.submit(fixture.copy(0, 1, 9)));
            fixture.run();
            assertEquals(range(1, 8), fixture.completions(lane));
        }
    }

    @Test
    void seesCommandsAtTheThresholdOrWhenFlushed() throws IOException {
        try (EmulatorFixture fixture =
                new EmulatorFixture(context().queueDepth(16).sqThreshold(4))) {
            DeviceLane lane = fixture.lane();
            for (int i = 0; i < 6; i++) {
                fixture.submit(lane, fixture.copy(0, 1, i));
            }
            fixture.run();
            assertEquals(range(0, 4), fixture.completions(lane));
            lane.flush();
            fixture.run();
            assertEquals(range(4, 2), fixture.completions(lane));
        }
    }

    @Test
    void failsCommandsThatItCannotExecute() throws IOException {
        try (EmulatorFixture fixture = new EmulatorFixture(context().maxTransfer(4096))) {
            assertEquals(
                    CommandType.STATUS_TYPE,
                    fixture.execute(fixture.command.set(CommandType.CLOSE, 0, 0, 1, 0, 0, 0, 0, 0)));
            assertEquals(CommandType.STATUS_LENGTH, fixture.execute(fixture.copy(0, 0, 0)));
            assertEquals(CommandType.STATUS_LENGTH, fixture.execute(fixture.copy(0, -1, 0)));
            assertEquals(CommandType.STATUS_LENGTH, fixture.execute(fixture.copy(0, Integer.MIN_VALUE, 0)));
            assertEquals(CommandType.STATUS_LENGTH, fixture.execute(fixture.copy(0, 4097, 0)));
            assertEquals(CommandType.STATUS_LENGTH, fixture.execute(fixture.copy(0, Integer.MAX_VALUE, 0)));
            assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.copy(0, 4096, 0)));
        }
    }

    @Test
    void givesEachLaneATurn() throws IOException {
        try (EmulatorFixture fixture = new EmulatorFixture(context().lanes(2))) {
            fixture.submit(fixture.emulator.lane(0), 0, 1000);
            fixture.submit(fixture.emulator.lane(1), 0, 1);
            assertEquals(Engine.TURN_COMMANDS + 1, fixture.emulator.poll());
            assertEquals(range(0, Engine.TURN_COMMANDS), fixture.completions(fixture.emulator.lane(0)));
            assertEquals(range(0, 1), fixture.completions(fixture.emulator.lane(1)));
        }
    }

    @Test
    void endsATurnAfterItsShareOfBytes() throws IOException {
        try (EmulatorFixture fixture = new EmulatorFixture(context())) {
            for (int i = 0; i < 10; i++) {
                fixture.submit(fixture.lane(), fixture.copy(0, 64 << 10, i));
            }
            fixture.lane().flush();
            assertEquals(Engine.TURN_BYTES / (64 << 10), fixture.emulator.poll());
        }
    }

    @Test
    void interruptsOnceWhenAsked() throws IOException {
        AtomicInteger interrupts = new AtomicInteger();
        try (EmulatorFixture fixture = new EmulatorFixture(context())) {
            fixture.emulator.onInterrupt(interrupts::incrementAndGet);
            DeviceLane lane = fixture.lane();
            fixture.submit(lane, 0, 1);
            fixture.run();
            assertEquals(0, interrupts.get(), "none was requested");
            assertFalse(lane.requestInterrupt(), "a completion is there");
            fixture.completions(lane);

            assertTrue(lane.requestInterrupt());
            fixture.submit(lane, 1, 1);
            fixture.run();
            assertEquals(1, interrupts.get());
            fixture.submit(lane, 2, 1);
            fixture.run();
            assertEquals(1, interrupts.get(), "once for each request");
            fixture.completions(lane);

            assertTrue(lane.requestInterrupt());
            lane.cancelInterrupt();
            fixture.submit(lane, 3, 1);
            fixture.run();
            assertEquals(1, interrupts.get(), "withdrawn");
        }
    }

    @Test
    void promisesNoInterruptForWhatTheCallerHasToPoll() throws IOException {
        try (EmulatorFixture fixture = new EmulatorFixture(context())) {
            fixture.submit(fixture.lane(), 0, 1);
            assertFalse(fixture.lane().requestInterrupt());
        }
    }

    @Test
    void resetCompletesWhatIsPending() throws IOException {
        try (EmulatorFixture fixture = new EmulatorFixture(context().lanes(2))) {
            DeviceLane lane = fixture.lane();
            fixture.submit(lane, 0, 100);
            assertEquals(Engine.TURN_COMMANDS, fixture.emulator.poll());
            fixture.submit(lane, fixture.copy(0, 1, 100));
            fixture.submit(fixture.emulator.lane(1), fixture.copy(0, 1, 101));
            fixture.emulator.reset();
            assertEquals(0, fixture.emulator.poll());
            for (int i = 0; i <= 100; i++) {
                assertTrue(lane.complete(fixture.completion));
                assertEquals(i, fixture.completion.entrySequence());
                int status = i < Engine.TURN_COMMANDS ? CommandType.STATUS_OK : CommandType.STATUS_RESET;
                assertEquals(status, fixture.completion.tag());
            }
            assertFalse(lane.complete(fixture.completion));
            assertEquals(range(101, 1), fixture.completions(fixture.emulator.lane(1)));
            assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.copy(0, 1, 0)), "mappings stay");
        }
    }

    @Test
    void resetOfAFullLaneCompletesEverything() throws IOException {
        try (EmulatorFixture fixture = new EmulatorFixture(context().queueDepth(256))) {
            fixture.submit(fixture.lane(), 0, 256);
            assertEquals(Engine.TURN_COMMANDS, fixture.emulator.poll());
            fixture.emulator.reset();
            assertEquals(range(0, 256), fixture.completions(fixture.lane()));
        }
    }

    @Test
    void closesWithCommandsInFlight() throws IOException {
        EmulatorFixture fixture = new EmulatorFixture(context());
        fixture.submit(fixture.lane(), 0, 100);
        assertEquals(Engine.TURN_COMMANDS, fixture.emulator.poll());
        fixture.close();
        fixture.emulator.close();
        fixture.sourceMapping.close();
        assertThrows(IOException.class, fixture.emulator::reset);
    }
}
