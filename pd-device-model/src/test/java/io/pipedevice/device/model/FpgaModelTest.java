// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.model;

import static io.pipedevice.device.fpga.FpgaDescriptor.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandConsumer;
import io.pipedevice.queue.CommandProducer;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rules of docs/pd-stack.md, tested only through registers and memory. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FpgaModelTest {
    private static final int DEPTH = 8;
    private static final int PAGE = 4096;
    private static final long SQ_AT = 0x20_0000;
    private static final long CQ_AT = 0x40_0000;
    private static final long DATA_AT = 0x60_0000;
    private static final long RESULT_AT = 0x1_0000_0000L;
    private static final int LANE = lane(1);

    private final Arena arena = Arena.ofShared();
    private final MemorySegment submissions = arena.allocate(PAGE, PAGE);
    private final MemorySegment completions = arena.allocate(PAGE, PAGE);
    private final MemorySegment data = arena.allocate(PAGE, PAGE).fill((byte) 5);
    private final MemorySegment result = arena.allocate(PAGE, PAGE);
    private final CommandProducer sq = new CommandProducer(submissions, DEPTH, DEPTH);
    private final CommandConsumer cq = new CommandConsumer(completions, DEPTH, DEPTH);
    private final Command command = new Command();
    private final LinkedBlockingQueue<Integer> interrupts = new LinkedBlockingQueue<>();
    private final FpgaModel model =
            new FpgaModel(new FpgaModel.Context().lanes(2).queueDepth(DEPTH).seed(1));

    FpgaModelTest() throws IOException {
        model.onInterrupt(interrupts::add);
        model.map(SQ_AT, submissions, Access.READ);
        model.map(CQ_AT, completions, Access.WRITE);
        model.map(DATA_AT, data, Access.READ);
        model.map(RESULT_AT, result, Access.WRITE);
    }

    @AfterEach
    void close() {
        model.close();
        arena.close();
    }

    private void enable(int threshold) {
        model.write(ERROR_ENABLE_OFFSET, ERROR_ALL);
        model.write(LANE + SQ_BASE_LOW_OFFSET, (int) SQ_AT);
        model.write(LANE + CQ_BASE_LOW_OFFSET, (int) CQ_AT);
        model.write(LANE + DEPTH_OFFSET, DEPTH);
        model.write(LANE + CQ_THRESHOLD_OFFSET, threshold);
        model.write(LANE + LANE_CONTROL_OFFSET, LANE_ENABLE);
        model.write(CONTROL_OFFSET, CONTROL_ENABLE);
    }

    private void put(long source, long destination, int length) {
        assertTrue(sq.offer(command.set(CommandType.SEND, source, destination, length, 1, 2, 0, 4, 0)));
        sq.flush();
    }

    private void awaitError(int error) throws InterruptedException {
        assertEquals(2, interrupts.poll(30, TimeUnit.SECONDS), "the error vector");
        assertEquals(error, model.read(ERROR_STATUS_OFFSET));
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline);
            LockSupport.parkNanos(50_000);
        }
    }

    @Test
    void registersIdentifyTheModel() {
        assertEquals(ID, model.read(ID_OFFSET));
        assertEquals(1 << 16, model.read(VERSION_OFFSET));
        assertEquals(2, model.read(LANES_OFFSET));
        assertEquals(DEPTH, model.read(MAX_DEPTH_OFFSET));
        assertEquals(4096, model.read(MAX_TRANSFER_OFFSET));
        assertEquals(STATUS_READY, model.read(STATUS_OFFSET));
        assertEquals(1, model.read(LANE + CQ_THRESHOLD_OFFSET));
        assertEquals(0x4000, model.registersLength());
        assertEquals(3, model.vectors());
    }

    @Test
    void reservedAndReadOnlyRegistersAreNotWritten() {
        for (int offset : new int[] {ID_OFFSET, STATUS_OFFSET, 0x40, LANE + SQ_HEAD_OFFSET, LANE + 0x44, lane(2)}) {
            int before = model.read(offset);
            model.write(offset, 0x1234_5678);
            assertEquals(before, model.read(offset), () -> Integer.toHexString(offset));
            assertEquals(ERROR_ACCESS, model.read(ERROR_STATUS_OFFSET), () -> Integer.toHexString(offset));
            model.write(ERROR_STATUS_OFFSET, ERROR_ACCESS);
            assertEquals(0, model.read(ERROR_STATUS_OFFSET));
        }
        assertThrows(IllegalArgumentException.class, () -> model.read(2));
        assertThrows(IllegalArgumentException.class, () -> model.write(0x4000, 0));
    }

    @Test
    void copiesWhatTheDoorbellCovers() {
        enable(1);
        put(DATA_AT + 1, RESULT_AT + 2, 100);
        put(DATA_AT, RESULT_AT + 200, 1);
        model.write(LANE + SQ_TAIL_OFFSET, 1);
        await(() -> cq.poll(command));
        assertEquals(CommandType.COMPLETED, command.type());
        assertEquals(CommandType.STATUS_OK, command.tag());
        assertEquals(4, command.entrySequence());
        assertEquals(-1, data.asSlice(0, 100).mismatch(result.asSlice(2, 100)));
        // The registers follow the completion.
        await(() -> model.read(LANE + SQ_HEAD_OFFSET) == 1);
        await(() -> model.read(LANE + CQ_TAIL_OFFSET) == 1);
        assertTrue(cq.isEmpty(), "the second command is not covered");
        model.write(LANE + SQ_TAIL_OFFSET, 2);
        await(() -> cq.poll(command));
    }

    @Test
    @Timeout(240)
    void anEntryMayBeGivenBackAsSoonAsTheTailIsInMemory() {
        enable(1);
        for (int i = 0; i < DEPTH; i++) {
            put(DATA_AT, RESULT_AT, 1);
        }
        for (int i = 1; i <= 200_000; i++) {
            model.write(LANE + SQ_TAIL_OFFSET, i);
            // The window is a few instructions of the pipeline, so this thread must not sleep.
            while (!cq.poll(command)) {
                Thread.onSpinWait();
            }
            cq.flush();
            model.write(LANE + CQ_HEAD_OFFSET, i);
            assertEquals(LANE_ACTIVE, model.read(LANE + LANE_STATUS_OFFSET), "entry " + i);
        }
    }

    @Test
    void configurationIsFixedWhileTheLaneIsEnabled() throws InterruptedException {
        enable(1);
        model.write(LANE + DEPTH_OFFSET, 4);
        awaitError(ERROR_ACCESS);
        assertEquals(1, model.read(ERROR_LANE_OFFSET));
        assertEquals(DEPTH, model.read(LANE + DEPTH_OFFSET));
        assertEquals(LANE_ACTIVE, model.read(LANE + LANE_STATUS_OFFSET));
    }

    @Test
    void anImpossibleConfigurationHaltsTheLane() throws InterruptedException {
        model.write(ERROR_ENABLE_OFFSET, ERROR_ALL);
        model.write(LANE + DEPTH_OFFSET, 3);
        model.write(LANE + LANE_CONTROL_OFFSET, LANE_ENABLE);
        awaitError(ERROR_CONFIGURATION);
        assertEquals(LANE_HALTED, model.read(LANE + LANE_STATUS_OFFSET));
        assertEquals(ERROR_CONFIGURATION, model.read(LANE + LANE_ERROR_OFFSET));
    }

    @Test
    void anImpossibleDoorbellHaltsTheLane() throws InterruptedException {
        enable(1);
        model.write(LANE + SQ_TAIL_OFFSET, DEPTH + 1);
        awaitError(ERROR_DOORBELL);
        assertEquals(LANE_HALTED, model.read(LANE + LANE_STATUS_OFFSET));
        model.write(CONTROL_OFFSET, CONTROL_RESET);
        await(() -> model.read(STATUS_OFFSET) == STATUS_READY);
        assertEquals(0, model.read(LANE + LANE_STATUS_OFFSET));
        enable(1);
        model.write(LANE + CQ_HEAD_OFFSET, 1);
        awaitError(ERROR_DOORBELL);
    }

    @Test
    void aQueueThatIsNotMappedHaltsTheLane() throws InterruptedException {
        enable(1);
        model.unmap(SQ_AT, PAGE);
        model.write(LANE + SQ_TAIL_OFFSET, 1);
        awaitError(ERROR_QUEUE);
        assertEquals(SQ_AT + 256, model.read(ERROR_ADDRESS_LOW_OFFSET));
        assertEquals(LANE_HALTED, model.read(LANE + LANE_STATUS_OFFSET));
    }

    @Test
    void anAddressThatIsNotMappedFailsItsCommandOnly() throws InterruptedException {
        enable(1);
        put(DATA_AT, RESULT_AT + PAGE - 1, 2);
        put(RESULT_AT, RESULT_AT, 2);
        put(DATA_AT, RESULT_AT, 2);
        model.write(LANE + SQ_TAIL_OFFSET, 3);
        for (int status : new int[] {CommandType.STATUS_ADDRESS, CommandType.STATUS_ADDRESS, CommandType.STATUS_OK}) {
            await(() -> cq.poll(command));
            assertEquals(status, command.tag());
        }
        awaitError(ERROR_ADDRESS);
        assertEquals(1, model.read(ERROR_LANE_OFFSET));
        assertEquals(1, model.read(ERROR_ADDRESS_HIGH_OFFSET));
        assertEquals(LANE_ACTIVE, model.read(LANE + LANE_STATUS_OFFSET));
        assertTrue(interrupts.isEmpty(), "one interrupt for an error until it is cleared");
    }

    @Test
    void nothingIsTakenWhoseCompletionHasNoPlace() {
        enable(1);
        for (int i = 0; i < DEPTH; i++) {
            put(DATA_AT, RESULT_AT, 1);
        }
        model.write(LANE + SQ_TAIL_OFFSET, DEPTH);
        await(() -> model.read(LANE + CQ_TAIL_OFFSET) == DEPTH);
        // The SQ has room again, the CQ has none.
        model.write(LANE + SQ_TAIL_OFFSET, DEPTH + 2);
        LockSupport.parkNanos(20_000_000);
        assertEquals(DEPTH, model.read(LANE + SQ_HEAD_OFFSET));
        model.write(LANE + CQ_HEAD_OFFSET, 1);
        await(() -> model.read(LANE + CQ_TAIL_OFFSET) == DEPTH + 1);
        assertEquals(DEPTH + 1, model.read(LANE + SQ_HEAD_OFFSET));
    }

    @Test
    void anInterruptIsRaisedOnceForEachWish() throws InterruptedException {
        enable(1);
        put(DATA_AT, RESULT_AT, 1);
        put(DATA_AT, RESULT_AT, 1);
        model.write(LANE + ARM_OFFSET, 0);
        assertEquals(INTERRUPT_ARMED, model.read(LANE + INTERRUPT_STATUS_OFFSET));
        model.write(LANE + SQ_TAIL_OFFSET, 2);
        assertEquals(1, interrupts.poll(30, TimeUnit.SECONDS));
        await(() -> model.read(LANE + CQ_TAIL_OFFSET) == 2);
        assertEquals(0, model.read(LANE + INTERRUPT_STATUS_OFFSET));
        assertTrue(interrupts.isEmpty());
        model.write(LANE + ARM_OFFSET, 1);
        assertEquals(1, interrupts.poll(30, TimeUnit.SECONDS), "earlier completions count");
    }
}
